import { performance } from "node:perf_hooks";
import type { Cut, Entry, Key, Outcome } from "../entry";
import type { EntryInMemory, RestoredState } from "../store";
import { readEntry, storedEntry, WRITTEN_AT_ONCE } from "./entries";
import type { UnknownEntries } from "./unknown-entries";

/** The time that a Redis may forget, milliseconds. One that is restored from a copy may be older: that concerns keys and instances. */
const RECENT_MS = 60_000;
const MAX_USES = 10_000;

interface Use {
  readonly hash: string;
  readonly forMs: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The keys of an entry, with the uses that they have got. */
interface Taken {
  readonly keys: readonly Key[];
  /** Epoch milliseconds. */
  readonly at: number;
}

interface Settled extends Use {
  readonly outcome: Outcome;
  /** Milliseconds of `performance.now()`. */
  readonly settledAt: number;
}

/** Restored entries that have ended here, entries of others that were ended here, and instances whose entries were restored here. */
type Kind = "ended" | "cut" | "gone";

/** The ended entries, so that they can be written again into a Redis that has forgotten them. */
class Recent {
  #items: { readonly at: number; readonly kind: Kind; readonly id: string; readonly why: string }[] = [];
  /** The last use of each key. */
  readonly #uses = new Map<string, Settled>();

  add(kind: Kind, id: string, why = ""): void {
    this.#items.push({ at: performance.now(), kind, id, why });
  }

  settled(use: Use, outcome: Outcome): void {
    // Of one that somebody has decided about, the time runs on.
    const known = this.#uses.get(use.hash);
    const settledAt = known?.at === use.at ? known.settledAt : performance.now();
    this.#uses.delete(use.hash);
    this.#uses.set(use.hash, { ...use, outcome, settledAt });
    const [oldest = ""] = this.#uses.keys();
    if (this.#uses.size > MAX_USES) this.#uses.delete(oldest);
  }

  list(kind: Kind): (readonly [id: string, why: string])[] {
    return this.#items.flatMap((each) => (each.kind === kind ? [[each.id, each.why] as const] : []));
  }

  forgetOld(): void {
    const oldest = performance.now() - RECENT_MS;
    this.#items = this.#items.filter(({ at, kind }) => at >= oldest || kind === "gone");
  }

  /** The keys as they are kept now: hash, time of the use, outcome, milliseconds left. */
  keys(): (readonly [string, number, Outcome, number])[] {
    const kept = [...this.#uses.values()].filter(isKept);
    const now = performance.now();
    return kept.map(({ hash, at, outcome, settledAt, forMs }) => [hash, at, outcome, settledAt + forMs - now]);
  }

  freed(): (readonly [string, number])[] {
    return [...this.#uses.values()].filter((use) => !isKept(use)).map(({ hash, at }) => [hash, at]);
  }
}

function isKept({ outcome }: Settled): boolean {
  return outcome === "applied" || outcome === "unknown";
}

/** The holdings of this instance in Redis: enough to write all of it again into one that has forgotten. */
export class Holdings {
  readonly recent = new Recent();
  /** Ids of entries of which it is not known whether Redis has accepted them. */
  readonly asked = new Set<string>();
  /** Ids of entries that another instance has left. */
  readonly restored = new Set<string>();
  /** Records by name, both as JSON. */
  readonly records = new Map<string, string>();
  /** Names of records whose removal is under way, which Redis may still show. */
  readonly removing = new Set<string>();
  /** Keys of requests without entries. */
  readonly #keys = new Map<string, Use>();
  readonly #taken = new Map<string, Taken>();

  /** @param answer of `accept` */
  took({ id }: Entry, [kind, keys = "[]"]: readonly string[], at: number): void {
    if (kind === "accepted") this.#taken.set(id, { keys: Object.values(JSON.parse(keys)), at });
  }

  takenOf({ id, keys = [], at = Date.now() }: Entry): Taken {
    return this.#taken.get(id) ?? { keys, at };
  }

  settled(entry: Entry, outcome: Outcome): void {
    const { keys, at } = this.takenOf(entry);
    this.#taken.delete(entry.id);
    for (const { hash, forMs } of keys) this.recent.settled({ hash, forMs, at }, outcome);
  }

  reported(entry: Entry): void {
    // Another instance has ended it, and has given back its keys.
    if (this.#taken.has(entry.id)) this.settled(entry, "not-applied");
    this.restored.delete(entry.id);
  }

  tookKey(use: Use): void {
    this.#keys.set(use.hash, use);
  }

  /** Returns the use that has ended. */
  settledKey(hash: string, outcome: Outcome): Use | undefined {
    const use = this.#keys.get(hash);
    this.#keys.delete(hash);
    if (use) this.recent.settled(use, outcome);
    return use;
  }

  /** Clears all of it, because another instance has restored it. */
  clear(): void {
    for (const each of [this.#taken, this.restored, this.#keys, this.records]) each.clear();
  }

  /**
   * The parts that `rewrite.lua` writes down again, as JSON. All but the entries is in the last one.
   * @param settings of the group, as far as this instance knows them
   */
  parts(held: Iterable<EntryInMemory>, settings: object, unknown: UnknownEntries): string[] {
    const entries = [...held].map(({ entry, state }) => {
      const { keys, at } = this.takenOf(entry);
      return [entry.id, state, storedEntry({ ...entry, keys, at }), at];
    });
    const parts: object[] = [...unknown.parts()];
    while (entries.length > WRITTEN_AT_ONCE) parts.push({ entries: entries.splice(0, WRITTEN_AT_ONCE) });
    const pending = [...this.#keys.values()].map(({ hash, at, forMs }) => [hash, at, "pending", forMs]);
    parts.push({
      uses: unknown.uses,
      entries,
      asked: [...this.asked],
      restored: [...this.restored],
      keys: [...this.recent.keys(), ...pending],
      freed: this.recent.freed(),
      records: [...this.records],
      cuts: this.recent.list("cut"),
      gone: this.recent.list("gone").map(([id]) => id),
      settings,
    });
    return parts.map((part) => JSON.stringify(part));
  }
}

const OUTCOMES: ReadonlySet<string> = new Set<Outcome>(["applied", "rejected", "not-applied", "unknown"]);

interface Restoring {
  readonly ask: (...args: (string | number)[]) => Promise<string[]>;
  readonly onNote: (name: string, note: unknown) => void;
  readonly onRestored: (left: RestoredState) => void;
}

/**
 * Restores what a gone instance left, step by step: each request confirms what the answer before it has restored, and is sent
 * before any of that begins. Resolves to whether there was something.
 */
export async function restore(
  gone: string,
  { restored, records, removing, recent }: Holdings,
  { ask, onNote, onRestored }: Restoring,
): Promise<boolean> {
  let answer = await ask(gone, WRITTEN_AT_ONCE);
  const isSome = answer.length > 1;
  if (isSome) recent.add("gone", gone);
  while (answer.length > 1) {
    const left = { waiting: [] as Entry[], begun: [] as Entry[], settled: [] as RestoredState["settled"][number][] };
    const names = new Map<string, unknown>();
    const lateRecords: string[] = [];
    const ended = new Set(recent.list("ended").map(([id]) => id));
    const notes: string[][] = [];
    const done: string[] = [];
    let stoppedForMs = 0;
    for (let n = 0; n < answer.length; n += 3) {
      const [state = "", id = "", value = ""] = answer.slice(n, n + 3);
      if (state === "stopped") stoppedForMs = Number(id);
      else if (state === "note") {
        done.push(state, id);
        notes.push(id.split("\n"));
      } else if (state === "record" || state === "lateRecord") {
        done.push("record", id);
        // The request that confirmed it was lost, or Redis has forgotten it.
        if (records.has(id) || removing.has(id)) continue;
        const name = JSON.parse(id) as string;
        records.set(id, value);
        names.set(name, JSON.parse(value));
        if (state === "lateRecord") lateRecords.push(name);
      } else {
        done.push(ended.has(id) ? "ended" : "entry", id);
        if (restored.has(id) || ended.has(id)) continue;
        restored.add(id);
        const entry = readEntry(id, value);
        if (state === "waiting" || state === "begun") left[state].push(entry);
        else if (state === "heldBack") left.waiting.push({ ...entry, heldBack: true });
        else if (OUTCOMES.has(state)) left.settled.push({ entry, outcome: state as Outcome });
        else left.settled.push({ entry, outcome: "not-applied", cut: state as Cut });
      }
    }
    const next = ask(gone, WRITTEN_AT_ONCE, ...done);
    onRestored({ ...left, records: names, lateRecords, stoppedForMs });
    for (const [, name = "", ...note] of notes) onNote(JSON.parse(name) as string, JSON.parse(note.join("\n")));
    answer = await next;
  }
  return isSome;
}
