import { writeSync } from "node:fs";
import type { Answered, Event } from "../events";

/** The file in which the process that has started this one looks for events. */
const FILE = 3;
/** It begins with the instant that was reached, and a number that changes while the process works. */
export const HEAD_BYTES = 32;
export const MAX_EVENT_BYTES = 65_536;
const MOST_UNTOLD = 500;

let lines: string[] = [];
let beats = 0;
let phones: Record<string, Answered> = {};
let reached: Record<string, number> = {};
/** Phones and messages that were not yet told. */
let untold = 0;

/** Reports an event. It is written with the next jump in time, so that what happened before an endless loop is known. */
export function report(event: Event): void {
  const line = JSON.stringify(event);
  lines.push(Buffer.byteLength(line) > MAX_EVENT_BYTES ? JSON.stringify(event, shortened) : line);
}

/** At most sixteen actions with texts of 500 characters fit into an event, however they are written. */
function shortened(_key: string, value: unknown): unknown {
  if (typeof value === "string") return value.slice(0, 500);
  return Array.isArray(value) ? value.slice(0, 16) : value;
}

/** The call of a phone, by tenant and call id. Reported with others, as the messages that reach a node: there may be many of them. */
export function reportPhone(call: string, phone: Answered): void {
  phones[call] = phone;
  untold += 1;
  if (untold >= MOST_UNTOLD) tell();
}

export function reportReached(nodeId: string): void {
  reached[nodeId] = (reached[nodeId] ?? 0) + 1;
  untold += 1;
}

/** Says how far the rehearsal has come, in place of what was said before. */
export function reportInstant(): void {
  beats += 1;
  writeSync(FILE, `${Date.now()} ${beats}`.padEnd(HEAD_BYTES), 0);
}

export function flush(): void {
  if (lines.length > 0) writeSync(FILE, `${lines.join("\n")}\n`);
  lines = [];
}

/** Writes everything that there is. */
export function tell(): void {
  if (untold > 0) report({ kind: "tally", phones, reached });
  [phones, reached, untold] = [{}, {}, 0];
  flush();
}
