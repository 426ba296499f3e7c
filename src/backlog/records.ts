import type { Entry } from "./entry";
import { type Store, sharedOf } from "./store";

/** The note that a further message has come for a record. */
export const AGAIN = "again";

/** Handles what an earlier process left. */
export interface RestoredHandlers {
  /** Whether the node of an entry is known to be deleted: the entry is dropped. */
  isDeleted(of: Pick<Entry, "nodeId" | "nodeType">): boolean;
  /** Reports that this process has taken over a record of an earlier one. */
  onRecordRestored?(name: string, value: unknown): void;
  onRecordNote?(name: string, note: unknown): void;
}

/**
 * Work that goes on over many entries, as JSON under a name. With a durable store it outlives the process; with a shared one,
 * it goes to another process when its own is gone.
 */
export class Records {
  /** The names of the records that this process has, and whether each was restored. */
  readonly #names = new Map<string, boolean>();
  /** The names of records that were restored after a longer stop: the next entry of each is held back. */
  readonly late = new Set<string>();
  handlers: Pick<RestoredHandlers, "onRecordNote"> | undefined;

  constructor(private readonly store: Store) {}

  /** Takes over records, which are this process's now. */
  restore(names: Iterable<string>): void {
    for (const name of names) this.#names.set(name, true);
  }

  get restored(): readonly string[] {
    return [...this.#names].flatMap(([name, isRestored]) => (isRestored ? name : []));
  }

  /** Forgets all records, because another process has them. */
  forget(): void {
    this.#names.clear();
    this.late.clear();
  }

  /** Whether what goes on with a record is held back. */
  isHeldBack(name: string): boolean {
    return this.late.has(name);
  }

  /** Treats what goes on with a record as new from now on: it is not held back. Returns whether it was left from before the start. */
  adopt(name: string): boolean {
    if (!this.#names.get(name)) return false;
    this.#names.set(name, false);
    if (this.late.delete(name)) this.store.hold({ released: { ids: [], records: [name] } });
    return true;
  }

  /** Resolves to whether there was no record of that name, in any process. Rejects if the store fails. */
  async create(name: string, value: unknown): Promise<boolean> {
    if (this.#names.has(name)) return false;
    this.#names.set(name, false);
    let isNew = false;
    try {
      isNew = await this.store.record(name, value, "new");
    } finally {
      if (!isNew) this.#names.delete(name);
    }
    return isNew;
  }

  /** Resolves to whether this process still has the record. Rejects if the store fails: then it may hold either value. */
  async update(name: string, value: unknown): Promise<boolean> {
    if (!this.#names.has(name)) return false;
    const isMine = await this.store.record(name, value, "mine");
    if (!isMine) this.#names.delete(name);
    return isMine;
  }

  /** Removes a record. Never rejects: if the store fails, it is tried again. */
  async remove(name: string): Promise<void> {
    this.late.delete(name);
    if (this.#names.delete(name)) await this.store.record(name, undefined, "mine");
  }

  /**
   * Notifies the process that has the record, in order and at least once: another process that takes over may hear again what
   * its predecessor has heard. Resolves to whether there is one. Rejects if the store fails.
   */
  async note(name: string, note: unknown): Promise<boolean> {
    if (!this.#names.has(name)) return sharedOf(this.store)?.note(name, note) ?? false;
    this.handlers?.onRecordNote?.(name, note);
    return true;
  }

  /** Notes that a further message has come. Resolves to whether what goes on with the record was held back until then. */
  async again(name: string): Promise<boolean> {
    const wasHeldBack = this.late.has(name);
    return (await this.note(name, AGAIN)) && (wasHeldBack || !this.#names.has(name));
  }
}
