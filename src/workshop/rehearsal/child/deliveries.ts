import { flush, leave, report, reportReceived } from "./output";

/** Messages that a node receives at one instant. A campaign has 100,000 rows. */
const MOST_AT_ONCE = 250_000;

export class Deliveries {
  #at = 0;
  /** Of each node, in all and at this instant. */
  readonly #all = new Map<string, number>();
  readonly #now = new Map<string, number>();
  #busiest = "";
  #most = 0;

  /** Notes a message, before its node acts: it may not give control back. Ends the process where messages go in a circle. */
  note(nodeId: string): void {
    const at = Date.now();
    if (at !== this.#at) {
      this.#at = at;
      this.#now.clear();
      flush();
    }
    const all = this.#count(this.#all, nodeId);
    if (all > this.#most) [this.#busiest, this.#most] = [nodeId, all];
    reportReceived(nodeId, this.#busiest, this.#most);
    const times = this.#count(this.#now, nodeId);
    if (times <= MOST_AT_ONCE) return;
    report({ kind: "circle", at, nodeId, times });
    leave(1);
  }

  #count(counts: Map<string, number>, nodeId: string): number {
    const count = (counts.get(nodeId) ?? 0) + 1;
    counts.set(nodeId, count);
    return count;
  }
}
