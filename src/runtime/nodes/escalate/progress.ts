import type { Outcome, TenantError } from "../../../client";

export interface Callee {
  readonly number: string;
  readonly name: string | null;
}

export interface CallAttempt extends Callee {
  /** The id of the call in the backlog. */
  readonly id: string;
  /** The time at which it was accepted, or else tried, epoch milliseconds. */
  readonly at: number;
  readonly outcome: Outcome | "pending";
  /** Of its error; empty while it is pending, or if the service has accepted it. */
  readonly code: string;
  readonly round: number;
}

/** The reason why a call was not accepted: what a message needs to fail with it, as plain JSON. */
export type Failure = Pick<TenantError, "code" | "phase" | "sent" | "retryable" | "key" | "params" | "details">;

/** Somebody has acknowledged, or what the incident is about has ended. */
export type Resolution = { readonly type: "acknowledged"; readonly by: string | true } | { readonly type: "over" };

export interface CallEnd {
  readonly id: string;
  readonly outcome: Outcome;
  readonly error?: TenantError | undefined;
}

export interface Beginning {
  readonly people: readonly Callee[];
  readonly ringForMs: number;
  readonly rounds: number;
  readonly quietForMs: number;
}

/** The progress of an escalation. Plain JSON, kept in the record of a durable backlog. */
export interface Progress extends Beginning {
  /** The current round, from 1. */
  readonly round: number;
  /** Index of the person to be called next, or whose call is pending. */
  readonly next: number;
  /** Nobody is called before this instant, epoch milliseconds. */
  readonly until: number;
  /** All call attempts, in order. */
  readonly rung: readonly CallAttempt[];
  /** The reason why nobody needs to be called any more. */
  readonly resolution: Resolution | null;
  /** Of the last call that was not accepted. */
  readonly lastFailure: Failure | null;
  /** The time for which trouble of the service has kept the calls. */
  readonly troubleMs: number;
}

/** The shortest and the longest time for which trouble of the service may keep the calls of an incident. Milliseconds. */
const SHORTEST_TROUBLE_MS = 300_000;
const LONGEST_TROUBLE_MS = 86_400_000;

export function noProgress(beginning: Beginning): Progress {
  return { ...beginning, round: 1, next: 0, until: 0, rung: [], resolution: null, lastFailure: null, troubleMs: 0 };
}

/** The milliseconds for which trouble may still keep the calls: together for as long as it takes to call everybody. */
export function troubleLeft({ people, rounds, ringForMs, troubleMs }: Progress): number {
  const planned = people.length * rounds * ringForMs;
  return Math.min(Math.max(planned, SHORTEST_TROUBLE_MS), LONGEST_TROUBLE_MS) - troubleMs;
}

export function failureOf({ code, phase, sent, retryable, key, params, details }: TenantError): Failure {
  return { code, phase, sent, retryable, key, params, details };
}

export const mayHaveRung = ({ outcome }: CallAttempt) => outcome !== "rejected" && outcome !== "not-applied";

/** The call whose outcome is not known yet. */
export function pendingOf({ rung }: Progress): CallAttempt | undefined {
  const last = rung.at(-1);
  return last?.outcome === "pending" ? last : undefined;
}

/** The person who was called last, from 1. */
export function positionOf(progress: Progress): number {
  const { next, people } = progress;
  if (pendingOf(progress)) return Math.min(next + 1, people.length);
  return next === 0 ? people.length : next;
}

/** Adds a call attempt for the next person. */
export function withAttempt(progress: Progress, id: string, now: number): Progress {
  const { people, next, round, rung } = progress;
  const { number, name } = people[next] as Callee;
  return { ...progress, rung: [...rung, { id, number, name, at: now, outcome: "pending", code: "", round }] };
}

/** Removes the pending call: it has not left, and will not. */
export function withoutPending(progress: Progress): Progress {
  return pendingOf(progress) ? { ...progress, rung: progress.rung.slice(0, -1) } : progress;
}

/** Notes the outcome of a call, which may be an earlier one. After the pending one, the next person follows. */
export function withOutcome(before: Progress, { id, outcome, error }: CallEnd, now: number): Progress {
  const index = before.rung.findIndex((each) => each.id === id);
  const call = before.rung[index];
  if (!call || call.outcome === outcome) return before;
  const wasPending = call.outcome === "pending";
  // It may have waited for its turn. If its answer was lost, it may have rung since it left.
  const at = !wasPending ? call.at : outcome === "unknown" ? leftAt(call, error, now) : now;
  const known = { ...call, outcome, at, code: error?.code ?? "" };
  const lastFailure = error ? failureOf(error) : before.lastFailure;
  const progress: Progress = { ...before, rung: before.rung.with(index, known), lastFailure };
  if (!wasPending) return progress;
  const { people, rung, round, rounds, ringForMs } = progress;
  const next = progress.next + 1;
  const until = mayHaveRung(known) ? known.at + ringForMs : progress.until;
  if (next < people.length || round >= rounds) return { ...progress, next, until };
  // Rounds in which nobody can be called must not be over in a second.
  const isInVain = !rung.some((each) => each.round === round && mayHaveRung(each));
  return { ...progress, round: round + 1, next: 0, until: isInVain ? now + ringForMs : until };
}

/** Returns when a call left, or else when it was tried. The clock may have been set meanwhile. */
function leftAt({ at }: CallAttempt, error: TenantError | undefined, now: number): number {
  const sentAt = Date.parse(error?.details.sentAt ?? "");
  return Number.isNaN(sentAt) ? at : Math.min(Math.max(sentAt, at), now);
}
