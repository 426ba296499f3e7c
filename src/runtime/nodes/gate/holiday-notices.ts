import type { Node, NodeAPI } from "node-red";
import type { Exceptions } from "../../../hours";
import { shared } from "../../node-red/catalogue";
import { swallowErrors } from "../../node-red/swallow-errors";
import { logDaysMarkedFree } from "../../schedules/calendars/days-marked-free";
import type { Clock } from "../../schedules/clock";
import type { GateInputs } from "./inputs";

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
  look({ missing, exceptions, zone }: GateInputs, clock: Pick<Clock, "now"> = Date): void {
    if (missing !== undefined && !this.#isMissing)
      swallowErrors(() => this.#node.warn(shared(this.#RED, "log.noHolidays", { source: missing })));
    this.#isMissing = missing !== undefined;
    if (exceptions === this.#exceptions) return;
    this.#exceptions = exceptions;
    logDaysMarkedFree(this.#RED, exceptions, zone, clock.now());
  }
}
