import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, readSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** Most characters of one write: all lines together may be longer than a string can be. */
const AT_ONCE = 1024 * 1024;
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
      while (count < lines.length) {
        const part = partFrom(lines, count);
        const { whole, problem } = writeWhole(descriptor, Buffer.from(`${part.join("\n")}\n`));
        if (whole === undefined) count += part.length;
        else return { count: count + whole, problem };
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

function partFrom(lines: readonly string[], first: number): readonly string[] {
  let after = first;
  for (let length = 0; after < lines.length && length < AT_ONCE; after += 1) length += lines[after]?.length ?? 0;
  return lines.slice(first, after);
}

/** Writes all bytes, or only their whole lines. @returns how many lines, if not all */
function writeWhole(descriptor: number, bytes: Buffer): { whole?: number; problem?: unknown } {
  const { size } = fstatSync(descriptor);
  let done = 0;
  try {
    while (done < bytes.length) done += writeSync(descriptor, bytes, done);
    return {};
  } catch (problem) {
    let whole = 0;
    let end = 0;
    for (let at = bytes.indexOf(NEWLINE); at >= 0 && at < done; at = bytes.indexOf(NEWLINE, end)) {
      whole += 1;
      end = at + 1;
    }
    ftruncateSync(descriptor, size + end);
    return { whole, problem };
  }
}
