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
/** The distance of a line and its copy: a damaged block does not reach both. Bytes. */
const APART = 4096;
/** Empty lines, where too few others are between a line and its copy. */
const GAP = Buffer.alloc(APART, "\n");
/** Appends that are settled without letting the process do anything else. */
const SETTLED_AT_ONCE = 50;

interface Opened {
  readonly journal: Journal;
  /** The records of all lines that are whole, in the order in which they were appended. */
  readonly records: readonly object[];
  /** Lines that cannot be read. */
  readonly damaged: number;
}

/** Called once: without an error when the record is on the disk, with one when it certainly is not. */
type Settled = (error?: Error) => void;

/** A journal file has lines up to `end`, and room for more up to `size`. */
interface Extent {
  readonly end: number;
  readonly size: number;
  readonly lines: number;
}

interface Append {
  readonly record: object;
  readonly bytes: Buffer;
  readonly kind: "new" | "follow-up" | "checkpoint";
  readonly settled: Settled;
}

/** A line that is written again when the file has grown. */
interface Copy extends Pick<Append, "record" | "bytes"> {
  /** The line ends before this position. */
  readonly at: number;
}

/**
 * An append-only file of records, for one process. Appends that arrive while the disk is busy share the next `fdatasync`.
 *
 * A full disk must not keep an accepted record from being followed up. Room for that is `reserved`: it is written as NULs,
 * and later lines overwrite it.
 *
 * What must not be lost is written twice, with other lines in between.
 */
export class Journal {
  /** Bytes to keep for `followUp`. Growing it takes effect with the next `append`. */
  reserved = 0;
  readonly #path: string;
  readonly #holds: (record: object) => boolean;
  #file: FileHandle;
  /** Where the next line begins. */
  #end: number;
  #lines: number;
  #size: number;
  #waiting: Append[] = [];
  /** In the order of their lines. */
  #copies: Copy[] = [];
  #rewrite: (() => Promise<void>) | undefined;
  #working: Promise<void> | undefined;

  private constructor(path: string, holds: (record: object) => boolean, file: FileHandle, extent: Extent) {
    const { end, size, lines } = extent;
    this.#path = path;
    this.#holds = holds;
    this.#file = file;
    this.#end = end;
    this.#size = size;
    this.#lines = lines;
  }

  /**
   * Opens or creates the file. Rejects with the error of the file system.
   * @param holds whether a copy of a record that follows up another one is to be written now: it must not be lost, and no
   *   later record that is stored contradicts it
   */
  static async open(path: string, holds: (record: object) => boolean = () => false): Promise<Opened> {
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
      return { journal: new Journal(path, holds, file, extent), records, damaged };
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
    this.#add(record, "new", settled);
  }

  /** Appends a record that follows up an earlier one, in reserved room if the disk is full. */
  followUp(record: object, settled: Settled): void {
    this.#add(record, "follow-up", settled);
  }

  /** As `followUp`. All copies are written with it, if there is room. */
  checkpoint(record: object, settled: Settled): void {
    this.#add(record, "checkpoint", settled);
  }

  /**
   * Replaces all records. A crash leaves either the old file or the new one. Appends wait meanwhile, so what `records`
   * reads does not change if it is changed by settled appends only.
   * @param copied those of the records of which copies are written later
   */
  rewrite(records: () => Iterable<object>, copied: () => Iterable<object> = () => []): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#rewrite = () => this.#replace(records(), copied).then(resolve, reject);
      this.#work();
    });
  }

  /** Waits for the appends so far, and closes the file. */
  async close(): Promise<void> {
    await this.#working;
    await this.#file.close();
  }

  #add(record: object, kind: Append["kind"], settled: Settled): void {
    this.#waiting.push({ record, bytes: lineOf(record), kind, settled });
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
    const needed = this.#needed(batch);
    if (needed <= this.#size || !batch.some(({ kind }) => kind === "new")) return undefined;
    const size = Math.ceil(needed / GROWTH) * GROWTH;
    try {
      await writeNuls(this.#file, this.#size, size);
      this.#size = size;
      return undefined;
    } catch (error) {
      return error as Error;
    }
  }

  #needed(batch: readonly Append[]): number {
    return this.#end + lengthOf(this.#copies) + APART + lengthOf(batch) + this.reserved;
  }

  /** Removes and returns the copies that are to be written before a batch. */
  #takeCopies(batch: readonly Append[]): { gap: readonly { bytes: Buffer }[]; copies: readonly Copy[] } {
    const isLast = batch.some(({ kind }) => kind === "checkpoint") && this.#needed(batch) <= this.#size;
    const first = isLast ? -1 : this.#copies.findIndex(({ at }) => at + APART > this.#end);
    const due = this.#copies.splice(0, first < 0 ? this.#copies.length : first);
    const copies = due.filter(({ record }) => this.#holds(record));
    return { gap: isLast && copies.length > 0 ? [{ bytes: GAP }] : [], copies };
  }

  /** The appends of a batch that fit into the reserved room. Refuses the others. */
  #inReserve(batch: readonly Append[], refusal: Error): readonly Append[] {
    for (const { kind, settled } of batch) if (kind === "new") settled(refusal);
    return batch.filter(({ kind }) => kind !== "new");
  }

  async #commit(batch: readonly Append[]): Promise<void> {
    const { gap, copies } = this.#takeCopies(batch);
    const bytes = Buffer.concat([...gap, ...copies, ...batch].map((line) => line.bytes));
    try {
      await writeAll(this.#file, bytes, this.#end);
      await this.#file.datasync();
    } catch (error) {
      // A line that was refused must not come back after a crash.
      await this.#blank(this.#end, bytes.length);
      this.#copies.unshift(...copies);
      for (const { settled } of batch) settled(error as Error);
      return;
    }
    this.#end += bytes.length;
    this.#lines += copies.length + batch.length;
    for (const { kind, record, bytes } of batch)
      if (kind === "follow-up") this.#copies.push({ record, bytes, at: this.#end });
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

  async #replace(records: Iterable<object>, copied: () => Iterable<object>): Promise<void> {
    const temporary = `${this.#path}.new`;
    // Opened first: after the rename nothing may fail for want of a descriptor.
    const folder = await openFolder(dirname(this.#path));
    let next: FileHandle | undefined;
    try {
      next = await open(temporary, "w", 0o600);
      const { end, lines } = await writeLines(next, records);
      const size = end + this.reserved + GROWTH;
      await writeNuls(next, end, size);
      await next.sync();
      await rename(temporary, this.#path);
      // The path names the new file from here on, so appends must go there whatever fails.
      const old = this.#file;
      this.#file = next;
      this.#end = end;
      this.#lines = lines;
      this.#size = size;
      this.#copies = Array.from(copied(), (record) => ({ record, bytes: lineOf(record), at: end }));
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

function lengthOf(lines: readonly Pick<Append, "bytes">[]): number {
  return lines.reduce((sum, { bytes }) => sum + bytes.length, 0);
}
