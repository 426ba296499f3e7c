import { MAX_INSTANT } from "./events";
import type { Event, EventOf } from "./plan";

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
