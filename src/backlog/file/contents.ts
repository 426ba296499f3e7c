import type { Use } from "../deduplication-keys";
import type { Entry, Outcome } from "../entry";
import type { RestoredState } from "../store";

const VERSION = 1;

/** The lines of a journal. Each may occur twice. */
export type Record =
  /** The format, and the store's clock with the wall clock beside it, epoch milliseconds. */
  | { readonly v: 1; readonly now: number; readonly wall: number }
  | { readonly accept: Entry; readonly uses?: readonly Use[] }
  | { readonly begin: string }
  | { readonly unbegin: string }
  | { readonly end: string; readonly outcome: Outcome; readonly uses?: readonly (Use | string)[] }
  | { readonly forget: string }
  | { readonly use: Use | string }
  /** Without a value, the record was removed. */
  | { readonly record: string; readonly value?: unknown }
  | { readonly paused: boolean };

interface Kept {
  readonly entry: Entry;
  readonly state: "waiting" | "begun" | Outcome;
}

/** A later version of this package has written the journal. */
export class NewerJournalError extends Error {
  constructor() {
    super("the file was written by a newer version of this package");
  }
}

/** What the lines of a journal amount to. */
export class Contents {
  /** By id, in the order in which they were accepted. */
  readonly entries = new Map<string, Kept>();
  /** By hash. */
  readonly uses = new Map<string, Use>();
  /** By name. */
  readonly values = new Map<string, unknown>();
  paused = false;
  now = 0;
  wall: number | undefined;

  /** Reads the lines of a journal. Returns how many are of no known kind. Throws a NewerJournalError. */
  read(lines: readonly object[]): number {
    let unknown = 0;
    for (const line of lines) {
      if ("v" in line && typeof line.v === "number" && line.v > VERSION) throw new NewerJournalError();
      if (isRecord(line)) this.apply(line);
      else unknown += 1;
    }
    return unknown;
  }

  apply(record: Record): void {
    if ("v" in record) {
      this.now = record.now;
      this.wall = record.wall;
    } else if ("accept" in record) {
      // A line that occurs twice must not make an entry wait again that has begun.
      if (this.entries.has(record.accept.id)) return;
      this.entries.set(record.accept.id, { entry: record.accept, state: "waiting" });
      for (const use of record.uses ?? []) this.#use(use);
    } else if ("begin" in record) this.#state(record.begin, "begun");
    else if ("unbegin" in record) this.#state(record.unbegin, "waiting");
    else if ("end" in record) {
      this.#state(record.end, record.outcome);
      for (const use of record.uses ?? []) this.#use(use);
    } else if ("forget" in record) this.entries.delete(record.forget);
    else if ("use" in record) this.#use(record.use);
    else if ("record" in record) {
      if (record.value === undefined) this.values.delete(record.record);
      else this.values.set(record.record, record.value);
    } else this.paused = record.paused;
  }

  restored(stoppedForMs: number | undefined): RestoredState {
    const kept = [...this.entries.values()];
    return {
      waiting: kept.filter(({ state }) => state === "waiting").map(({ entry }) => entry),
      begun: kept.filter(({ state }) => state === "begun").map(({ entry }) => entry),
      settled: kept.flatMap(({ entry, state }) =>
        state === "waiting" || state === "begun" ? [] : [{ entry, outcome: state }],
      ),
      records: new Map(this.values),
      paused: this.paused,
      stoppedForMs,
    };
  }

  /** The shortest lines that amount to the same. */
  *records(): Generator<Record> {
    if (this.paused) yield { paused: true };
    for (const use of this.uses.values()) yield { use };
    for (const [record, value] of this.values) yield { record, value };
    for (const { entry, state } of this.entries.values()) {
      yield { accept: entry };
      if (state === "begun") yield { begin: entry.id };
      else if (state !== "waiting") yield { end: entry.id, outcome: state };
    }
  }

  #state(id: string, state: Kept["state"]): void {
    const kept = this.entries.get(id);
    // The line that accepted it may be damaged.
    if (kept) this.entries.set(id, { ...kept, state });
  }

  #use(use: Use | string): void {
    if (typeof use === "string") this.uses.delete(use);
    else this.uses.set(use.hash, use);
  }
}

const OUTCOMES: readonly unknown[] = ["applied", "rejected", "not-applied", "unknown"] satisfies Outcome[];

/** Whether a line is of a known kind. Its checksum has shown that it is whole. */
function isRecord(line: object): line is Record {
  const { v, now, wall, accept, begin, unbegin, end, outcome, forget, use, uses, record, paused } = line as {
    readonly [name: string]: unknown;
  };
  if (uses !== undefined && !(Array.isArray(uses) && uses.every(isUse))) return false;
  if (v !== undefined) return v === VERSION && typeof now === "number" && typeof wall === "number";
  if (accept !== undefined) return isEntry(accept);
  if (end !== undefined) return typeof end === "string" && OUTCOMES.includes(outcome);
  if (use !== undefined) return isUse(use);
  return paused !== undefined
    ? typeof paused === "boolean"
    : [begin, unbegin, forget, record].some((name) => typeof name === "string");
}

function isEntry(value: unknown): boolean {
  const { id, nodeId, size, content } = (value ?? {}) as Partial<Entry>;
  return typeof id === "string" && typeof nodeId === "string" && typeof size === "number" && content !== undefined;
}

function isUse(value: unknown): boolean {
  return typeof value === "string" || typeof (value as Partial<Use> | null)?.hash === "string";
}
