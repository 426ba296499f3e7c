import * as is from "../../json/rules";
import type { Event, EventOf } from "./plan";
import { recordOf, textOrNull } from "./world";

type Rules<E> = is.Rules & Record<Exclude<keyof E, "kind">, is.Rule<unknown>>;

/** Of the years that ISO 8601 can write. */
const MAX_INSTANT = 2e14;
const at = is.rule<number>((value) => typeof value === "number" && Math.abs(value) < MAX_INSTANT, "an instant");
const status = is.rule<number | null>((value) => value === null || typeof value === "number", "a status");
const about = { at, nodeId: is.text };

/** Each field of each kind of event. */
const EVENTS: { readonly [Kind in Event["kind"]]: Rules<EventOf<Kind>> } = {
  "starting flows": {},
  call: {
    ...{ ...about, order: is.number, tenant: is.text, number: is.text, says: is.listUpTo(1000, is.text) },
    ...{ speechMs: is.number, answerUrl: textOrNull, outcome: is.oneOf("applied", "rejected", "unknown") },
    callId: textOrNull,
  },
  tally: { phones: recordOf(is.oneOf("answered", "declined", "unanswered")), reached: recordOf(is.number) },
  notPlaced: { ...about, number: is.text, code: textOrNull, reason: is.text },
  error: { ...about, code: textOrNull, message: is.text },
  outside: { ...about, type: is.text, answered: is.boolean },
  input: { index: is.number, status, body: textOrNull },
  "kept in": { what: is.text },
  "not started": { nodeId: is.text, message: is.text },
  broken: { message: is.text },
  exit: { code: is.number },
  end: {},
};

/** Whether something from the other side of the boundary is an event, and has nothing else. */
export function isEvent(value: unknown): value is Event {
  const { kind, ...fields } = Object(value) as Readonly<Record<string, unknown>>;
  const rules = Object.hasOwn(EVENTS, String(kind)) ? EVENTS[kind as Event["kind"]] : undefined;
  if (!rules || Object.keys(rules).some((field) => !Object.hasOwn(fields, field))) return false;
  return is.readOnlyFields(fields, rules).problems.length === 0;
}

/** What the process of a rehearsal has reported, in order. */
export class Recording {
  readonly #events = new Map<Event["kind"], Event[]>();
  readonly #from: number;
  /** The instant that was reached, epoch milliseconds. */
  at: number;
  /** When the process last gave a sign of life, in real time. */
  lastReportAt = Date.now();

  /** @param from Node-RED starts before; what a flow does at its start belongs to this instant */
  constructor(from: number) {
    this.#from = from;
    this.at = from;
  }

  note(event: Event): void {
    const all = this.#events.get(event.kind) ?? [];
    this.#events.set(event.kind, all);
    all.push("at" in event ? { ...event, at: Math.max(event.at, this.#from) } : event);
  }

  /** @param at what came as an instant, from code that is not trusted */
  reach(at: number): void {
    this.lastReportAt = Date.now();
    if (Math.abs(at) < MAX_INSTANT) this.at = Math.max(at, this.#from);
  }

  all<Kind extends Event["kind"]>(kind: Kind): readonly EventOf<Kind>[] {
    return (this.#events.get(kind) ?? []) as EventOf<Kind>[];
  }
}
