import type { Group } from "./group";

/** Entries that one function looks at. */
const AT_ONCE = 500;
/** How long the end of a report need not be written down. Milliseconds. */
export const FORGET_MS = 100;

/** Writes down what became of entries, those of one moment together, until Redis has it. */
export class Settlements {
  readonly #group: Group;
  #waiting: (readonly [id: string, what: string])[] = [];
  #writing: Promise<unknown> | undefined;
  #forgetting: NodeJS.Timeout | undefined;

  constructor(group: Group) {
    this.#group = group;
  }

  /** Resolves when it is written, or the group is closed. */
  write(...settlements: (readonly [id: string, what: string])[]): Promise<unknown> {
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
    void this.#flush();
    while (this.#writing) await this.#writing;
  }

  #flush(): Promise<unknown> {
    const written = (this.#writing ?? Promise.resolve()).then(async () => {
      while (this.#waiting.length > 0) await this.#group.insist("settle", ...this.#waiting.splice(0, AT_ONCE).flat());
    });
    const writing = written.finally(() => {
      if (this.#writing === writing) this.#writing = undefined;
    });
    this.#writing = writing;
    return writing;
  }
}
