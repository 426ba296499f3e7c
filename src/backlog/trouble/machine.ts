/**
 * How call-outs fare with the service: a circuit breaker for a whole group, as a pure function. While it is not `closed`, a call that
 * waits for the end of trouble begins only as its second column allows.
 *
 * | phase | begins | `fine` | `counts` | `stops` | `probed` | `released` | `started` |
 * |---|---|---|---|---|---|---|---|
 * | `closed` | all | | `counting`, 1 | `held` | | | `trying` |
 * | `counting` | one at a time | `closed` | one more; the third: `held` | `held` | | | |
 * | `held` | nothing | | | | answered: `trying`; else `held`, twice as long | `trying` | |
 * | `trying` | one at a time | `closed` | `held`, twice as long | as before | | | |
 *
 * `held` besides: `probing` gives one instance the time to probe, `changed` lets that happen at once, `hurry` a minute after its
 * beginning, and a `fine` call that trouble does not hold leads to `closed`, after a 429 from a minute on.
 */
export interface Trouble {
  readonly phase: "closed" | "counting" | "held" | "trying";
  /** Counted in a row. */
  readonly row: number;
  /** Holds and failed probes since the last answer that was no trouble: each doubles the next pause. */
  readonly pauses: number;
  /** While `held`: when the service is probed, or when another instance may do it if the one that does is gone. */
  readonly until: number;
  /** While `held`: when that began, or the probe that is under way. */
  readonly from: number;
  /** The probe that is under way. */
  readonly probe?: string;
  /** The first trouble since the service worked, and the code of the last one; absent after a start. */
  readonly since?: number;
  readonly code?: string;
  /** The last answer that was no trouble, as far as it is known. */
  readonly fineAt: number;
}

/** What happened. `isFree`: to a call that trouble does not hold; `counts`: trouble that may be that of one call; `stops`: of them all. */
export type TroubleEvent =
  | { readonly kind: "fine"; readonly isFree?: boolean }
  | { readonly kind: "released" | "started" | "changed" | "hurry" }
  | { readonly kind: "counts" | "stops"; readonly code: string; readonly retryAfterMs?: number | undefined }
  | { readonly kind: "probing"; readonly probe: string; readonly forMs: number }
  | ({ readonly kind: "probed"; readonly probe: string } & ProbeAnswer);

export interface ProbeAnswer {
  readonly isAnswered: boolean;
  readonly retryAfterMs?: number | undefined;
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

/**
 * The state after an event, the same object if nothing changes.
 * @param now milliseconds on a clock that never jumps, as all instants of the state
 */
export function afterEvent(trouble: Trouble, event: TroubleEvent, now: number): Trouble {
  const { phase, row, until, from } = trouble;
  if (event.kind === "counts" || event.kind === "stops") {
    if (phase === "held") return trouble;
    const { code, kind, retryAfterMs } = event;
    const met = { ...trouble, since: trouble.since ?? now, code, fineAt: trouble.fineAt || now };
    const isCounted = kind === "counts" && phase !== "trying" && row + 1 < IN_A_ROW;
    return isCounted ? { ...met, phase: "counting", row: row + 1 } : held(met, retryAfterMs, now);
  }
  if (event.kind === "started") return phase === "closed" ? { ...trouble, phase: "trying", fineAt: now } : trouble;
  const isFree = event.kind === "fine" && event.isFree && !isLimited(trouble, now);
  if (event.kind === "fine" && (phase !== "held" || isFree)) return phase === "closed" ? trouble : NO_TROUBLE;
  if (phase !== "held") return trouble;
  const { probe: _, ...unprobed } = trouble;
  switch (event.kind) {
    case "fine":
      return { ...trouble, fineAt: now };
    case "released":
      return { ...unprobed, phase: "trying" };
    case "changed":
      return { ...unprobed, until: now };
    case "hurry":
      return { ...trouble, until: Math.min(until, Math.max(now, from + LONGEST_PAUSE_MS)) };
    case "probing":
      return now < until ? trouble : { ...trouble, probe: event.probe, from: now, until: now + event.forMs };
    case "probed":
      if (event.probe !== trouble.probe) return trouble;
      return event.isAnswered ? { ...unprobed, phase: "trying" } : held(unprobed, event.retryAfterMs, now);
  }
}

/** Where calls come too often, one that gets through leaves less room for the next: an alarm would be refused again and again. */
function isLimited({ code, since = 0 }: Trouble, now: number): boolean {
  return code === "ERR_RATE_LIMITED" && now < since + LONGEST_PAUSE_MS;
}

function held(trouble: Trouble, retryAfterMs: number | undefined, now: number): Trouble {
  const growing = Math.min(FIRST_PAUSE_MS * 2 ** trouble.pauses, LONGEST_PAUSE_MS);
  // A service that answers `Retry-After: 0` again and again is still given a pause.
  const pause = Math.max(Math.min(retryAfterMs ?? growing, LONGEST_RETRY_AFTER_MS), FIRST_PAUSE_MS);
  return { ...trouble, phase: "held", row: 0, pauses: trouble.pauses + 1, from: now, until: now + pause };
}
