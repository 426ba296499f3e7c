import type { Group } from "./group";

/** Entries that one function looks at. */
const AT_ONCE = 500;
/** How long the end of a report need not be written down. Milliseconds. */
export const FORGET_MS = 100;

/** Writes down what became of entries, those of one moment together, until Redis has it. */
export class Settlements {
  readonly #group: Group;
  readonly #waiting: (readonly [id: string, what: string])[] = [];
  #writing = Promise.resolve();
  /** Resolves when what waits is written. */
  #next: Promise<void> | undefined;
  #forgetting: NodeJS.Timeout | undefined;

  constructor(group: Group) {
    this.#group = group;
  }

  /** Resolves when it is written, or the group is closed. */
  write(...settlements: (readonly [id: string, what: string])[]): Promise<void> {
    for (const settlement of settlements) this.#waiting.push(settlement);
    return this.#flush();
  }

  /** The end of an entry was reported. */
  forget(id: string): void {
    this.#waiting.push([id, "forgotten"]);
    this.#forgetting ??= setTimeout(() => {
      this.#forgetting = undefined;
      void this.#flush();
    }, FORGET_MS);
  }

  /** Resolves when all is written. */
  async end(): Promise<void> {
    clearTimeout(this.#forgetting);
    do await this.#flush();
    while (this.#waiting.length > 0);
  }

  /** Nobody waits for what came later than his own. */
  #flush(): Promise<void> {
    this.#next ??= this.#writing.then(() => this.#write());
    this.#writing = this.#next;
    return this.#next;
  }

  async #write(): Promise<void> {
    this.#next = undefined;
    const settlements = this.#waiting.splice(0);
    for (let from = 0; from < settlements.length; from += AT_ONCE)
      await this.#group.insist("settle", ...settlements.slice(from, from + AT_ONCE).flat());
  }
}
