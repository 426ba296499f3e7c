import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { lineOf } from "./line";
import { read } from "./reading";
import { openFolder, writeAll, writeNuls } from "./writing";

/** The file grows by at least this many bytes at a time, so that few appends change its size. */
const GROWTH = 64 * 1024;
/** A new file is written in chunks of this many lines. */
const LINES_AT_ONCE = 200;
/** Appends that share a write. */
const APPENDS_AT_ONCE = 2000;
/** Appends that are settled without letting the process do anything else. */
const SETTLED_AT_ONCE = 200;

export interface Opened {
  readonly journal: Journal;
  /** The records of all lines that are whole, in the order in which they were appended. */
  readonly records: readonly object[];
  /** Lines that cannot be read. */
  readonly damaged: number;
}

/** Called once: without an error when the record is on the disk, with one when it certainly is not. */
type Settled = (error?: Error) => void;

/** What a file holds: lines up to `end`, and room for more up to `size`. */
interface Extent {
  readonly end: number;
  readonly size: number;
  readonly lines: number;
}

interface Append {
  readonly bytes: Buffer;
  readonly lines: number;
  readonly followsUp: boolean;
  readonly settled: Settled;
}

/**
 * An append-only file of records, for one process. Appends that arrive while the disk is busy share the next `fdatasync`.
 *
 * A full disk must not keep an accepted record from being followed up. Room for that is `reserved`: it is written as NULs,
 * and later lines overwrite it.
 */
export class Journal {
  /** Bytes to keep for `followUp`. Growing it takes effect with the next `append`. */
  reserved = 0;
  readonly #path: string;
  #file: FileHandle;
  /** Where the next line begins. */
  #end: number;
  #lines: number;
  #size: number;
  #waiting: Append[] = [];
  #rewrite: (() => Promise<void>) | undefined;
  #working: Promise<void> | undefined;

  private constructor(path: string, file: FileHandle, { end, size, lines }: Extent) {
    this.#path = path;
    this.#file = file;
    this.#end = end;
    this.#size = size;
    this.#lines = lines;
  }

  /** Opens or creates the file. Rejects with the error of the file system. */
  static async open(path: string): Promise<Opened> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(path, "a+", 0o600).then(async (created) => {
      await created.close();
      return open(path, "r+");
    });
    try {
      const { records, damaged, end, size } = await read(file);
      // What follows the last whole line was never acknowledged, and the next line would overwrite it only in part.
      if (size === undefined) await file.truncate(end);
      const extent = { end, size: size ?? end, lines: records.length + damaged };
      return { journal: new Journal(path, file, extent), records, damaged };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Bytes of all lines. */
  get length(): number {
    return this.#end;
  }

  get lines(): number {
    return this.#lines;
  }

  /** Appends a record, unless it would use reserved room. */
  append(record: object, settled: Settled): void {
    this.#add({ bytes: lineOf(record), lines: 1, followsUp: false, settled });
  }

  /**
   * Appends a record that follows up an earlier one, in reserved room if the disk is full.
   * @param copies lines to write; with two, damage to one of them loses nothing
   */
  followUp(record: object, copies: 1 | 2, settled: Settled): void {
    const line = lineOf(record);
    const bytes = copies === 2 ? Buffer.concat([line, line]) : line;
    this.#add({ bytes, lines: copies, followsUp: true, settled });
  }

  /**
   * Replaces all records. A crash leaves either the old file or the new one. Appends wait meanwhile, so what `records`
   * reads does not change if it is changed by settled appends only.
   */
  rewrite(records: () => Iterable<object>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#rewrite = () => this.#replace(records()).then(resolve, reject);
      this.#work();
    });
  }

  /** Waits for the appends so far, and closes the file. */
  async close(): Promise<void> {
    await this.#working;
    await this.#file.close();
  }

  #add(append: Append): void {
    this.#waiting.push(append);
    this.#work();
  }

  #work(): void {
    this.#working ??= this.#workOff();
  }

  async #workOff(): Promise<void> {
    // Appends of the same tick share the first write.
    await Promise.resolve();
    while (this.#waiting.length > 0 || this.#rewrite) {
      const rewrite = this.#rewrite;
      this.#rewrite = undefined;
      await rewrite?.();
      const batch = this.#waiting.splice(0, APPENDS_AT_ONCE);
      let refusal = await this.#grow(batch);
      if (refusal && batch.length > 1) {
        // Together they do not fit, but the first may.
        this.#waiting = [...batch.splice(1), ...this.#waiting];
        refusal = await this.#grow(batch);
      }
      const fitting = refusal ? this.#inReserve(batch, refusal) : batch;
      if (fitting.length > 0) await this.#commit(fitting);
    }
    this.#working = undefined;
  }

  /** Makes the file large enough for a batch and the reserved room. Returns why it cannot grow. */
  async #grow(batch: readonly Append[]): Promise<Error | undefined> {
    const needed = this.#end + lengthOf(batch) + this.reserved;
    if (needed <= this.#size || !batch.some(({ followsUp }) => !followsUp)) return undefined;
    const size = Math.ceil(needed / GROWTH) * GROWTH;
    try {
      await writeNuls(this.#file, this.#size, size);
      this.#size = size;
      return undefined;
    } catch (error) {
      return error as Error;
    }
  }

  /** The appends of a batch that fit into the reserved room. Refuses the others. */
  #inReserve(batch: readonly Append[], refusal: Error): readonly Append[] {
    for (const { followsUp, settled } of batch) if (!followsUp) settled(refusal);
    return batch.filter(({ followsUp }) => followsUp);
  }

  async #commit(batch: readonly Append[]): Promise<void> {
    const bytes = Buffer.concat(batch.map((append) => append.bytes));
    try {
      await writeAll(this.#file, bytes, this.#end);
      await this.#file.datasync();
    } catch (error) {
      // A line that was refused must not come back after a crash.
      await this.#blank(this.#end, bytes.length);
      for (const { settled } of batch) settled(error as Error);
      return;
    }
    this.#end += bytes.length;
    for (const { lines } of batch) this.#lines += lines;
    this.#size = Math.max(this.#size, this.#end);
    for (const [index, { settled }] of batch.entries()) {
      if (index > 0 && index % SETTLED_AT_ONCE === 0) await new Promise(setImmediate);
      settled();
    }
  }

  async #blank(at: number, length: number): Promise<void> {
    try {
      await writeNuls(this.#file, at, at + length);
      await this.#file.datasync();
    } catch {
      // The disk takes nothing any more. The next append that succeeds overwrites the line.
    }
  }

  async #replace(records: Iterable<object>): Promise<void> {
    const temporary = `${this.#path}.new`;
    // Opened first: after the rename nothing may fail for want of a descriptor.
    const folder = await openFolder(dirname(this.#path));
    let next: FileHandle | undefined;
    try {
      next = await open(temporary, "w", 0o600);
      const { end, lines } = await writeLines(next, records);
      const size = end + this.reserved;
      await writeNuls(next, end, size);
      await next.sync();
      await rename(temporary, this.#path);
      // The path names the new file from here on, so appends must go there whatever fails.
      const old = this.#file;
      this.#file = next;
      this.#end = end;
      this.#lines = lines;
      this.#size = size;
      next = old;
      await folder?.sync().catch(ignore);
    } finally {
      await next?.close().catch(ignore);
      await folder?.close().catch(ignore);
      await rm(temporary, { force: true }).catch(ignore);
    }
  }
}

/** Nothing is lost: the file system syncs by itself later, or a file of its own name is left that the next rewrite replaces. */
function ignore(): void {}

async function writeLines(file: FileHandle, records: Iterable<object>): Promise<{ end: number; lines: number }> {
  let end = 0;
  let count = 0;
  let lines: Buffer[] = [];
  const flush = async () => {
    const chunk = Buffer.concat(lines);
    count += lines.length;
    lines = [];
    await writeAll(file, chunk, end);
    end += chunk.length;
  };
  for (const record of records) {
    lines.push(lineOf(record));
    if (lines.length === LINES_AT_ONCE) await flush();
  }
  await flush();
  return { end, lines: count };
}

function lengthOf(batch: readonly Append[]): number {
  return batch.reduce((sum, { bytes }) => sum + bytes.length, 0);
}
