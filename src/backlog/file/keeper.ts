import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { performance } from "node:perf_hooks";
import { type MACHINE, StartClock } from "../start-clock";
import { AGAIN_MS } from "../store";
import { Contents, roomFor, VERSION } from "./contents";
import { Journal, type Kind } from "./journal";
import { Lock } from "./lock";
import type { Record } from "./record";

/** The interval at which the path is checked: somebody may remove, move or restore the file or its folder. Milliseconds. */
const CHECK_MS = 5000;
/** A shorter journal is not rewritten. Bytes. */
const SHORT = 1024 * 1024;
/** Lines for each entry and key that is kept, from which on the journal is rewritten. */
const LONG = 4;
/** The time without waiting calls after which the journal forgets who was called. Milliseconds. */
const IDLE_MS = 1000;
/** While entries wait, the time is written at this interval, to know later how long a stop was. Milliseconds. */
const TICK_MS = 60_000;
/** The time for which a write that nobody waits for waits for others. Milliseconds. */
const SOON_MS = 10;
/** A clock that shows an earlier year was not set: some boards have no battery. Epoch milliseconds. */
const SET_CLOCK = Date.UTC(2025, 0);

/** Keeps a journal and what it holds: locked and at its path, without what has ended, with the time of its last line. */
export class Keeper {
  /** The time for which nothing ran before, milliseconds; `undefined` if that is not known. */
  readonly stoppedForMs: number | undefined;
  /** The clock when `performance.now()` was 0. */
  readonly #origin: number;
  readonly #timers: NodeJS.Timeout[] = [];
  /** Absent until the journal is in use. */
  #onFailure: ((reason: string | undefined) => void) | undefined;
  /** The writes that fail: a full disk may take changes but nothing new. */
  #failing: "new" | "all" | undefined;
  #idle: NodeJS.Timeout | undefined;
  /** Writes that nobody waits for. */
  #unhurried: (() => void)[] = [];
  #soon: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  /** If rewriting fails, it is tried again when the journal has this many lines. */
  #tryAt = 0;
  #rewriting = false;
  isClosed = false;

  private constructor(
    private readonly journal: Journal,
    private lock: Lock,
    /** The contents of the journal: changes apply when they are stored. */
    readonly contents: Contents,
    readonly clock: StartClock,
    private readonly onWrittenAnew?: () => void,
  ) {
    this.stoppedForMs = downTime(contents);
    // If the length of the stop is unknown, keys are kept longer rather than shorter.
    this.#origin = contents.now + (this.stoppedForMs ?? 0) - performance.now();
  }

  /**
   * The journal at a path, and how many of its lines cannot be read. Rejects with `LockedError` if another process uses the
   * file, else with the error of the file system.
   * @param onWrittenAnew called when the file was removed, moved or replaced, and has been written again
   */
  static async open(path: string, machine: typeof MACHINE, onWrittenAnew?: () => void) {
    const lock = await Lock.take(path);
    const contents = new Contents();
    let opened: Awaited<ReturnType<typeof Journal.open>> | undefined;
    try {
      const room = (records: readonly object[]) =>
        records.reduce((sum, record) => sum + roomFor(record as Record), contents.room);
      opened = await Journal.open(path, room);
      const damaged = opened.damaged + contents.read(opened.records);
      // The entry of a damaged line may have begun, so a person has to look before the others begin.
      if (damaged > 0) contents.holdBackAll(Date.now());
      const clock = new StartClock(contents.boot, machine);
      return { keeper: new Keeper(opened.journal, lock, contents, clock, onWrittenAnew), damaged };
    } catch (error) {
      await opened?.journal.close();
      await lock.release();
      throw error;
    }
  }

  /** The milliseconds on a clock that goes on after a restart and never jumps. */
  now(): number {
    return this.#origin + performance.now();
  }

  /** @param onFailure the journal begins to fail, or (`undefined`) works again */
  start(onFailure: (reason: string | undefined) => void): void {
    this.#onFailure = onFailure;
    // Not before what is held back has been written down: the next start must not take the stop for a short one.
    void this.#note();
    this.#timers.push(
      setInterval(() => void (this.#isIdle || this.#note()), TICK_MS).unref(),
      setInterval(() => void this.check(), CHECK_MS).unref(),
    );
  }

  /**
   * Writes a record. Resolves to the error that has kept it from being stored at first.
   * @param stored called before the journal goes on; for a fact, it may be called with errors before
   */
  write(kind: Kind, record: Record, stored: (error?: Error) => unknown = () => {}): Promise<Error | undefined> {
    this.#hurry();
    return new Promise((resolve) => {
      this.journal.append(
        record,
        (error) => {
          if (!error) this.contents.apply(record);
          stored(error);
          if (!error) void this.shorten();
          // A small record may fit where no entry does.
          if (kind !== "new" || "accept" in record) this.#observe(error, kind === "new");
          resolve(error);
        },
        kind,
      );
    });
  }

  /** Writes a fact that nobody waits for: together with the next record, or soon. */
  writeSoon(record: Record, stored: (error?: Error) => unknown): void {
    this.#unhurried.push(() => void this.write("fact", record, stored));
    this.#soon ??= setTimeout(() => this.#hurry(), SOON_MS);
  }

  #hurry(): void {
    if (!this.#soon) return;
    clearTimeout(this.#soon);
    this.#soon = undefined;
    for (const write of this.#unhurried.splice(0)) write();
  }

  /** Writes everything again if the path does not name the journal any more. Nothing else is written until that has succeeded. */
  async check(): Promise<void> {
    if (this.#rewriting) return;
    this.#rewriting = true;
    try {
      await mkdir(dirname(this.lock.file), { recursive: true, mode: 0o700 });
      this.lock = await this.lock.renewed();
      if (await this.journal.isInPlace().catch(() => false)) this.journal.suspend(undefined);
      else {
        await this.#writeAnew();
        this.onWrittenAnew?.();
      }
    } catch (error) {
      this.journal.suspend(error as Error);
      this.#observe(error as Error, false);
    } finally {
      this.#rewriting = false;
    }
  }

  /** Rewrites the journal without what has ended. If that fails, the old journal stays in use. */
  async shorten(isNeeded = this.#isLong): Promise<void> {
    if (this.#rewriting || !isNeeded) return;
    this.#rewriting = true;
    try {
      await this.#writeAnew();
    } catch {
      // E.g. the disk is full.
      this.#tryAt = 2 * this.journal.lines;
    }
    this.#rewriting = false;
  }

  /** Forgets who was called, if nothing waits any more. Call when something has ended. */
  forgetWhenIdle(): void {
    clearTimeout(this.#idle);
    // Once it is closed, another store may have the file.
    if (this.#isIdle && !this.isClosed) this.#idle = setTimeout(() => void this.shorten(this.#isIdle), IDLE_MS).unref();
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    clearTimeout(this.#idle);
    this.isClosed = true;
    clearTimeout(this.#retry);
    await this.check();
    await this.#note();
    await this.shorten(this.#isIdle);
    await this.journal.close();
    await this.lock.release();
  }

  #observe(error: Error | undefined, isNew: boolean): void {
    const before = this.#failing;
    if (error) this.#failing = isNew && before !== "all" ? "new" : "all";
    else if (isNew || before === "all") this.#failing = undefined;
    if (before !== this.#failing) this.#onFailure?.(error?.message);
    if (error && !isNew && !this.isClosed)
      this.#retry ??= setTimeout(() => {
        this.#retry = undefined;
        void this.check().then(() => this.#note());
      }, AGAIN_MS).unref();
  }

  get #isIdle(): boolean {
    return this.contents.isIdle;
  }

  #note(): Promise<unknown> {
    return this.write("checkpoint", this.#checkpoint);
  }

  get #checkpoint(): Record {
    return { v: VERSION, now: this.now(), wall: Date.now(), boot: this.clock.boot };
  }

  /** Whether most of the journal is about what has ended. */
  get #isLong(): boolean {
    const { length, lines } = this.journal;
    const { entries, uses, values, decided } = this.contents;
    const kept = entries.size + uses.size + values.size + decided.size;
    return length > SHORT && lines > LONG * kept && lines >= this.#tryAt;
  }

  async #writeAnew(): Promise<void> {
    await this.journal.rewrite(
      () => this.#live(),
      () => this.contents.begunOrEnded(),
    );
    this.#tryAt = 0;
  }

  *#live(): Generator<Record> {
    const now = this.now();
    for (const { hash, until } of this.contents.uses.values())
      if (until !== undefined && until <= now) this.contents.uses.delete(hash);
    // Until the start, the stop is not over.
    const { now: stoppedAt, wall = 0, boot } = this.contents;
    yield this.#onFailure ? this.#checkpoint : { v: VERSION, now: stoppedAt, wall, boot };
    yield* this.contents.records();
  }
}

/** Returns the time for which nothing ran; `undefined` if a clock was not set, or was set back. */
function downTime({ wall }: Contents): number | undefined {
  const now = Date.now();
  return wall !== undefined && wall >= SET_CLOCK && now >= wall ? now - wall : undefined;
}
