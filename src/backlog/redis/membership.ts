import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import type { Limits } from "../store";

/** What waited through a longer stop of all instances does not start by itself. Milliseconds. */
const SHORT_STOP_MS = 15 * 60_000;

export type GroupLimits = Pick<Limits, "rate" | "entries" | "bytes" | "places">;
type Call = (name: string, ...args: (string | number)[]) => Promise<unknown>;

/** What of this process takes part in a group: an instance, with a lease that it renews. */
export class Membership {
  readonly leaseMs: number;
  /** Another one after the lease has run out and another instance has inherited from this one. */
  #instance = randomUUID();
  /** When the lease ends at the earliest, milliseconds of `performance.now()`. */
  #until = -Infinity;

  constructor(leaseMs: number) {
    this.leaseMs = leaseMs;
  }

  get instance(): string {
    return this.#instance;
  }

  /** Whether nobody can have inherited from this instance. */
  get isSafe(): boolean {
    return performance.now() < this.#until;
  }

  /** Renews the lease. Returns the limits of the group, if they are set, or `gone` if another instance has inherited. */
  async beat(call: Call): Promise<"gone" | GroupLimits | undefined> {
    const sent = performance.now();
    const answer = (await call("backlogBeat", this.#instance, this.leaseMs, SHORT_STOP_MS)) as (string | null)[];
    const [state, ...limits] = answer;
    if (state === "gone") {
      this.#instance = randomUUID();
      this.#until = -Infinity;
      return "gone";
    }
    this.#until = sent + this.leaseMs;
    if (limits.some((limit) => limit === null)) return undefined;
    const [rate = 0, entries = 0, bytes = 0, places = 0] = limits.map(Number);
    return { rate, entries, bytes, places };
  }
}
