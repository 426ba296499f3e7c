import { createHash } from "node:crypto";
import type { Acceptance, Entry, Key, Outcome } from "./entry";

/** Most keys kept for a tenant. One more is refused, because forgetting an old key could ring a phone twice. */
export const MAX_KEYS = 200_000;
/** Expired keys are forgotten a few at a time: all at once would block the process. */
const LOOK_AT = 4;

/** A key's use. Times are milliseconds on the store's own clock, but for `at`. */
export interface Use {
  /** Of the key, with the number of the use if it may have several. */
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
  const hash = createHash("sha256").update(key.normalize("NFC")).digest("base64");
  // Not a slice, which would keep all of it.
  return Buffer.from(hash, "latin1").toString("latin1", 0, 22);
}

interface Taken {
  readonly uses: readonly Use[];
  /** The hashes that the entry before it has given back for good. */
  readonly given: readonly string[];
  /** The entry has not got them after all, and the one before it has its own again. */
  undo(): void;
}

type Refusal = Exclude<Acceptance, { kind: "accepted" | "failed" }>;

function hashes(uses: readonly Use[]): string[] {
  return uses.map(({ hash }) => hash);
}

/** The hashes of all uses that a key may have. */
function hashesOf({ hash, uses = 1 }: Key): string[] {
  return Array.from({ length: uses }, (_, n) => (n === 0 ? hash : `${hash}.${n}`));
}

/** The keys of requests that were sent, so that a webhook delivered twice rings one phone once. */
export class DeduplicationKeys {
  readonly #uses = new Map<string, Use>();
  #sweep = this.#uses.values();
  /** The uses that entries have got of keys with several, by their ids. */
  readonly #usesOf = new Map<string, readonly string[]>();
  /** The uses of entries whose outcome is unknown, until somebody decides, by their ids. */
  readonly #unknown = new Map<string, readonly Use[]>();

  /**
   * Takes keys for an entry, all or none: its own with its acceptance, further ones at its date. Returns the uses, or why there
   * are none.
   * @param earlier an entry that gives back its keys for this, if all can be taken
   */
  takeAll(entry: Entry, keys: readonly Key[] | undefined, now: number, earlier?: Entry): Taken | Refusal {
    const has = keys === entry.keys ? [] : this.hashesOf(entry);
    const unknown = earlier && this.#unknown.get(earlier.id);
    const given = unknown?.filter((use) => this.#isThere(use)) ?? (earlier ? this.#usesThereOf(earlier) : []);
    for (const { hash } of given) this.forget(hash);
    if (unknown) this.#unknown.delete(earlier.id);
    const uses: Use[] = [];
    const undo = () => {
      for (const { hash } of uses) this.forget(hash);
      for (const use of given) this.restore(use);
      if (earlier && unknown) this.#unknown.set(earlier.id, unknown);
      this.#usesOf.delete(entry.id);
      if (has.length > 0) this.#usesOf.set(entry.id, has);
    };
    for (const key of keys ?? []) {
      const use = this.take(key, now);
      if ("kind" in use) {
        undo();
        return use;
      }
      uses.push(use);
    }
    if (keys !== entry.keys || keys?.some((key) => key.uses !== undefined))
      this.#usesOf.set(entry.id, [...has, ...hashes(uses)]);
    const taken = new Set(hashes(uses));
    return { uses, given: hashes(given).filter((hash) => !taken.has(hash)), undo };
  }

  /** Returns how the keys of an entry are kept after its end, or the hashes that are given back. */
  settleAll(entry: Entry, outcome: Outcome, now: number): (Use | string)[] {
    const decided = this.decided(entry, outcome);
    decided?.apply();
    if (decided) return decided.uses;
    const hashes = this.hashesOf(entry);
    this.#usesOf.delete(entry.id);
    const uses = hashes.map((hash) => this.settle(hash, outcome, now) ?? hash);
    if (entry.unknown) this.restoreUnknown(entry.id, uses);
    return uses;
  }

  /** Prepares the decision about an entry whose outcome was unknown, for the uses that are still its own. */
  decided({ id }: Entry, outcome: Outcome): { readonly uses: (Use | string)[]; apply(): void } | undefined {
    const own = this.#unknown.get(id)?.filter((use) => this.#isThere(use));
    const uses = own?.map((use) => (outcome === "not-applied" ? use.hash : { ...use, outcome }));
    const apply = () => {
      this.#unknown.delete(id);
      for (const use of uses ?? [])
        if (typeof use === "string") this.forget(use);
        else this.restore(use);
    };
    return uses && { uses, apply };
  }

  /** The outcome of an entry that has these uses is unknown. */
  restoreUnknown(id: string, uses: readonly (Use | string)[]): void {
    this.#unknown.set(
      id,
      uses.filter((use) => typeof use !== "string"),
    );
  }

  /** Whether a use has not expired and been taken by another entry, nor been given back. */
  #isThere(use: Use): boolean {
    return this.#uses.get(use.hash) === use;
  }

  #usesThereOf(entry: Entry): Use[] {
    return this.hashesOf(entry).flatMap((hash) => this.#uses.get(hash) ?? []);
  }

  /** An entry has ended without a use. */
  forgetAll(entry: Entry): void {
    for (const hash of this.hashesOf(entry)) this.forget(hash);
    this.#usesOf.delete(entry.id);
  }

  /** The uses that an entry has. */
  hashesOf({ id, keys = [] }: Entry): readonly string[] {
    return this.#usesOf.get(id) ?? keys.map(({ hash }) => hash);
  }

  /**
   * Takes a key.
   * @param now milliseconds on a clock that never jumps
   * @param at epoch milliseconds, for people
   * @returns the new use, or why there is none
   */
  take(key: Key, now: number, at = Date.now()): Use | Refusal {
    for (let looked = 0; looked < LOOK_AT; looked += 1) this.#forgetIfExpired(now);
    const hash = this.#free(key, now);
    if (hash === undefined) return this.#refusal(key, now);
    if (!this.#uses.has(hash) && this.#uses.size >= MAX_KEYS) return { kind: "keysFull" };
    const taken: Use = { hash, at, forMs: key.forMs, until: undefined, outcome: "pending" };
    this.#uses.set(hash, taken);
    return taken;
  }

  /** Returns the reason why a key cannot be taken now, if there is one. */
  refusal(key: Key, now: number): Refusal | undefined {
    return this.#free(key, now) === undefined ? this.#refusal(key, now) : undefined;
  }

  #refusal(key: Key, now: number): Refusal {
    const taken = hashesOf(key).flatMap((hash) => this.#uses.get(hash) ?? []);
    if (key.uses === undefined) {
      const [{ at, outcome } = { at: 0, outcome: "pending" as const }] = taken;
      return { kind: "duplicate", first: { at: new Date(at).toISOString(), outcome } };
    }
    // A use that is pending holds the key for all its time once it ends.
    const retryAfterMs = Math.min(...taken.map(({ until, forMs }) => (until === undefined ? forMs : until - now)));
    return { kind: "usedUp", retryAfterMs: Math.ceil(retryAfterMs) };
  }

  /** The hash of a use that is not taken. */
  #free(key: Key, now: number): string | undefined {
    return hashesOf(key).find((hash) => {
      const use = this.#uses.get(hash);
      return !use || (use.until !== undefined && use.until <= now);
    });
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

  /** Keeps a key as one that was used now, or gives it back if it is kept for 0 ms. Returns the use as it is kept. */
  keep({ hash, forMs }: Key, now: number): Use | undefined {
    const use: Use = { hash, at: Date.now(), forMs, until: undefined, outcome: "pending" };
    this.#uses.set(hash, use);
    return this.settle(hash, forMs > 0 ? "applied" : "not-applied", now);
  }

  restore(use: Use): void {
    this.#uses.set(use.hash, use);
  }

  /** Returns how many further keys can be taken. */
  free(now: number): number {
    for (const { hash, until } of this.#uses.values()) if (until !== undefined && until <= now) this.#uses.delete(hash);
    return MAX_KEYS - this.#uses.size;
  }

  forget(hash: string): void {
    this.#uses.delete(hash);
  }

  #forgetIfExpired(now: number): void {
    const { value, done } = this.#sweep.next();
    if (done) this.#sweep = this.#uses.values();
    else if (value.until !== undefined && value.until <= now) this.#uses.delete(value.hash);
  }
}
