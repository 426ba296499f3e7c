import type { Call } from "./call";

/** The facts that hold the calls of a tenant. One that is absent holds none. */
export interface Hold {
  readonly paused?: boolean;
  /** Whether the clock may be wrong, soon after a start: what was left from before waits. */
  readonly isClockUnsure?: boolean;
  /** Whether calling hours are closed. */
  readonly isClosed?: boolean;
  /** ISO 8601 with the offset of their zone, if it is known. */
  readonly opensAt?: string | null | undefined;
  /** The calls that trouble of the service holds: those that wait for its end in any case, or all. */
  readonly inTrouble?: "patient" | "all" | undefined;
  /** The time at which the service is tried again, epoch milliseconds. */
  readonly heldUntil?: number | undefined;
}

/** An end: epoch milliseconds, or ISO 8601 in the zone in which it is shown; `undefined` if it is not known. */
export type Until = number | string | undefined;

interface Row {
  readonly reason: string;
  /** The fact that makes it apply; a reason without one is that of single calls. */
  readonly fact?: keyof Hold;
  /** The calls that it does not keep: those whose entries say so. */
  readonly exempt?: "urgent" | "anytime";
  /** Whether it keeps a call, if it does not keep all others. */
  readonly keeps?: (call: Call, hold: Hold) => boolean;
  readonly until?: (hold: Hold, call?: Call) => Until;
  /** The reason that is given outside. */
  readonly shownAs?: string;
}

const rows = [
  { reason: "held-back", keeps: ({ stage }: Call) => stage === "heldBack" },
  { reason: "date", keeps: ({ date }: Call) => date !== undefined, until: (_: Hold, call?: Call) => call?.date },
  { reason: "clock", fact: "isClockUnsure", keeps: ({ isLeft }: Call) => isLeft, shownAs: "turn" },
  { reason: "pause", fact: "paused", exempt: "urgent" },
  { reason: "hours", fact: "isClosed", exempt: "anytime", until: ({ opensAt }: Hold) => opensAt ?? undefined },
  {
    reason: "trouble",
    fact: "inTrouble",
    keeps: ({ isPatient }: Call, { inTrouble }: Hold) => inTrouble === "all" || isPatient,
    until: ({ heldUntil }: Hold) => heldUntil,
  },
  // The service has refused this one, and told it to wait.
  { reason: "trouble", keeps: ({ refusal }: Call) => refusal !== undefined && refusal.retryAt > -Infinity },
  { reason: "turn" },
] as const satisfies readonly Row[];

type Any = (typeof rows)[number];
/** A reason why a call waits. */
export type Reason = Any["reason"];
type Shown = Exclude<Any, { readonly shownAs: string }>;
/** A reason as people and flows are told. */
export type ShownReason = Shown["reason"];
/** The reasons that hold the calls of a tenant, whichever they are. */
export type HoldReason = Extract<Shown, { readonly fact: string }>["reason"];

/**
 * The one list of reasons: a call waits for the first that applies. The begin of a call, the last look before its first byte, `list`,
 * a webhook's answer, statuses, counts and metrics read it; `begin.lua` decides the same for a group.
 */
const REASONS: readonly (Row & Pick<Any, "reason">)[] = rows;

/** Each reason as it is given outside. */
export const SHOWN_AS = Object.fromEntries(
  REASONS.map(({ reason, shownAs }) => [reason, shownAs ?? reason]),
) as Readonly<Record<Reason, ShownReason>>;

/** The rows that hold all calls of a tenant but those that are exempt. */
export const HOLDS = rows.flatMap((row) => ("exempt" in row ? row : []));

/** Returns the first reason that applies. Each message asks, so it calls little where nothing holds. */
export function whyWaits(call: Call, hold: Hold): Reason {
  for (const { reason, fact, exempt, keeps } of REASONS) {
    if ((fact && !hold[fact]) || (exempt && call.entry[exempt])) continue;
    if (!keeps || keeps(call, hold)) return reason;
  }
  return "turn";
}

export function untilOf(reason: Reason, hold: Hold, call?: Call): Until {
  return REASONS.find((row) => row.reason === reason)?.until?.(hold, call);
}

/** The reasons that hold the calls of a tenant now, in the order of the list, each with its end. */
export type Holds = ReadonlyMap<HoldReason, Until>;

/** Calls that are exempt from some of the reasons. */
export type Exempt = { readonly [Each in NonNullable<Row["exempt"]>]?: boolean | undefined };

/** @param of exempt from some of it: all calls that are meant */
export function holdsIn(hold: Hold, of: Exempt = {}): Holds {
  const those = REASONS.filter(
    ({ fact, exempt, shownAs }) => fact && hold[fact] && !shownAs && !(exempt && of[exempt]),
  );
  return new Map(those.map(({ reason, until }) => [reason as HoldReason, until?.(hold)]));
}
