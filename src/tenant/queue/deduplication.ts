import type { Outcome } from "../errors";

/** The first use of a key, as ERR_DUPLICATE reports it. */
export interface FirstUse {
  readonly at: string;
  readonly outcome: Outcome | "pending";
}

/** Most keys kept for a tenant. One more is refused, because forgetting an old key could ring a phone twice. */
const MAX_KEYS = 200_000;

interface Use {
  readonly at: number;
  readonly forMs: number;
  /** Epoch milliseconds until which the key is taken; without limit while the outcome is pending. */
  until: number;
  outcome: Outcome | "pending";
}

/** The keys of requests that were sent, so that a webhook delivered twice rings one phone once. In memory only. */
export class DeduplicationKeys {
  readonly #uses = new Map<string, Use>();

  /**
   * Takes a key.
   * @param now epoch milliseconds
   * @returns `taken`, `full`, or the use that holds the key
   */
  take(key: string, forMs: number, now: number): "taken" | "full" | FirstUse {
    const use = this.#uses.get(key);
    if (use && use.until > now) return { at: new Date(use.at).toISOString(), outcome: use.outcome };
    if (!use && this.#uses.size >= MAX_KEYS && !this.#forgetExpired(now)) return "full";
    this.#uses.delete(key);
    this.#uses.set(key, { at: now, forMs, until: Number.POSITIVE_INFINITY, outcome: "pending" });
    return "taken";
  }

  /**
   * Gives a key back if its request was provably not applied, and keeps it otherwise. Its time runs from here: the job
   * may have waited for hours.
   */
  settle(key: string, outcome: Outcome, now = Date.now()): void {
    const use = this.#uses.get(key);
    if (!use) return;
    if (outcome === "not-applied" || outcome === "rejected") {
      this.#uses.delete(key);
      return;
    }
    use.outcome = outcome;
    use.until = now + use.forMs;
  }

  #forgetExpired(now: number): boolean {
    for (const [key, use] of this.#uses) if (use.until <= now) this.#uses.delete(key);
    return this.#uses.size < MAX_KEYS;
  }
}
