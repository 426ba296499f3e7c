import { writeSync } from "node:fs";
import { type Answered, type Event, type EventOf, HEAD_BYTES, type Head, MAX_EVENT_BYTES } from "../events";

/** The file in which the process that has started this one looks for events. */
const FILE = 3;
const MOST_UNTOLD = 500;
/** Events of a kind that are reported of each node: further ones are only counted. */
const MOST_OF_NODE = 1000;
/** Parts of the time that is rehearsed, at whose ends at least what was counted is told. */
const TALLIES = 200;

let lines: string[] = [];
let phones: Record<string, Answered> = {};
let reached: Record<string, number> = {};
/** Phones and messages that were not yet told. */
let untold = 0;
/** By kind and node: since the start, and further ones since they were told last. */
const seen: Record<string, number> = {};
let further: Record<string, EventOf<"more">> = {};
let [toldAt, tellEach] = [-Infinity, 0];
const head: { -readonly [Field in keyof Head]: Head[Field] } = {
  at: 0,
  beats: 0,
  calls: 0,
  receivedAt: 0,
  receivedBy: "",
  busiest: "",
  most: 0,
};
const headBytes = Buffer.alloc(HEAD_BYTES);

/** @param milliseconds the time that is rehearsed */
export function tallyWithin(milliseconds: number): void {
  [toldAt, tellEach] = [Date.now(), milliseconds / TALLIES];
}

/** Reports an event. It is written with the next jump in time, so that what happened before an endless loop is known. */
export function report(event: Event): void {
  if (event.kind === "call") head.calls += 1;
  if ((event.kind === "error" || event.kind === "outside") && isOnlyCounted(event)) return;
  const line = JSON.stringify(event);
  lines.push(Buffer.byteLength(line) > MAX_EVENT_BYTES ? JSON.stringify(event, shortened) : line);
}

function isOnlyCounted({ kind, nodeId, at }: EventOf<"error"> | EventOf<"outside">): boolean {
  const key = `${kind} ${nodeId}`;
  seen[key] = (seen[key] ?? 0) + 1;
  if (seen[key] <= MOST_OF_NODE) return false;
  const times = (further[key]?.times ?? 0) + 1;
  further[key] = { kind: "more", nodeId, of: kind === "error" ? "errors" : kind, times, last: at };
  return true;
}

/** Shortens a value: at most sixteen actions with texts of 500 characters fit into an event, however they are written. */
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

/** Reports which node has received a message, in case that it does not give control back, and which one has received the most. */
export function reportReceived(receivedBy: string, busiest: string, most: number): void {
  const receivedAt = Date.now();
  const isSame = head.receivedBy === receivedBy && head.receivedAt === receivedAt;
  Object.assign(head, { receivedAt, receivedBy, busiest, most });
  if (!isSame) reportProgress();
}

/** Reports how far the rehearsal has come, in place of the last report. */
export function reportProgress(): void {
  head.at = Date.now();
  head.beats += 1;
  const text = JSON.stringify(head);
  const fits = Buffer.byteLength(text) <= HEAD_BYTES;
  headBytes.fill(" ").write(fits ? text : JSON.stringify({ ...head, receivedBy: "", busiest: "" }));
  writeSync(FILE, headBytes, 0, HEAD_BYTES, 0);
}

/** Writes the events until now. When it does is decided by the rehearsed time alone: so the same is told, wherever it breaks off. */
export function flush(): void {
  if (Date.now() - toldAt >= tellEach) tell();
  else write();
}

/** Writes everything that there is. */
export function tell(): void {
  if (untold > 0) report({ kind: "tally", phones, reached });
  for (const each of Object.values(further)) report(each);
  [phones, reached, further, untold, toldAt] = [{}, {}, {}, 0, Date.now()];
  write();
}

const exit = process.reallyExit.bind(process);

/** Writes everything, and ends this process. */
export function leave(code: number): void {
  tell();
  report({ kind: "exit", code: Number(code) });
  write();
  exit(code);
}

function write(): void {
  if (lines.length > 0) writeSync(FILE, `${lines.join("\n")}\n`);
  lines = [];
}

declare global {
  namespace NodeJS {
    interface Process {
      reallyExit(code: number): never;
    }
  }
}
