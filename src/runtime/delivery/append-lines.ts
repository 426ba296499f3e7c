import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, readSync, writeSync } from "node:fs";
import { dirname } from "node:path";

const NEWLINE = "\n".charCodeAt(0);

/**
 * Appends lines to a file that only its owner may read, before it returns. Never throws. A line is written whole or not at
 * all: if the disk fills up, the part of a line that has fitted is removed again. The first line begins on its own line,
 * whatever the file ends with.
 * @returns how many lines, from the first one, are in the file, and why the others are not
 */
export function appendLines(file: string, lines: readonly string[]): { count: number; problem?: unknown } {
  let count = 0;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const descriptor = openSync(file, "a+", 0o600);
    try {
      if (!endsLine(descriptor)) writeSync(descriptor, "\n");
      for (const line of lines) {
        writeWhole(descriptor, Buffer.from(`${line}\n`));
        count += 1;
      }
    } finally {
      closeSync(descriptor);
    }
    return { count };
  } catch (problem) {
    return { count, problem };
  }
}

function endsLine(descriptor: number): boolean {
  const { size } = fstatSync(descriptor);
  const last = Buffer.alloc(1);
  return size === 0 || (readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] === NEWLINE);
}

/** @throws if not all bytes fit; then none of them is in the file */
function writeWhole(descriptor: number, bytes: Buffer): void {
  const { size } = fstatSync(descriptor);
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
  } catch (problem) {
    ftruncateSync(descriptor, size);
    throw problem;
  }
}
