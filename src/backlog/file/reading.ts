import type { FileHandle } from "node:fs/promises";
import { linesOf, recordOf } from "./line";

const CHUNK = 1024 * 1024;
const NULS = Buffer.alloc(CHUNK);

export interface Reading {
  /** The records of all lines that are whole, in the order in which they were appended. */
  readonly records: readonly object[];
  /** Lines that cannot be read. */
  readonly damaged: number;
  /** Where the last line ends. */
  readonly end: number;
  /** The size of the file, unless something else than room for later lines follows the last one. */
  readonly size: number | undefined;
}

/**
 * Reads all lines in chunks, so that a long file needs little memory and does not block the process. Rejects with the error
 * of the file system.
 */
export async function read(file: FileHandle): Promise<Reading> {
  const records: object[] = [];
  let damaged = 0;
  let end = 0;
  let position = 0;
  let rest: Buffer = Buffer.alloc(0);
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK);
    const { bytesRead } = await file.read(chunk, 0, CHUNK, position);
    if (bytesRead === 0) return { records, damaged, end, size: rest.length === 0 ? position : undefined };
    const start = position - rest.length;
    position += bytesRead;
    const bytes = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
    let taken = 0;
    for (const found of linesOf(bytes)) {
      const record = recordOf(found.line);
      if (typeof record === "object" && record !== null) records.push(record);
      else damaged += 1;
      taken = found.end;
      end = start + taken;
    }
    rest = bytes.subarray(taken);
    // All of them are room for later lines, or the beginning of a line that is damaged.
    if (isNuls(rest)) rest = Buffer.alloc(0);
  }
}

function isNuls(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at += CHUNK) {
    const part = bytes.subarray(at, at + CHUNK);
    if (!part.equals(NULS.subarray(0, part.length))) return false;
  }
  return true;
}
