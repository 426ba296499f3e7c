import { NO_CONNECTION, type Sent, type TenantError } from "./errors";

/**
 * The permission of an action to repeat once a byte of its request may have left:
 * `never`: a phone could ring twice; `once`: stopping a call again is harmless; `freely`: reads, and deletes by id.
 */
export type Repeat = "never" | "once" | "freely";

/** The facts about a request that the policy uses. */
interface Rules {
  readonly repeat: Repeat;
  /** Whether it is a read: these wait for a 429's Retry-After. */
  readonly reads: boolean;
  /** Whether the request was refused with 400 or 422, naming fields that can be written in another style. */
  readonly restylable?: boolean;
}

/** The attempts of one request so far; `untried` before the first. */
export interface History {
  readonly attempts: number;
  readonly unsent: number;
  readonly lost: number;
  readonly waits: number;
  /** Whether the request was sent in another style once. */
  readonly restyled: boolean;
  readonly sent: Sent;
  /** Whether it is unknown of one of the attempts if it was applied. */
  readonly unknown: boolean;
}

export const untried: History = {
  attempts: 0,
  unsent: 0,
  lost: 0,
  waits: 0,
  restyled: false,
  sent: "no",
  unknown: false,
};

interface Decision {
  readonly history: History;
  /** Milliseconds to wait before another attempt; `undefined` if this failure is final. */
  readonly againAfterMs?: number;
}

const MAX_REPEATS = 2;
const PAUSES_MS = [
  [100, 300],
  [300, 900],
] as const;
const SENT_ORDER = ["no", "maybe", "yes"] as const;

/**
 * The retry policy, a pure function: whether a request is sent again after a failed attempt. Any action is repeated if
 * nothing was sent; once a byte may have left, only as `repeat` allows. A 429 is repeated for reads alone, after its
 * Retry-After.
 *
 * A refused request is sent once more in another style, whatever its action: a 400 or 422 proves that the tenant did not
 * carry it out, so no phone rings twice. An earlier attempt with an unknown outcome takes that proof away.
 *
 * The caller checks that the next attempt fits into the deadline.
 * @param chance a number from 0 to 1 that selects the pause within its range
 */
export function afterFailure(
  history: History,
  failure: TenantError,
  { repeat, reads, restylable = false }: Rules,
  chance: number,
): Decision {
  const kind = kindOf(failure);
  const unknown = history.unknown || failure.outcome === "unknown";
  const restyles = restylable && failure.outcome === "rejected" && !history.restyled && !unknown;
  const next: History = {
    attempts: history.attempts + 1,
    unsent: history.unsent + (kind === "unsent" ? 1 : 0),
    lost: history.lost + (kind === "lost" ? 1 : 0),
    waits: history.waits + (kind === "limited" ? 1 : 0),
    restyled: history.restyled || restyles,
    sent: strongerEvidence(history.sent, failure.sent),
    unknown,
  };
  if (restyles) return { history: next, againAfterMs: 0 };
  if (kind === "limited") {
    const wait = failure.details.retryAfterMs;
    const mayWait = reads && wait !== undefined && next.waits <= MAX_REPEATS;
    return mayWait ? { history: next, againAfterMs: wait } : { history: next };
  }
  const repeats = next.unsent + next.lost;
  const mostLost = { never: 0, once: 1, freely: MAX_REPEATS }[repeat];
  const allowed = kind !== "final" && repeats <= MAX_REPEATS && next.lost <= mostLost;
  return allowed ? { history: next, againAfterMs: pause(repeats, chance) } : { history: next };
}

function kindOf({ code, phase, retryable }: TenantError): "unsent" | "lost" | "limited" | "final" {
  if (NO_CONNECTION.has(code)) return retryable ? "unsent" : "final";
  switch (code) {
    case "ERR_CONNECTION_LOST":
    case "ERR_SERVER":
      return "lost";
    case "ERR_BAD_RESPONSE":
      // A complete answer that is not an envelope would be the same the next time.
      return phase === "parse" ? "final" : "lost";
    case "ERR_RATE_LIMITED":
      return "limited";
    default:
      return "final";
  }
}

function pause(repeats: number, chance: number): number {
  const [from, to] = PAUSES_MS[Math.min(repeats, PAUSES_MS.length) - 1] ?? PAUSES_MS[0];
  return from + (to - from) * chance;
}

function strongerEvidence(a: Sent, b: Sent): Sent {
  return SENT_ORDER.indexOf(a) > SENT_ORDER.indexOf(b) ? a : b;
}
