import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, readSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { attempt } from "../../json/rules";

/** Most lines of one write: all lines together may be longer than a string can be. */
const AT_ONCE = 500;
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
    const append = (part: readonly string[]) => {
      writeWhole(descriptor, part);
      count += part.length;
      return true;
    };
    try {
      if (!endsLine(descriptor)) writeSync(descriptor, "\n");
      while (count < lines.length) {
        const part = lines.slice(count, count + AT_ONCE);
        // Where they do not fit together, as many as fit.
        if (!attempt(() => append(part))) for (const line of part) append([line]);
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

/** @throws if not all lines fit; then none of them is in the file */
function writeWhole(descriptor: number, lines: readonly string[]): void {
  const { size } = fstatSync(descriptor);
  try {
    const bytes = Buffer.from(`${lines.join("\n")}\n`);
    for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
  } catch (problem) {
    ftruncateSync(descriptor, size);
    throw problem;
  }
}
