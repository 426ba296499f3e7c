import type { Connection } from "./connection";

/** Hash fields that one step reads. */
const AT_ONCE = "1000";

/** A line that all instances of a group know, and when it was written, epoch milliseconds. */
export interface GroupLine {
  readonly at: number;
  readonly text: string;
}

/** Lines that the instances of a group share, found by their marks. Unlike entries, they outlive all instances. */
export class GroupLines {
  #heard: (line: GroupLine | undefined) => void = () => {};

  constructor(
    private readonly connection: Connection,
    private readonly prefix: string,
  ) {}

  /** Calls back with each line that is written, and with `undefined` whenever some may have been missed. */
  follow(heard: (line: GroupLine | undefined) => void): void {
    this.#heard = heard;
  }

  hear(text?: string): void {
    this.#heard(text === undefined ? undefined : lineOf(text));
  }

  /** Rejects, like all others, if Redis does not answer. */
  async find(marks: readonly string[]): Promise<GroupLine[]> {
    if (marks.length === 0) return [];
    const found = (await this.connection.command("HMGET", `${this.prefix}:blocked`, ...marks)) as (string | null)[];
    return found.flatMap((text) => (text === null ? [] : lineOf(text)));
  }

  /**
   * Resolves to when the line was written.
   * @param verb as `block.lua` has it
   */
  async write(verb: "new" | "known" | "remove", { at, text }: GroupLine, marks: readonly string[]): Promise<number> {
    return Number(await this.connection.run("block", this.prefix, ["", "", verb, at, text, ...marks]));
  }

  async *all(): AsyncGenerator<GroupLine> {
    for (let cursor = ""; cursor !== "0"; ) {
      const args = [`${this.prefix}:blocked`, cursor || "0", "COUNT", AT_ONCE];
      const [next, pairs] = (await this.connection.command("HSCAN", ...args)) as [string, string[]];
      for (const text of new Set(pairs.filter((_, index) => index % 2 === 1))) yield lineOf(text);
      cursor = next;
    }
  }
}

function lineOf(text: string): GroupLine {
  const end = text.indexOf(" ");
  return { at: Number(text.slice(0, end)), text: text.slice(end + 1) };
}
