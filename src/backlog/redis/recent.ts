import { performance } from "node:perf_hooks";
import type { Key, Outcome } from "../entry";

/** How far a Redis may forget, milliseconds. One that is restored from a copy may be older: that concerns keys and instances. */
const RECENT_MS = 60_000;
const MAX_USES = 10_000;

export interface Use {
  readonly hash: string;
  readonly forMs: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The keys of an entry, with the uses that they have got. */
export interface Taken {
  readonly keys: readonly Key[];
  /** Epoch milliseconds. */
  readonly at: number;
}

interface Settled extends Use {
  readonly outcome: Outcome;
  /** Milliseconds of `performance.now()`. */
  readonly settledAt: number;
}

/** What has ended, so that it can be written again into a Redis that has forgotten it. */
export class Recent {
  #items: { readonly at: number; readonly kind: keyof Kinds; readonly item: Kinds[keyof Kinds] }[] = [];
  /** The last use of each key. */
  readonly #uses = new Map<string, Settled>();

  add<Kind extends keyof Kinds>(kind: Kind, item: Kinds[Kind]): void {
    this.#items.push({ at: performance.now(), kind, item });
  }

  settled(use: Use, outcome: Outcome): void {
    this.#uses.delete(use.hash);
    this.#uses.set(use.hash, { ...use, outcome, settledAt: performance.now() });
    const [oldest = ""] = this.#uses.keys();
    if (this.#uses.size > MAX_USES) this.#uses.delete(oldest);
  }

  list<Kind extends keyof Kinds>(kind: Kind): Kinds[Kind][] {
    return this.#items.flatMap((each) => (each.kind === kind ? [each.item as Kinds[Kind]] : []));
  }

  forgetOld(): void {
    const oldest = performance.now() - RECENT_MS;
    this.#items = this.#items.filter(({ at, kind }) => at >= oldest || kind === "gone");
  }

  /** The keys as they are kept now: hash, time of the use, outcome, milliseconds left. */
  keys(): (readonly [string, number, Outcome, number])[] {
    const kept = [...this.#uses.values()].filter(isKept);
    const now = performance.now();
    return kept.map(({ hash, at, outcome, settledAt, forMs }) => [hash, at, outcome, settledAt + forMs - now]);
  }

  /** The keys that were given back. */
  freed(): (readonly [string, number])[] {
    return [...this.#uses.values()].filter((use) => !isKept(use)).map(({ hash, at }) => [hash, at]);
  }
}

function isKept({ outcome }: Settled): boolean {
  return outcome === "applied" || outcome === "unknown";
}

interface Kinds {
  /** Restored entries that have ended here. */
  ended: string;
  /** Entries of others that were ended here, and why. */
  cut: readonly [id: string, cut: string];
  /** Instances of which this one has restored what they left. */
  gone: string;
}
