import { Turns } from "../json/turns";
import type { Entry, Outcome, Unknown } from "./entry";
import { type Decision, type RestoredState, type SharedStore, type Store, sharedOf } from "./store";

/** The time for which an entry is kept whose outcome is unknown. Milliseconds. */
export const UNKNOWN_MS = 30 * 86_400_000;
/** Such entries are kept, and bytes of them, at most. */
export const MAX_UNKNOWN = 1000;
export const MAX_UNKNOWN_BYTES = 16 * 1024 * 1024;
export const MAX_DECIDED = 10_000;

/** An entry has ended, and it is unknown whether it was performed: a person decides. Not of an alarm, whose incident goes on. */
export function asUnknown(entry: Entry, unknown: Unknown): Entry {
  return entry.alarm ? entry : { ...entry, unknown };
}

/**
 * The entries that have ended with an unknown outcome, until somebody decides what became of them. A store that processes share
 * keeps them for all of these; else they are here, and in the store only for the next process.
 */
export class Decisions {
  /** `onUnknownFull`: the oldest one was forgotten, because there are too many. `onChange`: their number has changed. */
  handlers: { onUnknownFull?(): void; onChange(): void } | undefined;
  readonly #open = new Map<string, Entry>();
  readonly #decided = new Set<string>();
  /** Lets those about the same id be made one after the other. */
  readonly turns = new Turns();
  readonly #group: SharedStore["unknown"] | undefined;

  /** @param now epoch milliseconds on the store's clock */
  constructor(
    private readonly store: Store,
    private readonly now: () => number,
  ) {
    this.#group = sharedOf(store)?.unknown;
  }

  /** The number of them in the whole group, as far as this process knows. */
  get count(): number {
    return this.#group?.size ?? this.#open.size;
  }

  restore({ unknown = [], settled, decided = [] }: RestoredState): void {
    for (const id of decided) this.#decided.add(id);
    this.keep([...unknown, ...settled.map((one) => one.entry)]);
  }

  /** Keeps those of these entries whose outcome is unknown, once their store has them. */
  keep(ended: readonly Entry[]): void {
    const entries = ended.filter(({ unknown }) => unknown);
    if (entries.length === 0 || this.#group) return;
    for (const entry of entries) this.#open.set(entry.id, entry);
    this.#forgetOld();
    let bytes = 0;
    for (const [n, one] of this.#inOrder().reverse().entries()) {
      bytes += one.size;
      if (n < MAX_UNKNOWN && bytes <= MAX_UNKNOWN_BYTES) continue;
      this.#forget(one);
      this.handlers?.onUnknownFull?.();
    }
    this.handlers?.onChange();
  }

  /** Lists the entries of the whole group, the oldest first. Rejects if the store fails. */
  async list(): Promise<readonly Entry[]> {
    this.#forgetOld();
    return this.#group ? this.#group.list() : this.#inOrder();
  }

  /** Rejects if the store fails. */
  async find(id: string): Promise<Entry | undefined> {
    return this.findHere(id) ?? (await this.list()).find((entry) => entry.id === id);
  }

  /** The entry of an id in this process alone. */
  findHere(id: string | undefined): Entry | undefined {
    this.#forgetOld();
    return this.#open.get(id ?? "");
  }

  /** Keeps the keys of an entry as used, or gives them back. Rejects if the store cannot write that down: nothing is decided. */
  async decide(id: string, as: "rang" | "did-not-ring"): Promise<Decision> {
    if (this.#group) return this.#group.decide(id, as).finally(() => this.handlers?.onChange());
    const entry = this.findHere(id);
    if (!entry) return this.missing(id);
    const error = await this.store.settle(
      { ...entry, unknown: undefined },
      as === "rang" ? "applied" : "not-applied",
      true,
    );
    if (error) throw error;
    this.replaced(id);
    return { settled: 1, tooLate: 0 };
  }

  /** Answers for an id about which there is nothing to decide, or not any more. */
  async missing(id: string): Promise<Decision> {
    if (this.#group) return this.#group.decide(id, undefined);
    return { settled: 0, tooLate: this.#decided.has(id) ? 1 : 0 };
  }

  /** An entry was decided: another one has taken its place, or its keys are kept or given back. */
  replaced(id: string): void {
    const wasHere = this.#open.delete(id);
    this.handlers?.onChange();
    if (!wasHere) return;
    this.#decided.add(id);
    for (const oldest of this.#decided) if (this.#decided.size > MAX_DECIDED) this.#decided.delete(oldest);
  }

  #inOrder(): Entry[] {
    return [...this.#open.values()].sort((a, b) => atOf(a) - atOf(b) || (a.id < b.id ? -1 : 1));
  }

  #forgetOld(): void {
    const oldest = this.now() - UNKNOWN_MS;
    for (const entry of this.#open.values()) if (atOf(entry) < oldest) this.#forget(entry);
  }

  /** Forgets an entry, whose outcome stays unknown for good. */
  #forget(entry: Entry): void {
    this.#open.delete(entry.id);
    this.handlers?.onChange();
    void this.store.settle({ ...entry, unknown: undefined }, "unknown" satisfies Outcome);
  }
}

function atOf({ unknown }: Entry): number {
  return unknown?.at ?? 0;
}
