import { randomUUID } from "node:crypto";
import { MAX_DECIDED } from "../decisions";
import type { Entry, Key, Unknown } from "../entry";
import type { Decision } from "../store";
import { RECOVERING, readEntry, storedEntry, WRITTEN_AT_ONCE } from "./entries";
import type { Health } from "./health";
import type { Group, News } from "./membership";

/** The answer of `unknown.lua`. An empty list comes back as an object. */
interface Listed {
  readonly ids: readonly string[];
  readonly doubted: readonly string[];
  readonly decided: readonly (readonly [id: string, how: string])[];
  readonly at: string;
}

/**
 * The entries of a group whose outcome is unknown, until somebody decides. They belong to no instance: each has all of them, and what
 * was decided since it was started, to write that again into a Redis that has forgotten.
 */
export class UnknownEntries {
  /** The oldest first. */
  #open = new Map<string, Entry>();
  /** The decisions, each with its token, by id. */
  readonly #decided = new Map<string, string>();
  /** The time of the last known decision, as Redis has it. */
  #at = "-inf";
  #version = "";

  /** @param onDecided the keys of an entry are kept, or given back */
  constructor(
    private readonly group: Group,
    private readonly health: Health,
    private readonly onDecided: (entry: Entry, isUsed: boolean) => void,
  ) {}

  get size(): number {
    return this.#open.size;
  }

  /** An entry of this instance has ended so. Until Redis knows that, only this instance does. */
  keep(entry: Entry): void {
    this.#open.set(entry.id, entry);
  }

  /** Reads what has changed. Rejects if Redis does not answer. */
  async sync({ marker, unknown, isRecovering }: News): Promise<void> {
    const version = `${marker} ${unknown}`;
    if (isRecovering || this.#version === version) return;
    // Within a renewal, which `ask` may wait for.
    if (await this.#take(await this.group.lease.call("unknown", this.#at))) this.#version = version;
  }

  /** The oldest first. Rejects if Redis fails. */
  async list(): Promise<readonly Entry[]> {
    if (!(await this.#take(await this.health.ask("unknown", this.#at)))) throw new Error(RECOVERING);
    return [...this.#open.values()];
  }

  /** Rejects if Redis fails: then nothing was decided. */
  async decide(id: string, as: "rang" | "did-not-ring" | undefined): Promise<Decision> {
    const token = randomUUID();
    const [answer = ""] = await this.health.certain("decide", [id, as ?? "", token]);
    if (answer === "settled") this.decided(id, `${as} ${token}`);
    else if (answer !== "tooLate" && answer !== "none") throw new Error(answer === "recovering" ? RECOVERING : answer);
    return { settled: answer === "settled" ? 1 : 0, tooLate: answer === "tooLate" ? 1 : 0 };
  }

  /** @param how the decision and its token */
  decided(id: string, how: string): void {
    if (this.#decided.has(id)) return;
    this.#decided.set(id, how);
    for (const [oldest] of this.#decided) if (this.#decided.size > MAX_DECIDED) this.#decided.delete(oldest);
    const entry = this.#open.get(id);
    this.#open.delete(id);
    if (entry) this.onDecided({ ...entry, keys: decidedKeys(entry) }, how.startsWith("rang "));
  }

  get uses(): readonly (readonly [id: string, hash: string, at: number | undefined])[] {
    return [...this.#open.values()].flatMap((entry) =>
      decidedKeys(entry).map(({ hash }) => [entry.id, hash, entry.at] as const),
    );
  }

  /** The parts that `rewrite.lua` writes down again. */
  *parts(): Generator<object> {
    yield { decided: [...this.#decided] };
    const all = [...this.#open].map(([id, { unknown, ...entry }]) => {
      const { isDoubted = false, ...known } = unknown as Unknown;
      return [id, storedEntry({ ...entry, unknown: known }), isDoubted];
    });
    while (all.length > 0) yield { unknown: all.splice(0, WRITTEN_AT_ONCE) };
  }

  /** Takes over what Redis has answered. Resolves to whether it could say. */
  async #take(answer: unknown): Promise<boolean> {
    const [kind, json = "{}"] = answer as readonly string[];
    if (kind !== "listed") return false;
    const { at, ...listed } = JSON.parse(json) as Listed;
    for (const [id, how] of Object.values(listed.decided)) this.decided(id, how);
    this.#at = at;
    const doubted = new Set(Object.values(listed.doubted));
    const open = new Map<string, Entry>();
    const ids = Object.values(listed.ids);
    const missing = ids.filter((id) => !this.#open.has(id));
    const values = await this.group.lease.readEach("unknown", missing);
    for (const id of ids) {
      const value = values.get(id);
      const entry = this.#open.get(id) ?? (value ? readEntry(id, value) : undefined);
      const unknown = entry?.unknown && { ...entry.unknown, isDoubted: doubted.has(id) };
      if (entry && !this.#decided.has(id)) open.set(id, { ...entry, unknown });
    }
    this.#open = open;
    return true;
  }
}

/** The keys of an entry that are kept or given back by a decision: all but its place in a list. */
function decidedKeys({ list, keys = [] }: Entry): readonly Key[] {
  return list === undefined ? keys : keys.slice(1);
}
