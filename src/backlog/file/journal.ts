import { constants } from "node:fs";
import { type FileHandle, mkdir, open, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { replaceDurably } from "../../json/replace-file";
import { lineOf } from "./line";
import { read } from "./reading";
import { writeAll, writeLines, writeNuls } from "./writing";

/** The file grows by at least this many bytes at a time, so that few appends change its size. */
const GROWTH = 64 * 1024;
/** Appends that share a write. */
const APPENDS_AT_ONCE = 2000;
/** The distance of a line and its copy: a damaged block does not reach both. Bytes. */
const APART = 4096;
/** Empty lines, where too few others are between a line and its copy. */
const GAP = Buffer.alloc(APART, "\n");
/** Bytes of the last line by which a file is recognized. */
const PROOF = 64;
/** Appends that are settled without letting the process do anything else. */
const SETTLED_AT_ONCE = 50;

/** Called once: without an error when the record is on the disk, with one when it certainly is not. For a fact, it may be called with errors before. */
type Settled = (error?: Error) => void;

/**
 * `new`: refused if it would use reserved room. The others follow up an earlier record, in reserved room if the disk is full. A
 * `fact` that cannot be written is tried again before each later append. With a `checkpoint`, all copies are written if there is room.
 */
export type Kind = "new" | "follow-up" | "fact" | "checkpoint";

interface Append {
  readonly record: object;
  readonly kind: Kind;
  readonly settled: Settled;
}

interface Line extends Append {
  readonly bytes: Buffer;
}

/** A line that is written again when the file has grown. */
interface Copy extends Pick<Line, "bytes"> {
  /** The line ends before this position. */
  readonly at: number;
}

/**
 * An append-only file of records, for one process. Appends that arrive while the disk is busy share the next `fdatasync`.
 *
 * A full disk must not keep an accepted record from being followed up. Room for that is kept: it is written as NULs,
 * and later lines overwrite it.
 *
 * What follows up an earlier record is written twice, with other lines in between. Lines are numbered as they are first written,
 * and read in the order of their numbers, so that a copy takes the place of a damaged line.
 */
export class Journal {
  lines = 0;
  /** The highest number of a line. */
  #number = 0;
  /** Up to here, the file may have lines that were refused. */
  #refusedTo = 0;
  /** The bytes that were written last: the file has it in front of its end, unless somebody has restored it from a copy. */
  #tail: Buffer = Buffer.alloc(0);
  #isReplaced = false;
  /** The reason why the path does not name this file any more: until it does, nothing is written. */
  #missing: Error | undefined;
  /** Facts that could not be written. They go before any other append. */
  #owed: Append[] = [];
  #waiting: Append[] = [];
  /** In the order of their lines. */
  #copies: Copy[] = [];
  #rewrite: (() => Promise<void>) | undefined;
  #working: Promise<void> | undefined;

  private constructor(
    private readonly path: string,
    private readonly room: (records: readonly object[]) => number,
    private file: FileHandle,
    /** The offset at which the next line begins. */
    private end: number,
    private size: number,
  ) {}

  /**
   * Opens or creates the file. Resolves to what `read` has found in it, too. Rejects with the error of the file system.
   * @param room the bytes to keep for what follows up, once these records are stored
   */
  static async open(path: string, room: (records: readonly object[]) => number = () => 0) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    try {
      const { records, damaged, last, end, size } = await read(file);
      // What follows the last whole line was never acknowledged, and the next line would overwrite it only in part.
      if (size === undefined) await file.truncate(end);
      const journal = new Journal(path, room, file, end, size ?? end);
      journal.lines = records.length + damaged;
      journal.#number = last;
      journal.#tail = await journal.#before(PROOF);
      return { journal, records, damaged };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Bytes of all lines. */
  get length(): number {
    return this.end;
  }

  append(record: object, settled: Settled, kind: Kind = "new"): void {
    this.#waiting.push({ record, kind, settled });
    this.#working ??= this.#workOff();
  }

  /**
   * Replaces all records. A crash leaves either the old file or the new one. Appends wait meanwhile, so what `records`
   * reads does not change if it is changed by settled appends only.
   * @param copied those of the records of which copies are written later
   */
  rewrite(records: () => Iterable<object>, copied: () => Iterable<object> = () => []): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#rewrite = () => this.#replace(records(), copied).then(resolve, reject);
      this.#working ??= this.#workOff();
    });
  }

  /** Suspends writing as long as there is a reason, or until the next rewrite. */
  suspend(reason: Error | undefined): void {
    this.#missing = reason;
  }

  /** Whether the path still names this file, and nobody has replaced what was written to it. */
  async isInPlace(): Promise<boolean> {
    const [own, { ino, dev }] = await Promise.all([
      this.file.stat({ bigint: true }),
      stat(this.path, { bigint: true }),
    ]);
    return own.ino === ino && own.dev === dev && !this.#isReplaced && this.#isWhole();
  }

  async #isWhole(): Promise<boolean> {
    const tail = this.#tail;
    return tail.equals(await this.#before(tail.length));
  }

  /** Reads what the file has in front of its end. */
  async #before(length: number): Promise<Buffer> {
    const bytes = Buffer.alloc(Math.min(length, this.end));
    await this.file.read(bytes, 0, bytes.length, this.end - bytes.length);
    return bytes;
  }

  /** Waits for the appends so far, and closes the file. */
  async close(): Promise<void> {
    await this.#working;
    await this.file.close();
  }

  #lineOf(record: object): Buffer {
    this.#number += 1;
    return lineOf(record, this.#number);
  }

  async #workOff(): Promise<void> {
    // Appends of the same tick share the first write.
    await Promise.resolve();
    let atOnce = APPENDS_AT_ONCE;
    while (this.#waiting.length > 0 || this.#rewrite) {
      const rewrite = this.#rewrite;
      this.#rewrite = undefined;
      await rewrite?.();
      const appends = [...this.#owed.splice(0), ...this.#waiting.splice(0, atOnce)];
      if (this.#missing) this.#refuse(appends, this.#missing);
      else {
        // Numbered only here: those of a rewrite come before what waits.
        const batch = appends.map((append) => Object.assign(append, { bytes: this.#lineOf(append.record) }));
        const fitting = await this.#fitting(batch);
        // On a full disk, the lines of what waits again would be made in vain.
        atOnce = fitting.length < appends.length ? 1 : Math.min(2 * atOnce, APPENDS_AT_ONCE);
        await this.#commit(fitting);
      }
    }
    this.#working = undefined;
  }

  /** Makes the file large enough for a batch and the room to keep. Returns why it cannot grow. */
  async #grow(batch: readonly Line[]): Promise<Error | undefined> {
    const needed = batch.some(({ kind }) => kind === "new") ? this.#needed(batch) : 0;
    if (needed <= this.size) return undefined;
    const size = Math.ceil(needed / GROWTH) * GROWTH;
    try {
      await writeNuls(this.file, this.size, size);
      this.size = size;
      return undefined;
    } catch (error) {
      return error as Error;
    }
  }

  #needed(batch: readonly Line[]): number {
    const room = this.room(batch.map(({ record }) => record));
    return this.end + lengthOf(this.#copies) + APART + lengthOf(batch) + room;
  }

  /** Removes and returns the copies that are to be written before a batch. */
  #takeCopies(batch: readonly Line[]): { gap: readonly { bytes: Buffer }[]; copies: readonly Copy[] } {
    const isLast = batch.some(({ kind }) => kind === "checkpoint") && this.#needed(batch) <= this.size;
    const first = isLast ? -1 : this.#copies.findIndex(({ at }) => at + APART > this.end);
    const copies = this.#copies.splice(0, first < 0 ? this.#copies.length : first);
    return { gap: isLast && copies.length > 0 ? [{ bytes: GAP }] : [], copies };
  }

  /** The appends of a batch that fit into the file. Refuses the others, or lets them wait again. */
  async #fitting(batch: Line[]): Promise<readonly Line[]> {
    if (!(await this.#grow(batch))) return batch;
    // Together they do not fit, but the first new one may.
    const first = batch.findIndex(({ kind }) => kind === "new");
    this.#waiting = [...batch.splice(first + 1), ...this.#waiting];
    const refusal = await this.#grow(batch);
    if (refusal) this.#refuse(batch.splice(first), refusal);
    return batch;
  }

  #refuse(batch: readonly Append[], reason: Error): void {
    this.#owed.push(...batch.filter(({ kind }) => kind === "fact"));
    for (const { settled } of batch) settled(reason);
  }

  async #commit(batch: readonly Line[]): Promise<void> {
    if (batch.length === 0) return;
    const { gap, copies } = this.#takeCopies(batch);
    const lines = [...gap, ...copies, ...batch];
    const end = this.end + lengthOf(lines);
    // A line that was refused must not come back behind these.
    const rest = Buffer.alloc(Math.max(this.#refusedTo - end, 0));
    // Meanwhile: what is written now would hide that the file has been replaced.
    const isWhole = this.#isWhole().catch(() => true);
    try {
      await writeAll(this.file, Buffer.concat([...lines.map(({ bytes }) => bytes), rest]), this.end);
      await this.file.datasync();
    } catch (error) {
      this.#refusedTo = Math.max(this.#refusedTo, end);
      // Nor after a crash.
      await this.#blank(this.end, end);
      this.#copies.unshift(...copies);
      this.#refuse(batch, error as Error);
      return;
    }
    this.#isReplaced ||= !(await isWhole);
    this.#refusedTo = 0;
    this.end = end;
    this.#tail = lines.at(-1)?.bytes.subarray(-PROOF) ?? this.#tail;
    this.lines += copies.length + batch.length;
    for (const { kind, bytes } of batch)
      if (kind === "follow-up" || kind === "fact") this.#copies.push({ bytes, at: this.end });
    this.size = Math.max(this.size, this.end);
    for (const [index, { settled }] of batch.entries()) {
      if (index > 0 && index % SETTLED_AT_ONCE === 0) await new Promise(setImmediate);
      settled();
    }
  }

  async #blank(from: number, to: number): Promise<void> {
    try {
      await writeNuls(this.file, from, to);
      await this.file.datasync();
    } catch {
      // The disk takes nothing any more. The next append that succeeds overwrites the line.
    }
  }

  async #replace(records: Iterable<object>, copied: () => Iterable<object>): Promise<void> {
    const number = this.#number;
    let [end, size] = [0, 0];
    const write = async (file: FileHandle) => {
      end = await writeLines(file, records, (record) => this.#lineOf(record));
      size = end + this.room([]) + GROWTH;
      await writeNuls(file, end, size);
    };
    await replaceDurably(this.path, write, (file) => {
      // The path names the new file from here on, so appends must go there whatever fails.
      const old = this.file;
      this.file = file;
      this.end = end;
      this.lines = this.#number - number;
      this.size = size;
      this.#missing = undefined;
      this.#refusedTo = 0;
      this.#isReplaced = false;
      this.#copies = Array.from(copied(), (record) => ({ bytes: this.#lineOf(record), at: end }));
      return old;
    });
    this.#tail = await this.#before(PROOF);
  }
}

function lengthOf(lines: readonly Pick<Line, "bytes">[]): number {
  return lines.reduce((sum, { bytes }) => sum + bytes.length, 0);
}
