import type { FileHandle } from "node:fs/promises";

const CHUNK = 1024 * 1024;
const NULS = Buffer.alloc(CHUNK);
/** A new file is written in chunks of this many lines. */
const LINES_AT_ONCE = 200;

/** Allocates room for later lines. Rejects with the error of the file system. */
export async function writeNuls(file: FileHandle, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at += CHUNK) await writeAll(file, NULS.subarray(0, Math.min(CHUNK, to - at)), at);
}

/** A disk that is nearly full takes a part of a write. */
export async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}

/** Fills a new file. Returns where the lines end. */
export async function writeLines(
  file: FileHandle,
  records: Iterable<object>,
  lineOf: (record: object) => Buffer,
): Promise<number> {
  let end = 0;
  let chunk: Buffer[] = [];
  const flush = async () => {
    const bytes = Buffer.concat(chunk);
    chunk = [];
    await writeAll(file, bytes, end);
    end += bytes.length;
  };
  for (const record of records) if (chunk.push(lineOf(record)) === LINES_AT_ONCE) await flush();
  await flush();
  return end;
}
