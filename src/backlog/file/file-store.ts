import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { performance } from "node:perf_hooks";
import { DeduplicationKeys, type Use } from "../deduplication-keys";
import type { Acceptance, Entry, Key, Outcome } from "../entry";
import {
  ACCEPTED,
  type Hold,
  type Leave,
  type RequestKeys,
  type RestoredState,
  type Room,
  type Store,
  type StoreEvents,
} from "../store";
import { Contents, type Record, VERSION } from "./contents";
import { Journal, type Kind } from "./journal";
import { Lock } from "./lock";

/** Room for the lines that follow up an accepted entry, and their copies: held back, begun (twice), ended and forgotten. Bytes. */
const FOLLOW_UP = 768;
/** Room for what becomes of one of its keys, written twice. Bytes. */
const KEY_FOLLOW_UP = 320;
/** Room to hold back a record and to remove it, each written twice, besides its name. Bytes. */
const RECORD_FOLLOW_UP = 256;
/** A change that could not be written is tried again after this pause. Milliseconds. */
const RETRY_MS = 1000;
/** How often the path is checked: somebody may remove, move or restore the file or its folder. Milliseconds. */
const CHECK_MS = 5000;
/** A shorter journal is not rewritten. Bytes. */
const SHORT = 1024 * 1024;
/** Lines for each entry and key that is kept, from which on the journal is rewritten. */
const LONG = 4;
/** When nothing has waited for this long, the journal forgets who was called. Milliseconds. */
const IDLE_MS = 1000;
/** While entries wait, the time is written at this interval, to know later how long a stop was. Milliseconds. */
const TICK_MS = 60_000;
/** Ids of entries that are held back, in one line. */
const HELD_AT_ONCE = 1000;
/** A clock that shows an earlier year was not set: some boards have no battery. Epoch milliseconds. */
const SET_CLOCK = Date.UTC(2025, 0);

/** Called with the error that kept a change from being stored, or without one. */
type Stored = (error?: Error) => void;

/** Keeps the entries of one process in a journal. */
export class FileStore implements Store {
  readonly isDurable = true;
  readonly #journal: Journal;
  #onWrittenAnew: (() => void) | undefined;
  #lock: Lock;
  /** What the journal holds: changes apply when they are stored. */
  readonly #contents: Contents;
  readonly #keys = new DeduplicationKeys();
  readonly keys: RequestKeys = {
    take: async (key) => {
      const use = this.#keys.take(key, this.#monotonic());
      if ("kind" in use) return use;
      return new Promise((resolve) => {
        this.#write("follow-up", { use }, (error) => {
          if (error) this.#keys.forget(use.hash);
          resolve(acceptance(error));
        });
      });
    },
    settle: ({ hash }, outcome) =>
      this.#write("fact", { use: this.#keys.settle(hash, outcome, this.#monotonic()) ?? hash }),
    try: async (key) => this.#keys.refusal(key, this.#monotonic()) ?? ACCEPTED,
  };
  /** The store's clock when `performance.now()` was 0. It goes on after a restart and never jumps. */
  readonly #origin: number;
  readonly #timers: NodeJS.Timeout[] = [];
  #restored: RestoredState | undefined;
  #events: StoreEvents | undefined;
  /** The kind of record that could not be written: a full disk may take changes but no further entry. */
  #failing: "entry" | "change" | undefined;
  #idle: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
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
  }

  /**
   * A store, what an earlier process has left in its file, and how many lines cannot be read. Rejects with `LockedError` if another process uses the file, else with the error of the file system.
   * @param onWrittenAnew called when the file was removed, moved or replaced, and has been written again
   */
  static async open(path: string, onWrittenAnew?: () => void) {
    const lock = await Lock.take(path);
    try {
      const contents = new Contents();
      const { journal, damaged } = await openJournal(path, contents);
      // The entry of a damaged line may have begun, so a person has to look before the others begin.
      if (damaged > 0) contents.holdBackAll(Date.now());
      const downMs = downTime(contents);
      // If the length of the stop is unknown, keys are kept longer rather than shorter.
      const origin = contents.now + (downMs ?? 0) - performance.now();
      const store = new FileStore(journal, lock, contents, origin);
      store.#onWrittenAnew = onWrittenAnew;
      const restored = contents.restored(downMs);
      store.#restored = restored;
      store.#restoreKeys(restored);
      for (const { entry } of contents.entries.values()) journal.reserved += roomFor(entry);
      for (const name of contents.values.keys()) store.#reserve(name);
      // What is damaged is reported once.
      if (damaged > 0 || store.#isLong) await store.#rewrite();
      return { store, restored, damaged };
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  start(events: StoreEvents): void {
    this.#events = events;
    if (this.#restored) events.onRestored(this.#restored);
    this.#restored = undefined;
    // Not before what is held back has been written down: the next start must not take the stop for a short one.
    this.#note();
    this.#timers.push(
      setInterval(() => !this.#isIdle && this.#note(), TICK_MS).unref(),
      setInterval(() => void this.check(), CHECK_MS).unref(),
    );
  }

  async accept(given: Entry, _room?: Room, earlier?: Entry): Promise<Acceptance> {
    const taken = this.#keys.takeAll(given, this.#monotonic(), earlier);
    if ("kind" in taken) return taken;
    const uses = [...taken.given, ...taken.uses];
    // Each key is kept with the use that it has got.
    const entry = given.keys ? { ...given, keys: keysOf(taken.uses) } : given;
    const record: Record = {
      accept: entry,
      ...(uses.length > 0 && { uses }),
      ...(earlier && { replaced: earlier.id }),
    };
    this.#journal.reserved += roomFor(entry);
    return new Promise((resolve) => {
      this.#journal.append(record, (error) => {
        if (error) {
          this.#journal.reserved -= roomFor(entry);
          this.#keys.forgetAll(given);
          taken.undo();
        }
        this.#observe(error, "entry");
        const replaced = earlier && { replaced: earlier.id };
        this.#settled(record, (failed) => resolve({ ...acceptance(failed), ...(!failed && replaced) }), error);
      });
    });
  }

  async takeDue(entry: Entry, keys: readonly Key[]): Promise<Acceptance> {
    const uses = this.#keys.takeMore(entry, keys, this.#monotonic());
    if ("kind" in uses) return uses;
    this.#journal.reserved += uses.length * KEY_FOLLOW_UP;
    return new Promise((resolve) => {
      this.#write("follow-up", { due: entry.id, uses }, (error) => {
        if (error) this.#keys.giveBack(entry, uses);
        if (error) this.#journal.reserved -= uses.length * KEY_FOLLOW_UP;
        resolve(acceptance(error));
      });
    });
  }

  hold({ paused, heldBack }: Hold): void {
    if (paused !== undefined) this.#write("fact", { paused });
    if (heldBack === null) this.#write("fact", { release: true });
    const { ids = [], records = [] } = heldBack ?? {};
    for (let from = 0; heldBack && (from === 0 || from < ids.length); from += HELD_AT_ONCE)
      this.#write("fact", { holdBack: ids.slice(from, from + HELD_AT_ONCE), records: from === 0 ? records : [] });
  }

  begin({ id }: Entry): Promise<Leave> {
    return new Promise((resolve) => {
      this.#write("follow-up", { begin: id }, (error) => resolve(error ? { retryInMs: RETRY_MS } : "begun"));
    });
  }

  requeue({ id }: Entry): Promise<void> {
    return new Promise((resolve) => this.#write("fact", { unbegin: id }, () => resolve()));
  }

  settle(entry: Entry, outcome: Outcome, mayFail = false): Promise<Error | undefined> {
    const uses = mayFail ? this.#keys.hashesOf(entry) : this.#keys.settleAll(entry, outcome, this.#monotonic());
    const record: Record = { end: entry.id, outcome, ...(uses.length > 0 && { uses }) };
    return new Promise((resolve) => {
      this.#write(mayFail ? "follow-up" : "fact", record, (error) => {
        if (mayFail && !error) this.#keys.forgetAll(entry);
        resolve(error);
      });
    });
  }

  forget({ id }: Entry): void {
    const kept = this.#contents.entries.get(id);
    this.#write("fact", { forget: id }, (error) => {
      if (!error && kept) this.#journal.reserved -= roomFor(kept.entry);
      this.#forgetWhenIdle();
    });
  }

  record(name: string, value: unknown): Promise<boolean> {
    if (value === undefined) {
      this.#records.delete(name);
      return new Promise((resolve) =>
        this.#write("fact", { record: name }, (error) => {
          if (error && !this.#closed) return;
          this.#journal.reserved -= roomToRemove(name);
          resolve(true);
          this.#forgetWhenIdle();
        }),
      );
    }
    const isNew = this.#reserve(name);
    return new Promise((resolve, reject) => {
      this.#journal.append({ record: name, value }, (error) => {
        if (error && isNew && this.#records.delete(name)) this.#journal.reserved -= roomToRemove(name);
        const stored = (failed?: Error) => (failed ? reject(failed) : resolve(true));
        this.#settled({ record: name, value }, stored, error);
      });
    });
  }

  /** Keeps room to remove a record. Returns whether there was none. */
  #reserve(name: string): boolean {
    if (this.#records.has(name)) return false;
    this.#records.add(name);
    this.#journal.reserved += roomToRemove(name);
    return true;
  }

  /** The outcome of a request that took a key without an entry, and was cut off with the process, is unknown. */
  #restoreKeys({ waiting, begun }: RestoredState): void {
    const ofEntries = new Set([...waiting, ...begun].flatMap((entry) => this.#keys.hashesOf(entry)));
    const uses = [...this.#contents.uses.values()];
    for (const use of uses) this.#keys.restore(use);
    for (const { hash, until } of uses)
      if (until === undefined && !ofEntries.has(hash)) this.keys.settle({ hash, forMs: 0 }, "unknown");
  }

  #observe(error: Error | undefined, what: "entry" | "change"): void {
    const before = this.#failing;
    if (error) this.#failing = before === "change" ? before : what;
    else if (what === "entry" || before === "change") this.#failing = undefined;
    if (before !== this.#failing) this.#events?.onFailure(error?.message);
    if (error && what === "change" && !this.#closed)
      this.#retry ??= setTimeout(() => {
        this.#retry = undefined;
        void this.check().then(() => this.#note());
      }, RETRY_MS).unref();
  }

  /** Writes everything again if the path does not name the journal any more. Nothing else is written until that has succeeded. */
  async check(): Promise<void> {
    if (this.#rewriting) return;
    this.#rewriting = true;
    try {
      await mkdir(dirname(this.#lock.file), { recursive: true, mode: 0o700 });
      this.#lock = await this.#lock.renewed();
      if (await this.#journal.isInPlace().catch(() => false)) this.#journal.suspend(undefined);
      else {
        await this.#writeAnew();
        this.#onWrittenAnew?.();
      }
    } catch (error) {
      this.#journal.suspend(error as Error);
      this.#observe(error as Error, "change");
    } finally {
      this.#rewriting = false;
    }
  }

  #monotonic(): number {
    return this.#origin + performance.now();
  }

  get #isIdle(): boolean {
    const { entries, values } = this.#contents;
    return entries.size + values.size === 0;
  }

  #forgetWhenIdle(): void {
    clearTimeout(this.#idle);
    // Once it is closed, another store may have the file.
    if (!this.#isIdle || this.#closed) return;
    this.#idle = setTimeout(() => {
      if (this.#isIdle) void this.#rewrite();
    }, IDLE_MS).unref();
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    clearTimeout(this.#idle);
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.check();
    await new Promise<void>((resolve) => this.#note(() => resolve()));
    if (this.#isIdle) await this.#rewrite();
    await this.#journal.close();
    await this.#lock.release();
  }

  #note(stored: Stored = () => {}): void {
    const record: Record = { v: VERSION, now: this.#monotonic(), wall: Date.now() };
    this.#write("checkpoint", record, stored);
  }

  #write(kind: Kind, record: Record, stored: Stored = () => {}): void {
    const settled = (error?: Error) => {
      this.#settled(record, stored, error);
      this.#observe(error, "change");
    };
    this.#journal.append(record, settled, kind);
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

  /** Rewrites the journal without what has ended. If that fails, the old journal stays in use. */
  async #rewrite(): Promise<void> {
    if (this.#rewriting) return;
    this.#rewriting = true;
    try {
      await this.#writeAnew();
    } catch {
      // E.g. the disk is full.
      this.#tryAt = 2 * this.#journal.lines;
    }
    this.#rewriting = false;
  }

  async #writeAnew(): Promise<void> {
    await this.#journal.rewrite(
      () => this.#live(),
      () => this.#contents.begunOrEnded(),
    );
    this.#tryAt = 0;
  }

  *#live(): Generator<Record> {
    const now = this.#monotonic();
    for (const { hash, until } of this.#contents.uses.values())
      if (until !== undefined && until <= now) this.#contents.uses.delete(hash);
    // Until the start, the stop is not over.
    const { now: stoppedAt, wall = 0 } = this.#contents;
    yield this.#events ? { v: VERSION, now, wall: Date.now() } : { v: VERSION, now: stoppedAt, wall };
    yield* this.#contents.records();
  }
}

async function openJournal(path: string, contents: Contents): Promise<{ journal: Journal; damaged: number }> {
  const { journal, records, damaged } = await Journal.open(path, (record) => contents.holds(record as Record));
  try {
    return { journal, damaged: damaged + contents.read(records) };
  } catch (error) {
    await journal.close();
    throw error;
  }
}

/** Bytes that the journal must not run out of once an entry is accepted. */
function roomFor({ keys = [] }: Entry): number {
  return FOLLOW_UP + keys.length * KEY_FOLLOW_UP;
}

function keysOf(uses: readonly Use[]): Key[] {
  return uses.map(({ hash, forMs }) => ({ hash, forMs }));
}

function roomToRemove(name: string): number {
  return RECORD_FOLLOW_UP + 4 * Buffer.byteLength(JSON.stringify(name));
}

/** How long nothing ran; `undefined` if a clock was not set, or was set back. */
function downTime({ wall }: Contents): number | undefined {
  const now = Date.now();
  return wall !== undefined && wall >= SET_CLOCK && now >= wall ? now - wall : undefined;
}

function acceptance(error: Error | undefined): Acceptance {
  return error ? { kind: "failed", reason: error.message } : ACCEPTED;
}
