import type { Handlers, Records } from "../backlog";
import type { Store } from "./store";

/** The records of one process. */
export class LocalRecords implements Records {
  readonly #store: Store;
  readonly #names: Set<string>;
  /** Who is told what somebody notes. */
  handlers: Handlers | undefined;

  constructor(store: Store, names: Iterable<string>) {
    this.#store = store;
    this.#names = new Set(names);
  }

  async create(name: string, value: unknown): Promise<boolean> {
    if (this.#names.has(name)) return false;
    this.#names.add(name);
    try {
      await this.#put(name, value);
    } catch (error) {
      this.#names.delete(name);
      throw error;
    }
    return true;
  }

  async update(name: string, value: unknown): Promise<boolean> {
    if (!this.#names.has(name)) return false;
    await this.#put(name, value);
    return true;
  }

  remove(name: string): Promise<void> {
    if (!this.#names.delete(name)) return Promise.resolve();
    return new Promise((removed) => this.#store.record(name, undefined, () => removed()));
  }

  async note(name: string, note: unknown): Promise<boolean> {
    if (!this.#names.has(name)) return false;
    this.handlers?.noted?.(name, note);
    return true;
  }

  #put(name: string, value: unknown): Promise<void> {
    return new Promise((resolve, reject) =>
      this.#store.record(name, value, (error) => (error ? reject(error) : resolve())),
    );
  }
}
