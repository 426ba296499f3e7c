import { performance } from "node:perf_hooks";
import type { Entry, Outcome } from "../backlog";
import type { Use } from "../deduplication-keys";
import type { Remains, Store, Stored } from "../local/store";
import { Journal } from "./journal";
import { Lock } from "./lock";
import { Contents, type Record } from "./records";

/** Room for the lines that follow up an accepted entry: begun and ended with its key, twice, and forgotten. Bytes. */
const FOLLOW_UP = 1024;
/** A shorter journal is not rewritten. Bytes. */
const SHORT = 1024 * 1024;
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
  /** Length after which the journal is rewritten. */
  #longest = SHORT;
  #rewriting = false;

  private constructor(journal: Journal, lock: Lock, contents: Contents, origin: number) {
    this.#journal = journal;
    this.#lock = lock;
    this.#contents = contents;
    this.#origin = origin;
    this.#ticks = setInterval(() => this.#contents.entries.size > 0 && this.#note(), TICK_MS).unref();
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
      await store.#rewrite();
      return { store, remains, damaged };
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  now(): number {
    return this.#origin + performance.now();
  }

  accept(entry: Entry, use: Use | undefined, stored: Stored): void {
    this.#journal.reserved += FOLLOW_UP;
    const record: Record = { accept: entry, ...(use && { use }) };
    this.#journal.append(record, (error) => {
      if (error) this.#journal.reserved -= FOLLOW_UP;
      this.#settled(record, stored, error);
    });
  }

  begin(id: string, stored: Stored): void {
    this.#followUp({ begin: id }, 2, stored);
  }

  unbegin(id: string, stored: Stored): void {
    this.#followUp({ unbegin: id }, 1, stored);
  }

  end(id: string, outcome: Outcome, use: Use | string | undefined, stored: Stored): void {
    this.#followUp({ end: id, outcome, ...(use !== undefined && { use }) }, 2, stored);
  }

  forget(id: string): void {
    this.#followUp({ forget: id }, 1, () => {
      this.#journal.reserved = this.#contents.entries.size * FOLLOW_UP;
    });
  }

  use(use: Use | string, stored: Stored): void {
    this.#followUp({ use }, 2, stored);
  }

  pause(paused: boolean): void {
    this.#followUp({ paused }, 2, () => {});
  }

  async close(): Promise<void> {
    clearInterval(this.#ticks);
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
    if (!error && this.#journal.length > this.#longest) void this.#rewrite();
  }

  /** Keeps the journal short. If that fails, the long one goes on. */
  async #rewrite(): Promise<void> {
    if (this.#rewriting) return;
    this.#rewriting = true;
    try {
      await this.#journal.rewrite(() => this.#live());
    } catch {
      // E.g. the disk is full: it is tried again when the journal has grown.
    }
    this.#longest = Math.max(SHORT, 4 * this.#journal.length);
    this.#rewriting = false;
  }

  *#live(): Generator<Record> {
    const now = this.now();
    for (const { hash, until } of this.#contents.uses.values())
      if (until !== undefined && until <= now) this.#contents.uses.delete(hash);
    yield { v: 1, now, wall: Date.now() };
    yield* this.#contents.records();
    this.#journal.reserved = this.#contents.entries.size * FOLLOW_UP;
  }
}

/** How long nothing ran; `undefined` if a clock was not set, or was set back. */
function downTime({ wall }: Contents): number | undefined {
  const now = Date.now();
  return wall !== undefined && wall >= SET_CLOCK && now >= wall ? now - wall : undefined;
}

function remainsOf({ entries, uses, paused }: Contents, downMs: number | undefined): Remains {
  const kept = [...entries.values()];
  return {
    waiting: kept.filter(({ state }) => state === "waiting").map(({ entry }) => entry),
    begun: kept.filter(({ state }) => state === "begun").map(({ entry }) => entry),
    untold: kept.flatMap(({ entry, state }) =>
      state === "waiting" || state === "begun" ? [] : [{ entry, outcome: state }],
    ),
    uses: [...uses.values()],
    paused,
    downMs,
  };
}
