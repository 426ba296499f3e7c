import * as is from "../../json/rules";
import { recordOf, textOrNull } from "./world";

/** Of the years that ISO 8601 can write. */
const MAX_INSTANT = 2e14;
const at = is.rule<number>((value) => Number.isInteger(value) && Math.abs(Number(value)) < MAX_INSTANT, "an instant");
const status = is.rule<number | null>((value) => value === null || typeof value === "number", "a status");
const about = { at, nodeId: is.text };
const spoken = is.objectOf({ text: is.required(is.text), voice: is.text, loop: is.text, speed: is.number });
const outcome = is.oneOf("applied", "rejected", "unknown");

/** The reports of a rehearsal's process, one line of JSON each: the fields of each kind. Instants are epoch milliseconds. */
const EVENTS = {
  "starting flows": {},
  call: {
    ...about,
    /** Counts the requests in the order in which they were made; arrivals may cross. */
    order: is.number,
    ...{ tenant: is.text, number: is.text, actions: is.listUpTo(1000, spoken), speechMs: is.number },
    ...{ answerUrl: textOrNull, outcome, callId: textOrNull },
  },
  /** Any other request. */
  request: { ...about, tenant: is.text, action: is.text, target: is.text, outcome },
  tally: {
    /** By tenant and call. */
    phones: recordOf(is.oneOf("answered", "declined", "unanswered")),
    /** Messages that reached a watched node since the last tally, by node id. */
    reached: recordOf(is.number),
  },
  /** Counts what a node did beyond the first of its `outside` or `error` since the last such event. */
  more: { nodeId: is.text, of: is.oneOf("outside", "errors"), times: is.number, last: at },
  notPlaced: { ...about, number: is.text, code: textOrNull, reason: is.text },
  error: { ...about, code: textOrNull, message: is.text },
  /** The first message that a gate found closed. */
  closed: { ...about, opensAt: textOrNull },
  /** `given` is JSON. */
  outside: { ...about, type: is.text, given: is.text, answered: is.boolean },
  input: { index: is.number, status, body: textOrNull },
  "kept in": { what: is.text },
  /** A type whose nodes are not run. */
  "not run": { type: is.text },
  "not started": { nodeId: is.text, message: is.text },
  broken: { at, message: is.text },
  /** A node has received so many messages at one instant that they go in a circle. */
  circle: { at, nodeId: is.text, times: is.number },
  end: {},
  /** The last one. The process ends itself, or is ended: Node.js may wait for ever for a thread of V8 that compiles. */
  exit: { code: is.number },
};

type Events = typeof EVENTS;
type Given<R extends is.Rules> = { readonly [Field in keyof R]: Exclude<is.Values<R>[Field], undefined> };
export type EventOf<Kind extends keyof Events> = { readonly kind: Kind } & Given<Events[Kind]>;
export type Answered = EventOf<"tally">["phones"][string];
export type Event = { [Kind in keyof Events]: EventOf<Kind> }[keyof Events];

export const MAX_EVENT_BYTES = 65_536;
export const HEAD_BYTES = 256;
/** The progress of the process, which it writes over and over: the instant, and a number that changes while it works. */
const HEAD = {
  at,
  beats: is.number,
  calls: is.wholeNumber(0, Number.MAX_SAFE_INTEGER),
  /** The node that has received the last message; empty: none. */
  ...{ receivedAt: at, receivedBy: is.text },
  /** The node that has received the most messages, and how many. */
  ...{ busiest: is.text, most: is.wholeNumber(0, Number.MAX_SAFE_INTEGER) },
};
export type Head = Given<typeof HEAD>;

/** Whether something from the other side of the boundary is an event, and has nothing else. */
export function isEvent(value: unknown): value is Event {
  const { kind, ...fields } = Object(value) as Readonly<Record<string, unknown>>;
  return Object.hasOwn(EVENTS, String(kind)) && hasOnly(EVENTS[kind as Event["kind"]], fields);
}

export function isHead(value: unknown): value is Head {
  return hasOnly(HEAD, value);
}

function hasOnly(rules: is.Rules, value: unknown): boolean {
  const isWhole = Object.keys(rules).every((field) => Object.hasOwn(Object(value), field));
  return isWhole && is.readOnlyFields(value, rules).problems.length === 0;
}
