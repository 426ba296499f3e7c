import { writeSync } from "node:fs";
import type { Event } from "../plan";

/** The pipe to the process that has started this one. */
const PIPE = 3;

let lines: string[] = [];
let bytes = 0;

/** Reports an event. It leaves with the next jump in time, so that what happened before an endless loop is known. */
export function report(event: Event): void {
  const line = JSON.stringify(event);
  lines.push(line);
  bytes += line.length;
  if (bytes > 65_536) flush();
}

export function flush(): void {
  if (lines.length === 0) return;
  let rest = Buffer.from(`${lines.join("\n")}\n`);
  lines = [];
  bytes = 0;
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(PIPE, rest));
    } catch (error) {
      // The pipe is full: the reader is slower.
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    }
  }
}
