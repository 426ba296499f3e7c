import { randomUUID } from "node:crypto";
import { RECOVERING } from "./acceptance";
import type { Group } from "./group";

/** The records of this instance in Redis. Names and values are JSON there. */
export class StoredRecords {
  /** Values by name. */
  readonly values = new Map<string, string>();
  /** Names of those whose removal is under way, which Redis may still show. */
  readonly removing = new Set<string>();
  readonly #group: Group;
  readonly #ask: (...call: Parameters<Group["ask"]>) => Promise<unknown>;

  constructor(group: Group, ask: (...call: Parameters<Group["ask"]>) => Promise<unknown>) {
    this.#group = group;
    this.#ask = ask;
  }

  async set(name: string, value: unknown, expected: "new" | "mine"): Promise<boolean> {
    const [key, json] = [JSON.stringify(name), JSON.stringify(value)];
    if (value === undefined) return this.#remove(key);
    const isMine = await this.#answer(expected, key, json, "");
    if (isMine) this.values.set(key, json);
    else this.values.delete(key);
    return isMine;
  }

  note(name: string, note: unknown): Promise<boolean> {
    return this.#answer("note", JSON.stringify(name), JSON.stringify(note), randomUUID());
  }

  async #remove(key: string): Promise<boolean> {
    this.values.delete(key);
    this.removing.add(key);
    const isRemoved = (await this.#group.insist("record", "remove", key, "", "")) === 1;
    this.removing.delete(key);
    return isRemoved;
  }

  /** An unknown answer must not count as a refusal: the owner would give up its record. */
  async #answer(...args: readonly string[]): Promise<boolean> {
    const answer = await this.#ask("record", ...args);
    if (answer !== 0 && answer !== 1) throw new Error(RECOVERING);
    return answer === 1;
  }
}
