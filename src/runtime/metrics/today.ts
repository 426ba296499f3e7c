import { type JobResult, type Outcome, outcomeOf } from "../../client";
import { maskDigits, type Params, type StatusKey } from "../../fields";
import { wallTime } from "../../hours/moment";
import { statusKeyOf } from "../node-red/no-schedule";
import { perNode } from "../node-red/node-state";

const MAX_NOT_PLACED = 100;
/** A day begins with a quarter of an hour in every zone. */
const QUARTER_MS = 900_000;

/** A call that was refused or not sent. Nobody's number is whole in it, and no text of a message is there. */
export interface NotPlaced {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly nodeId: string;
  readonly number: string | null;
  readonly code: string;
  /** The status of the node. */
  readonly key: StatusKey;
  readonly params: Params;
  /** The rule of the guard, or the field that is wrong. */
  readonly detail: string | null;
}

/** The calls of a tenant since its midnight, by node. */
export class Today {
  /** Of midnight; the host's without one. */
  zone = "";
  /** Epoch milliseconds; `undefined` once it counts since midnight. */
  #since: number | undefined = Date.now();
  #date = "";
  /** The quarter of an hour in which that was last looked at, since the epoch. */
  #quarter = -1;
  readonly #nodes = new Map<string, Record<Outcome, number>>();
  #notPlaced: NotPlaced[] = [];

  count(nodeId: string, result: JobResult): void {
    this.#turnOver();
    const outcome = outcomeOf(result);
    const counted = this.#nodes.get(nodeId) ?? noOutcomes();
    this.#nodes.set(nodeId, counted);
    counted[outcome] += 1;
    if (result.ok || outcome === "unknown") return;
    const { code, details, params } = result.error;
    const { "to.number": dotted, to } = result.summary as { readonly "to.number"?: unknown; readonly to?: unknown };
    const number = dotted ?? Object(to).number;
    const key = statusKeyOf(result.error);
    this.#notPlaced.push({
      ...{ at: Date.now(), nodeId, number: typeof number === "string" ? maskDigits(number) : null },
      ...{ code, key, params: key.startsWith("config.") ? params : {}, detail: details.rule ?? details.field ?? null },
    });
    if (this.#notPlaced.length > MAX_NOT_PLACED) this.#notPlaced.shift();
  }

  /** The counts by node, and the last calls that were not placed, the latest first. */
  get view() {
    this.#turnOver();
    const nodes = [...this.#nodes].map(([nodeId, outcomes]) => ({ nodeId, outcomes }));
    return { since: this.#since ?? null, nodes, notPlaced: this.#notPlaced.toReversed() };
  }

  #turnOver(): void {
    const quarter = Math.floor(Date.now() / QUARTER_MS);
    if (quarter === this.#quarter) return;
    this.#quarter = quarter;
    const date = wallTime(Date.now(), this.zone || undefined).slice(0, 10);
    if (this.#date !== "" && this.#date !== date) {
      this.#since = undefined;
      this.#nodes.clear();
      this.#notPlaced = [];
    }
    this.#date = date;
  }
}

/** Counts from which to begin. */
export function noOutcomes(): Record<Outcome, number> {
  return { applied: 0, rejected: 0, "not-applied": 0, unknown: 0 };
}

const all = perNode<Today>("today");

/** Outlives deploys, and changes of the address. */
export function todayOf(tenant: string, mode: string): Today {
  return all.of(`${tenant} ${mode}`, () => new Today());
}
