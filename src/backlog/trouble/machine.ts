/**
 * The state of the service, as call-outs meet it: a circuit breaker for a whole group, as a pure function. While it is not `closed`,
 * a call that waits for the end of trouble begins only as its second column allows.
 *
 * | phase | begins | `fine` | `counts` | `stops` | `over` | `probed` | `released` | `started` |
 * |---|---|---|---|---|---|---|---|---|
 * | `closed` | all | | `counting`, 1 | `held` | | | | `held` |
 * | `counting` | one at a time | `closed` | one more; the third: `held` | `held` | | | | |
 * | `held` | nothing | | | | `trying` | answered: `trying`; else `held`, twice as long | `trying` | |
 * | `trying` | one at a time | `closed` | `held`, twice as long | as before | | | | `held` |
 *
 * `held` besides: `probing` gives one instance the time to probe, `changed` ends the pause at once, `hurry` a minute after its
 * beginning, and a `fine` call that trouble does not hold leads to `closed`, after a 429 from a minute on. After `started`, a probe goes first.
 */
export interface Trouble {
  readonly phase: "closed" | "counting" | "held" | "trying";
  /** Counted in a row. */
  readonly row: number;
  /** Holds and failed probes since the last answer that was no trouble: each doubles the next pause. */
  readonly pauses: number;
  /** While `held`: when the service is probed or tried, or when another instance may probe if the one that does is gone. */
  readonly until: number;
  /** While `held`: when that began, or the probe that is under way. */
  readonly from: number;
  /** The probe that is under way. */
  readonly probe?: string;
  /** The number of probes that have failed in a row; absent if a call tries without one. */
  readonly failed?: number | undefined;
  /** Whether a call has tried in place of the last probe; and when one that is not urgent did so last. */
  readonly isSkipped?: boolean;
  readonly skippedAt?: number;
  /** The beginning of the trouble that holds, and the code of the last one; absent after a start. */
  readonly since?: number;
  readonly code?: string;
  /** The last trouble was a refusal, of the call with this id. */
  readonly refused?: string | undefined;
  /** The last answer that was no trouble, as far as it is known. */
  readonly fineAt: number;
}

/**
 * An event. `isFree`: to a call that trouble does not hold; `counts`: trouble that may be that of one call; `stops`: of them
 * all; `over`: the time until which calls are held has passed, and one of them may try without a probe.
 */
export type TroubleEvent =
  | { readonly kind: "fine"; readonly isFree?: boolean }
  | { readonly kind: "released" | "started" | "changed" | "hurry" }
  | Met
  | { readonly kind: "over"; readonly isUrgent: boolean }
  | { readonly kind: "probing"; readonly probe: string; readonly forMs: number }
  | ({ readonly kind: "probed"; readonly probe: string } & ProbeAnswer);

interface Met {
  readonly kind: "counts" | "stops";
  readonly code: string;
  readonly retryAfterMs?: number | undefined;
  /** Whether a probe goes before the next call, as something may have been done. */
  readonly isProbed?: boolean;
  /** The id of the call, if it was refused. */
  readonly refused?: string | undefined;
}

export interface ProbeAnswer {
  readonly isAnswered: boolean;
  readonly retryAfterMs?: number | undefined;
  /** The code of the failure, if it was not answered. */
  readonly code?: string;
}

export const NO_TROUBLE: Trouble = { phase: "closed", row: 0, pauses: 0, until: 0, from: 0, fineAt: 0 };

/** Whether calls wait because of what one of them has met. While trouble is being counted, they leave one at a time. */
export function isFailing({ phase, code }: Trouble): boolean {
  return code !== undefined && phase !== "counting";
}

const IN_A_ROW = 3;
const FIRST_PAUSE_MS = 1000;
/** As long as an urgent call waits for a probe, too. */
export const LONGEST_PAUSE_MS = 60_000;
/** A later Retry-After may be a mistake of years. */
const LONGEST_RETRY_AFTER_MS = 3_600_000;
/** The least time between two tries of calls that are not urgent, where probes fail although calls may work. Milliseconds. */
const SKIPPED_EACH_MS = 900_000;

/**
 * The state after an event, the same object if nothing changes.
 * @param now milliseconds on a clock that never jumps, as all instants of the state
 */
export function afterEvent(trouble: Trouble, event: TroubleEvent, now: number): Trouble {
  const { phase, until } = trouble;
  if (event.kind === "counts" || event.kind === "stops") return afterTrouble(trouble, event, now);
  if (event.kind === "started") {
    const { failed = 0, fineAt } = trouble;
    if (phase === "counting" || (phase === "held" && failed === trouble.failed)) return trouble;
    const held = phase === "held" ? trouble : ({ ...trouble, phase: "held", from: now, until: now } as const);
    return { ...held, failed, fineAt: fineAt || now };
  }
  const isFree = event.kind === "fine" && event.isFree && !isLimited(trouble, now);
  if (event.kind === "fine" && (phase !== "held" || isFree)) return phase === "closed" ? trouble : NO_TROUBLE;
  if (phase !== "held") return trouble;
  const { probe: _, ...unprobed } = trouble;
  switch (event.kind) {
    case "fine":
      return { ...trouble, refused: undefined, fineAt: now };
    case "released":
      return { ...unprobed, phase: "trying" };
    case "over": {
      const { isUrgent } = event;
      if (now < until || !mayTry(trouble, isUrgent, now)) return trouble;
      const skips = trouble.failed !== undefined && { isSkipped: true, ...(!isUrgent && { skippedAt: now }) };
      return { ...unprobed, phase: "trying", ...skips };
    }
    case "changed":
      return { ...unprobed, until: now };
    case "hurry": {
      const soon = urgentUntil(trouble, now);
      return soon === until ? trouble : { ...trouble, until: soon };
    }
    case "probing":
      return now < until ? trouble : { ...trouble, probe: event.probe, from: now, until: now + event.forMs };
    case "probed": {
      const { failed = 0, code = event.code } = trouble;
      if (event.probe !== trouble.probe) return trouble;
      if (event.isAnswered) return { ...unprobed, phase: "trying", failed: 0 };
      // What a read is told to wait is not said of calls.
      const retryAfterMs = event.retryAfterMs && Math.min(event.retryAfterMs, LONGEST_PAUSE_MS);
      const failing = { ...unprobed, failed: failed + 1, isSkipped: false };
      return held(failing, code, retryAfterMs, now);
    }
  }
}

/** The instant until which calls are held while an urgent one waits. */
export function urgentUntil({ until, from }: Trouble, now: number): number {
  return Math.min(until, Math.max(now, from + LONGEST_PAUSE_MS));
}

/** Whether a call tries when the time has passed, instead of a probe. */
export function mayTry({ failed, isSkipped, skippedAt }: Trouble, isUrgent: boolean, now: number): boolean {
  if (failed === undefined || failed < IN_A_ROW) return failed === undefined;
  return isUrgent ? !isSkipped : skippedAt === undefined || now >= skippedAt + SKIPPED_EACH_MS;
}

function afterTrouble(trouble: Trouble, event: Met, now: number): Trouble {
  const { phase, row, until } = trouble;
  const { code, kind, refused, isProbed } = event;
  // What one refused call is told may be meant for its number alone.
  const isOfAll = refused === undefined || (trouble.refused !== undefined && trouble.refused !== refused);
  const retryAfterMs = isOfAll ? event.retryAfterMs : undefined;
  if (phase === "held" && refused)
    return { ...trouble, refused, until: Math.max(until, retryAfterMs ? now + pauseOf(retryAfterMs) : 0) };
  if (phase === "held") return trouble;
  const failed = isProbed ? (trouble.failed ?? 0) : undefined;
  const met = { ...trouble, failed, refused, fineAt: trouble.fineAt || now };
  if (kind === "counts" && phase !== "trying" && row + 1 < IN_A_ROW)
    return { ...met, phase: "counting", code, row: row + 1 };
  return held(met, code, retryAfterMs, now);
}

/**
 * Returns whether calls come too often. Then one that gets through leaves less room for the next: an alarm would be refused again and
 * again.
 */
function isLimited({ code, since = 0 }: Trouble, now: number): boolean {
  return code === "ERR_RATE_LIMITED" && now < since + LONGEST_PAUSE_MS;
}

function held(trouble: Trouble, code: string | undefined, retryAfterMs: number | undefined, now: number): Trouble {
  const { pauses, since = now } = trouble;
  const pause = pauseOf(retryAfterMs ?? Math.min(FIRST_PAUSE_MS * 2 ** pauses, LONGEST_PAUSE_MS));
  const what = code === undefined ? {} : { code, since };
  return { ...trouble, ...what, phase: "held", row: 0, pauses: pauses + 1, from: now, until: now + pause };
}

/** A service that answers `Retry-After: 0` again and again is still given a pause. */
export function pauseOf(retryAfterMs: number): number {
  return Math.max(Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS), FIRST_PAUSE_MS);
}
