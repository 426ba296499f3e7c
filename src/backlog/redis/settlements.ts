import type { Group } from "./group";

/** Settlements in one batch: more would block the process. */
const AT_ONCE = 200;
/** A reported end is written within this time. Milliseconds. */
export const FORGET_MS = 100;

type Settlement = readonly [id: string, what: string];

/** Writes the outcomes of entries to Redis, in batches, and repeats that until Redis has them. */
export class Settlements {
  readonly #group: Group;
  /** What is written with the next function, unless that is full. */
  #next: Settlement[] | undefined;
  /** Resolves when all so far is written. */
  #written = Promise.resolve();
  readonly #forgotten: Settlement[] = [];
  #forgetting: NodeJS.Timeout | undefined;

  constructor(group: Group) {
    this.#group = group;
  }

  /** Resolves when it is written, or the group is closed. */
  write(...settlements: readonly Settlement[]): Promise<void> {
    for (const settlement of settlements) {
      if (this.#next === undefined || this.#next.length === AT_ONCE) this.#next = this.#begin();
      this.#next.push(settlement);
    }
    return this.#written;
  }

  /** The end of an entry was reported. */
  forget(id: string): void {
    this.#forgotten.push([id, "forgotten"]);
    this.#forgetting ??= setTimeout(() => this.#forget(), FORGET_MS);
  }

  /** Resolves when all is written, also what comes meanwhile. */
  async end(): Promise<void> {
    this.#forget();
    for (let written: Promise<void> | undefined; written !== this.#written; ) {
      written = this.#written;
      await written;
    }
  }

  #forget(): void {
    clearTimeout(this.#forgetting);
    this.#forgetting = undefined;
    void this.write(...this.#forgotten.splice(0));
  }

  /** A settlement is written after those before it, and never waits for a later one. */
  #begin(): Settlement[] {
    const settlements: Settlement[] = [];
    this.#written = this.#written.then(async () => {
      if (this.#next === settlements) this.#next = undefined;
      const states = ((await this.#group.insist("settle", ...settlements.flat())) ?? []) as string[];
      if (states.includes("lost")) this.#group.writeAgain();
    });
    return settlements;
  }
}
