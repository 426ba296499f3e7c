import type { Node, NodeAPI } from "node-red";
import { maskNumbers, oneLine } from "../../../fields";
import { daysMarkedFree, type Exceptions } from "../../../hours";
import { shared } from "../../node-red/catalogue";
import { perNode } from "../../node-red/node-state";
import { swallowErrors } from "../../node-red/swallow-errors";
import type { Clock } from "../../schedules/clock";
import type { GateInputs } from "./inputs";

/** The days marked as free that were logged, whichever node met them. */
const logged = perNode<true>("days marked free");

/** Most days that a log line names. */
const MOST_DAYS = 20;

/** What a gate or a trigger reports of its holidays: each thing once. */
export class HolidayNotices {
  readonly #RED: NodeAPI;
  readonly #node: Node;
  #isMissing = false;
  #exceptions: Exceptions | undefined;

  constructor(RED: NodeAPI, node: Node) {
    this.#RED = RED;
    this.#node = node;
  }

  /** Never throws. */
  look(inputs: GateInputs, clock: Pick<Clock, "now"> = Date): void {
    const { missing, exceptions } = inputs;
    if (missing !== undefined && !this.#isMissing)
      swallowErrors(() => this.#node.warn(shared(this.#RED, "log.noHolidays", { source: missing })));
    this.#isMissing = missing !== undefined;
    if (exceptions === this.#exceptions) return;
    this.#exceptions = exceptions;
    swallowErrors(() => this.#logMarkedFree(inputs, clock.now()));
  }

  #logMarkedFree({ exceptions, zone }: GateInputs, now: number): void {
    const closed = daysMarkedFree(exceptions, zone, now);
    if (closed.length === 0) return;
    const named = closed.slice(0, MOST_DAYS).map(({ date, name }) => (name === null ? date : `${date} ${name}`));
    const days = named.join(", ") + (closed.length > MOST_DAYS ? ", …" : "");
    if (logged.has(days)) return;
    logged.set(days, true);
    this.#RED.log.info(shared(this.#RED, "log.closedThoughFree", { days: maskNumbers(oneLine(days)) }));
  }
}
