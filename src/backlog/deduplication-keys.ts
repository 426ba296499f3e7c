import { createHash } from "node:crypto";
import type { FirstUse, Key, Outcome } from "./backlog";

/** Most keys kept for a tenant. One more is refused, because forgetting an old key could ring a phone twice. */
export const MAX_KEYS = 200_000;
/** Expired keys are forgotten a few at a time: all at once would block the process. */
const LOOK_AT = 4;

/** A key's use. Times are milliseconds on the store's own clock, but for `at`. */
export interface Use {
  readonly hash: string;
  /** Epoch milliseconds of the first use, for people. */
  readonly at: number;
  readonly forMs: number;
  /** Until when the key is taken; without limit while the outcome is pending. */
  readonly until: number | undefined;
  readonly outcome: Outcome | "pending";
}

/**
 * A key as it is kept: 132 bits of its SHA-256, because keys may be long and personal. It is normalised first: the same
 * letters may arrive in two forms.
 */
export function hashOf(key: string): string {
  return createHash("sha256").update(key.normalize("NFC")).digest("base64").slice(0, 22);
}

/** The keys of requests that were sent, so that a webhook delivered twice rings one phone once. */
export class DeduplicationKeys {
  readonly #uses = new Map<string, Use>();
  #sweep = this.#uses.values();

  /**
   * Takes a key.
   * @param now milliseconds on a clock that never jumps
   * @param at epoch milliseconds, for people
   * @returns `full`, the use that holds the key, or the new use
   */
  take({ hash, forMs }: Key, now: number, at: number): "full" | FirstUse | Use {
    for (let looked = 0; looked < LOOK_AT; looked += 1) this.#forgetIfExpired(now);
    const use = this.#uses.get(hash);
    if (use && (use.until === undefined || use.until > now))
      return { at: new Date(use.at).toISOString(), outcome: use.outcome };
    if (!use && this.#uses.size >= MAX_KEYS) return "full";
    const taken: Use = { hash, at, forMs, until: undefined, outcome: "pending" };
    this.#uses.set(hash, taken);
    return taken;
  }

  /**
   * Gives a key back if its request was provably not applied, and keeps it otherwise. Its time runs from here: the request
   * may have waited for hours.
   * @returns the use as it is kept, if it is
   */
  settle(hash: string, outcome: Outcome, now: number): Use | undefined {
    const use = this.#uses.get(hash);
    if (!use) return undefined;
    if (outcome === "not-applied" || outcome === "rejected") {
      this.#uses.delete(hash);
      return undefined;
    }
    const kept: Use = { ...use, outcome, until: now + use.forMs };
    this.#uses.set(hash, kept);
    return kept;
  }

  /** Takes over a use from a store. */
  restore(use: Use): void {
    this.#uses.set(use.hash, use);
  }

  forget(hash: string): void {
    this.#uses.delete(hash);
  }

  list(): Iterable<Use> {
    return this.#uses.values();
  }

  #forgetIfExpired(now: number): void {
    const { value, done } = this.#sweep.next();
    if (done) this.#sweep = this.#uses.values();
    else if (value.until !== undefined && value.until <= now) this.#uses.delete(value.hash);
  }
}
