import { performance } from "node:perf_hooks";
import type { Entry, Outcome } from "../backlog";
import type { Use } from "../deduplication-keys";
import type { Remains, Store, Stored } from "../local/store";
import { Journal } from "./journal";
import { Lock } from "./lock";
import { Contents, type Record } from "./records";

/** Room for the lines that follow up an accepted entry: begun (twice) and ended, written twice, and forgotten. Bytes. */
const FOLLOW_UP = 576;
/** Room for what becomes of one of its keys, written twice. Bytes. */
const KEY_FOLLOW_UP = 320;
/** Room to remove a record, written twice, besides its name. Bytes. */
const RECORD_FOLLOW_UP = 128;
/** What removes a record is written again after this pause if the disk fails. Milliseconds. */
const RETRY_MS = 1000;
/** A shorter journal is not rewritten. Bytes. */
const SHORT = 1024 * 1024;
/** Lines for each entry and key that is kept, from which on the journal is rewritten. */
const LONG = 4;
/** When nothing has waited for this long, the journal forgets who was called. Milliseconds. */
const IDLE_MS = 1000;
/** While something waits, the time is noted at this interval, to know how long a stop was. Milliseconds. */
const TICK_MS = 60_000;
/** A clock that shows an earlier year was not set: some boards have no battery. Epoch milliseconds. */
const SET_CLOCK = Date.UTC(2025, 0);

export interface Opened {
  readonly store: FileStore;
  readonly remains: Remains;
  /** Lines that cannot be read. */
  readonly damaged: number;
}

/** Keeps the entries of one process in a journal. */
export class FileStore implements Store {
  readonly isDurable = true;
  readonly leadMs = 50;
  readonly #journal: Journal;
  readonly #lock: Lock;
  /** What the journal holds: changes apply when they are stored. */
  readonly #contents: Contents;
  /** The store's clock when `performance.now()` was 0. */
  readonly #origin: number;
  readonly #ticks: NodeJS.Timeout;
  #idle: NodeJS.Timeout | undefined;
  /** If rewriting fails, it is tried again when the journal has this many lines. */
  #tryAt = 0;
  #rewriting = false;
  #closed = false;
  /** Names of records for whose removal there is room. */
  readonly #records = new Set<string>();

  private constructor(journal: Journal, lock: Lock, contents: Contents, origin: number) {
    this.#journal = journal;
    this.#lock = lock;
    this.#contents = contents;
    this.#origin = origin;
    this.#ticks = setInterval(() => !this.#isIdle && this.#note(), TICK_MS).unref();
  }

  /** Rejects with `LockedError` if another process uses the file, else with the error of the file system. */
  static async open(path: string): Promise<Opened> {
    const lock = await Lock.take(path);
    try {
      const { journal, records, damaged } = await Journal.open(path);
      const contents = new Contents();
      for (const record of records) contents.apply(record as Record);
      const downMs = downTime(contents);
      // A stop whose length is unknown shortens the life of no key.
      const origin = contents.now + (downMs ?? 0) - performance.now();
      const store = new FileStore(journal, lock, contents, origin);
      const remains = remainsOf(contents, downMs);
      for (const { entry } of contents.entries.values()) journal.reserved += roomFor(entry);
      for (const name of contents.values.keys()) store.#reserve(name);
      // What is damaged is told once.
      if (damaged > 0 || store.#isLong) await store.#rewrite();
      store.#note();
      return { store, remains, damaged };
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  now(): number {
    return this.#origin + performance.now();
  }

  accept(entry: Entry, uses: readonly Use[], stored: Stored): void {
    this.#journal.reserved += roomFor(entry);
    const record: Record = { accept: entry, ...(uses.length > 0 && { uses }) };
    this.#journal.append(record, (error) => {
      if (error) this.#journal.reserved -= roomFor(entry);
      this.#settled(record, stored, error);
    });
  }

  begin(id: string, stored: Stored): void {
    this.#followUp({ begin: id }, 2, stored);
  }

  unbegin(id: string, stored: Stored): void {
    this.#followUp({ unbegin: id }, 1, stored);
  }

  end(id: string, outcome: Outcome, uses: readonly (Use | string)[], stored: Stored): void {
    this.#followUp({ end: id, outcome, ...(uses.length > 0 && { uses }) }, 2, stored);
  }

  forget(id: string): void {
    const kept = this.#contents.entries.get(id);
    this.#followUp({ forget: id }, 1, (error) => {
      if (!error && kept) this.#journal.reserved -= roomFor(kept.entry);
      this.#forgetWhenIdle();
    });
  }

  use(use: Use | string, stored: Stored): void {
    this.#followUp({ use }, 2, stored);
  }

  record(name: string, value: unknown, stored: Stored): void {
    if (value === undefined) {
      this.#records.delete(name);
      this.#removeRecord(name, stored);
      return;
    }
    const isNew = this.#reserve(name);
    this.#journal.append({ record: name, value }, (error) => {
      if (error && isNew && this.#records.delete(name)) this.#journal.reserved -= roomToRemove(name);
      this.#settled({ record: name, value }, stored, error);
    });
  }

  /** Keeps room to remove a record. Returns whether there was none. */
  #reserve(name: string): boolean {
    if (this.#records.has(name)) return false;
    this.#records.add(name);
    this.#journal.reserved += roomToRemove(name);
    return true;
  }

  #removeRecord(name: string, stored: Stored): void {
    const removed = () => {
      this.#journal.reserved -= roomToRemove(name);
      stored();
      this.#forgetWhenIdle();
    };
    // A record that was created anew must stay.
    const isDone = () => this.#closed || this.#records.has(name);
    this.#followUp({ record: name }, 2, (error) => {
      if (!error || isDone()) removed();
      else setTimeout(() => (isDone() ? removed() : this.#removeRecord(name, stored)), RETRY_MS).unref();
    });
  }

  pause(paused: boolean): void {
    this.#followUp({ paused }, 2, () => {});
  }

  get #isIdle(): boolean {
    const { entries, values } = this.#contents;
    return entries.size + values.size === 0;
  }

  #forgetWhenIdle(): void {
    clearTimeout(this.#idle);
    if (!this.#isIdle) return;
    this.#idle = setTimeout(() => {
      if (this.#isIdle) void this.#rewrite();
    }, IDLE_MS).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#ticks);
    clearTimeout(this.#idle);
    this.#closed = true;
    this.#note();
    await this.#journal.close();
    await this.#lock.release();
  }

  #note(): void {
    this.#followUp({ v: 1, now: this.now(), wall: Date.now() }, 1, () => {});
  }

  /** What must not be lost is written twice: a call whose `begin` is unreadable would be placed again. */
  #followUp(record: Record, copies: 1 | 2, stored: Stored): void {
    this.#journal.followUp(record, copies, (error) => this.#settled(record, stored, error));
  }

  #settled(record: Record, stored: Stored, error: Error | undefined): void {
    if (!error) this.#contents.apply(record);
    stored(error);
    if (!error && this.#isLong) void this.#rewrite();
  }

  /** Whether most of the journal is about what has ended. */
  get #isLong(): boolean {
    const { length, lines } = this.#journal;
    const { entries, uses, values } = this.#contents;
    const kept = entries.size + uses.size + values.size;
    return length > SHORT && lines > LONG * kept && lines >= this.#tryAt;
  }

  /** Keeps the journal short. If that fails, the long one goes on. */
  async #rewrite(): Promise<void> {
    if (this.#rewriting) return;
    this.#rewriting = true;
    try {
      await this.#journal.rewrite(() => this.#live());
      this.#tryAt = 0;
    } catch {
      // E.g. the disk is full.
      this.#tryAt = 2 * this.#journal.lines;
    }
    this.#rewriting = false;
  }

  *#live(): Generator<Record> {
    const now = this.now();
    for (const { hash, until } of this.#contents.uses.values())
      if (until !== undefined && until <= now) this.#contents.uses.delete(hash);
    yield { v: 1, now, wall: Date.now() };
    yield* this.#contents.records();
  }
}

/** Bytes that the journal must not run out of once an entry is accepted. */
function roomFor({ keys = [] }: Entry): number {
  return FOLLOW_UP + keys.length * KEY_FOLLOW_UP;
}

function roomToRemove(name: string): number {
  return RECORD_FOLLOW_UP + 2 * Buffer.byteLength(JSON.stringify(name));
}

/** How long nothing ran; `undefined` if a clock was not set, or was set back. */
function downTime({ wall }: Contents): number | undefined {
  const now = Date.now();
  return wall !== undefined && wall >= SET_CLOCK && now >= wall ? now - wall : undefined;
}

function remainsOf({ entries, uses, values, paused }: Contents, downMs: number | undefined): Remains {
  const kept = [...entries.values()];
  return {
    waiting: kept.filter(({ state }) => state === "waiting").map(({ entry }) => entry),
    begun: kept.filter(({ state }) => state === "begun").map(({ entry }) => entry),
    untold: kept.flatMap(({ entry, state }) =>
      state === "waiting" || state === "begun" ? [] : [{ entry, outcome: state }],
    ),
    uses: [...uses.values()],
    records: new Map(values),
    paused,
    downMs,
  };
}
