import type { FileHandle } from "node:fs/promises";
import { isOverwritten, linesOf, numberOf, recordOf } from "./line";

const CHUNK = 64 * 1024;
const NULS = Buffer.alloc(CHUNK);

/**
 * Reads all lines in chunks, so that a long file needs little memory and does not block the process. Rejects with the error
 * of the file system.
 * @returns the records of all lines that are whole, by their numbers: a copy takes the place of a line that is damaged; how many
 *   lines cannot be read; the highest number; where the last line ends; and the size, unless something else than room for later
 *   lines follows it
 */
export async function read(file: FileHandle) {
  const byNumber = new Map<number, object>();
  let damaged = 0;
  let end = 0;
  // One buffer for all: a new one for each chunk would be a burden to the garbage collector.
  let buffer = Buffer.allocUnsafe(CHUNK);
  /** The offset of the buffer's first byte in the file, and the number of bytes that it holds. */
  let start = 0;
  let held = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, held, buffer.length - held, start + held);
    if (bytesRead === 0) {
      const rest = buffer.subarray(0, held);
      if (isOverwritten(rest)) damaged += 1;
      const numbers = [...byNumber.keys()].sort((a, b) => a - b);
      const records = numbers.map((number) => byNumber.get(number) as object);
      return { records, damaged, last: numbers.at(-1) ?? 0, end, size: isNuls(rest) ? start + held : undefined };
    }
    held += bytesRead;
    let taken = 0;
    for (const found of linesOf(buffer.subarray(0, held))) {
      const record = recordOf(found.line);
      const number = numberOf(found.line);
      if (typeof record !== "object" || record === null || Number.isNaN(number)) damaged += 1;
      else byNumber.set(number, record);
      taken = found.end;
      end = start + taken;
    }
    // All NULs: room for later lines, or a part of a line that is damaged, of which one remains to be seen.
    if (taken < held && isNuls(buffer.subarray(taken, held))) taken = held - 1;
    buffer.copyWithin(0, taken, held);
    start += taken;
    held -= taken;
    if (held > buffer.length / 2) buffer = Buffer.concat([buffer], 2 * buffer.length);
  }
}

function isNuls(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at += CHUNK) {
    const part = bytes.subarray(at, at + CHUNK);
    if (!part.equals(NULS.subarray(0, part.length))) return false;
  }
  return true;
}
