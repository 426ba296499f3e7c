import { writeSync } from "node:fs";
import type { Event } from "../plan";

/** The file in which the process that has started this one looks for events. */
const FILE = 3;
/** A report must fit into memory. Characters. */
const MOST = 200_000_000;

let lines: string[] = [];
let characters = 0;

/** Reports an event. It is written with the next jump in time, so that what happened before an endless loop is known. */
export function report(event: Event): void {
  const line = JSON.stringify(event);
  characters += line.length;
  if (characters > MOST) throw new RangeError("report too large");
  lines.push(line);
}

export function flush(): void {
  if (lines.length === 0) return;
  const text = `${lines.join("\n")}\n`;
  lines = [];
  writeSync(FILE, text);
}
