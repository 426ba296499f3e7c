import { MAX_DECIDED, UNKNOWN_MS } from "../decisions";
import type { Use } from "../deduplication-keys";
import type { Entry, Outcome, Unknown } from "../entry";
import type { RestoredState } from "../store";
import { isRecord, type Record } from "./record";

/** Of the lines. A journal of a later version is refused. */
export const VERSION = 2;

/** Room for the lines that follow up an accepted entry, and their copies: held back, begun (twice), ended and forgotten. Bytes. */
const FOLLOW_UP = 768;
/** Room for what follows the ends of all in flight at once whose outcomes are unknown: the facts about them, and decisions. Bytes. */
const UNKNOWN_FOLLOW_UP = 64 * 1024;
/** Room for what becomes of one of its keys, written twice. Bytes. */
const KEY_FOLLOW_UP = 320;
/** Room to hold back a record, to release and to remove it, each written twice, besides its name. Bytes. */
const RECORD_FOLLOW_UP = 384;

interface Kept {
  readonly entry: Entry;
  state: "waiting" | "begun" | Outcome;
  /** Whether its end was reported, and somebody has to decide what became of it. */
  isReported?: true;
}

/** The state that the lines of a journal describe. */
export class Contents {
  /** By id, in the order in which they were accepted. */
  readonly entries = new Map<string, Kept>();
  /** By hash. */
  readonly uses = new Map<string, Use>();
  /** By name. */
  readonly values = new Map<string, unknown>();
  /** Ids of entries about which somebody has decided, and when they had ended. */
  readonly decided = new Map<string, number>();
  /** Names of values whose next entry is held back. */
  readonly #late = new Set<string>();
  /** Bytes that the journal must not run out of: what is written once must be followed up. */
  room = UNKNOWN_FOLLOW_UP;
  paused = false;
  /** Whether the service has worked once. */
  isProven = false;
  now = 0;
  wall: number | undefined;
  boot: string | undefined;

  /** Reads lines that are whole, by their checksums. Returns how many make no sense. Throws if a later version has written them. */
  read(lines: readonly object[]): number {
    let unknown = 0;
    for (const line of lines) {
      if ("v" in line && typeof line.v === "number" && line.v > VERSION)
        throw new Error("the file was written by a newer version of this package");
      if (isRecord(line)) this.apply(line);
      else unknown += 1;
    }
    return unknown;
  }

  apply(record: Record): void {
    if (!("record" in record && this.values.has(record.record))) this.room += roomFor(record);
    if ("v" in record) {
      this.now = record.now;
      this.wall = record.wall;
      this.boot = record.boot;
    } else if ("accept" in record) {
      this.entries.set(record.accept.id, {
        entry: record.accept,
        state: record.accept.unknown ? "unknown" : "waiting",
      });
      for (const use of record.uses ?? []) this.#use(use);
      if (record.replaced !== undefined) this.#end(record.replaced, "not-applied");
    } else if ("due" in record) {
      const more = record.uses.map(({ hash, forMs }) => ({ hash, forMs }));
      this.#change(record.due, (entry) =>
        entry.isDue ? entry : { ...entry, isDue: true, keys: [...(entry.keys ?? []), ...more] },
      );
      for (const use of record.uses) this.#use(use);
    } else if ("holdBack" in record) {
      for (const id of record.holdBack) this.#change(id, (entry) => ({ ...entry, heldBack: "late" }));
      for (const name of record.records) this.#late.add(name);
    } else if ("release" in record) {
      const { ids = [...this.entries.keys()], records = this.#late } = record;
      for (const name of records) this.#late.delete(name);
      for (const id of ids) this.#change(id, (entry) => (entry.heldBack ? { ...entry, heldBack: undefined } : entry));
    } else if ("begin" in record) this.#state(record.begin, "begun");
    else if ("unbegin" in record) this.#state(record.unbegin, "waiting");
    else if ("end" in record) {
      this.#end(record.end, record.outcome, record.unknown);
      for (const use of record.uses ?? []) this.#use(use);
    } else if ("forget" in record) {
      const kept = this.entries.get(record.forget);
      if (kept?.entry.unknown) kept.isReported = true;
      else if (kept) this.#remove(kept);
    } else if ("decided" in record) this.#decided(record.decided, record.at);
    else if ("use" in record) this.#use(record.use);
    else if ("record" in record) {
      if (record.value === undefined) {
        if (this.values.delete(record.record)) this.room -= roomFor({ ...record, value: "" });
        this.#late.delete(record.record);
      } else this.values.set(record.record, record.value);
    } else if ("proven" in record) this.isProven = true;
    else this.paused = record.paused;
  }

  restored(stoppedForMs: number | undefined): RestoredState {
    const kept = [...this.entries.values()];
    return {
      waiting: kept.filter(({ state }) => state === "waiting").map(({ entry }) => entry),
      begun: kept.filter(({ state }) => state === "begun").map(({ entry }) => entry),
      settled: kept.flatMap(({ entry, state, isReported }) =>
        state === "waiting" || state === "begun" || isReported ? [] : [{ entry, outcome: state }],
      ),
      unknown: kept.flatMap(({ entry, isReported }) => (isReported ? [entry] : [])),
      decided: [...this.decided.keys()],
      records: new Map(this.values),
      lateRecords: [...this.#late],
      paused: this.paused,
      isProven: this.isProven,
      stoppedForMs,
    };
  }

  /** Holds back all waiting entries until a person resumes, except those whose date is still to come. */
  holdBackAll(now: number): void {
    for (const { entry, state } of [...this.entries.values()])
      if (state === "waiting" && (entry.isDue || (entry.notBefore ?? now) <= now))
        this.#change(entry.id, (held) => ({ ...held, heldBack: true }));
    this.apply({ holdBack: [], records: [...this.values.keys()] });
  }

  /** The shortest journal with the same contents. */
  *records(): Generator<Record> {
    if (this.paused) yield { paused: true };
    if (this.isProven) yield { proven: true };
    for (const use of this.uses.values()) yield { use };
    const oldest = Date.now() - UNKNOWN_MS;
    for (const [id, at] of this.decided)
      if (at < oldest) this.decided.delete(id);
      else yield { decided: id, at };
    for (const [record, value] of this.values) yield { record, value };
    if (this.#late.size > 0) yield { holdBack: [], records: [...this.#late] };
    for (const { entry } of this.entries.values()) yield { accept: entry };
    yield* this.begunOrEnded();
  }

  *begunOrEnded(): Generator<Record> {
    for (const [id, { entry, state, isReported }] of this.entries) {
      if (state === "begun") yield { begin: id };
      else if (state !== "waiting") yield { end: id, outcome: state, ...(entry.unknown && { unknown: entry.unknown }) };
      if (isReported) yield { forget: id };
    }
  }

  /** Whether nothing is left but what somebody has to decide. */
  get isIdle(): boolean {
    for (const { isReported } of this.entries.values()) if (!isReported) return false;
    return this.values.size === 0;
  }

  #end(id: string, outcome: Outcome, unknown?: Unknown): void {
    const { entry: { unknown: before } = {} } = this.entries.get(id) ?? {};
    this.#state(id, outcome);
    if (unknown ?? before) this.#change(id, (entry) => ({ ...entry, unknown }));
    if (!before || unknown) return;
    // Where nobody has decided, it was forgotten.
    if (outcome !== "unknown") this.#decided(id, before.at);
    const kept = this.entries.get(id);
    if (kept?.isReported) this.#remove(kept);
  }

  #remove({ entry }: Kept): void {
    this.room -= roomFor({ accept: entry });
    this.entries.delete(entry.id);
  }

  #decided(id: string, at: number): void {
    this.decided.set(id, at);
    for (const [oldest] of this.decided) if (this.decided.size > MAX_DECIDED) this.decided.delete(oldest);
  }

  #state(id: string, state: Kept["state"]): void {
    const kept = this.entries.get(id);
    // The line that accepted it may be damaged.
    if (kept) kept.state = state;
  }

  #change(id: string, change: (entry: Entry) => Entry): void {
    const kept = this.entries.get(id);
    if (kept) this.entries.set(id, { ...kept, entry: change(kept.entry) });
  }

  #use(use: Use | string): void {
    if (typeof use === "string") this.uses.delete(use);
    else this.uses.set(use.hash, use);
  }
}

/** The bytes for what may follow up a record. */
export function roomFor(record: Record): number {
  if ("accept" in record) return FOLLOW_UP + (record.accept.keys ?? []).length * KEY_FOLLOW_UP;
  if ("due" in record) return record.uses.length * KEY_FOLLOW_UP;
  if (!("record" in record) || record.value === undefined) return 0;
  return RECORD_FOLLOW_UP + 6 * Buffer.byteLength(JSON.stringify(record.record));
}
