import type { Event, EventOf } from "./plan";

/** What the process of a rehearsal has reported, in order. */
export class Recording {
  readonly calls: EventOf<"call">[] = [];
  readonly notPlaced: EventOf<"notPlaced">[] = [];
  readonly outside: EventOf<"outside">[] = [];
  readonly errors: EventOf<"error">[] = [];
  /** By their index in the plan. */
  readonly inputs = new Map<number, EventOf<"input">>();
  /** How many messages reached a watched node. */
  readonly reached = new Map<string, number>();
  /** Addresses that were not let out. */
  readonly keptIn = new Set<string>();
  readonly #phones = new Map<string, EventOf<"phone">["phone"]>();
  readonly #from: number;
  /** The instant that was reached, epoch milliseconds. */
  at: number;
  /** When the process last gave a sign of life, in real time. */
  lastReportAt = Date.now();
  isStarted = false;
  isOver = false;
  /** The error that ended the process. */
  broken = "";
  exitCode: number | undefined;

  /** @param from Node-RED starts before; what a flow does at its start belongs to this instant */
  constructor(from: number) {
    this.#from = from;
    this.at = from;
  }

  note(reported: Event): void {
    const event = "at" in reported && reported.at < this.#from ? { ...reported, at: this.#from } : reported;
    if ("at" in event) this.at = event.at;
    if (event.kind === "at") this.lastReportAt = Date.now();
    else if (event.kind === "call") this.calls.push(event);
    else if (event.kind === "phone") this.#phones.set(`${event.tenant} ${event.callId}`, event.phone);
    else if (event.kind === "notPlaced") this.notPlaced.push(event);
    else if (event.kind === "outside") this.outside.push(event);
    else if (event.kind === "error") this.errors.push(event);
    else if (event.kind === "input") this.inputs.set(event.index, event);
    else if (event.kind === "reached") this.reached.set(event.nodeId, (this.reached.get(event.nodeId) ?? 0) + 1);
    else if (event.kind === "kept in" && this.keptIn.size < MOST_KEPT_IN) this.keptIn.add(event.what);
    else if (event.kind === "started") this.isStarted = true;
    else if (event.kind === "end") this.isOver = true;
    else if (event.kind === "broken") this.broken = event.message;
    else if (event.kind === "exit") this.exitCode = event.code;
  }

  phoneOf({ tenant, callId }: EventOf<"call">): EventOf<"phone">["phone"] | null {
    return this.#phones.get(`${tenant} ${callId}`) ?? null;
  }
}

/** Addresses that the report names. */
const MOST_KEPT_IN = 20;
