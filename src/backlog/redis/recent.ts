import { performance } from "node:perf_hooks";
import type { Key, Outcome } from "../entry";

/** How far a Redis may forget, milliseconds. */
const RECENT_MS = 60_000;

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
}

/** What ended in the last minute, so that it can be written again into a Redis that has forgotten it. */
export class Recent {
  readonly #items: { readonly at: number; readonly kind: keyof Kinds; readonly item: Kinds[keyof Kinds] }[] = [];

  add<Kind extends keyof Kinds>(kind: Kind, item: Kinds[Kind]): void {
    this.#items.push({ at: performance.now(), kind, item });
  }

  list<Kind extends keyof Kinds>(kind: Kind): Kinds[Kind][] {
    return this.#items.flatMap((each) => (each.kind === kind ? [each.item as Kinds[Kind]] : []));
  }

  forgetOld(): void {
    const oldest = performance.now() - RECENT_MS;
    const keep = this.#items.findIndex(({ at }) => at >= oldest);
    this.#items.splice(0, keep < 0 ? this.#items.length : keep);
  }

  /** The keys as they are kept now: hash, time of the use, outcome, milliseconds left. */
  keys(): (readonly [string, number, Outcome, number])[] {
    const now = performance.now();
    return this.#items.flatMap(({ at, kind, item }) => {
      if (kind !== "use") return [];
      const { hash, at: used, outcome, forMs } = item as Settled;
      return outcome === "applied" || outcome === "unknown" ? [[hash, used, outcome, at + forMs - now] as const] : [];
    });
  }

  /** The keys that were given back. */
  freed(): (readonly [string, number])[] {
    return this.list("use").flatMap(({ hash, at, outcome }) =>
      outcome === "applied" || outcome === "unknown" ? [] : [[hash, at] as const],
    );
  }
}

interface Kinds {
  use: Settled;
  /** Restored entries that have ended here. */
  ended: string;
  /** Entries of others that were ended here, and why. */
  cut: readonly [id: string, cut: string];
  /** Instances of which this one has restored what they left. */
  gone: string;
}
