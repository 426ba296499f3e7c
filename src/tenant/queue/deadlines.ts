import { performance } from "node:perf_hooks";

interface Timed {
  /** Monotonic milliseconds. */
  readonly deadlineAt: number;
}

/**
 * One timer for all entries in flight, set to the earliest deadline: a timer for each request costs as much as reading its
 * answer (bench). All entries have the same timeout, so an entry that starts later is due later.
 */
export class Deadlines<T extends Timed> {
  readonly #inFlight: () => readonly T[];
  readonly #overdue: (entry: T) => void;
  #timer: NodeJS.Timeout | undefined;

  /** @param inFlight the entries whose deadline counts when it is called */
  constructor(inFlight: () => readonly T[], overdue: (entry: T) => void) {
    this.#inFlight = inFlight;
    this.#overdue = overdue;
  }

  /** Watches an entry until it is no longer in flight. */
  watch({ deadlineAt }: T): void {
    if (!this.#timer) this.#schedule(deadlineAt);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #schedule(deadlineAt: number): void {
    // The timer may outlive all entries; the process need not wait for it.
    this.#timer = setTimeout(() => this.#strike(), Math.max(deadlineAt - performance.now(), 1)).unref();
  }

  #strike(): void {
    this.#timer = undefined;
    const now = performance.now();
    let first = Number.POSITIVE_INFINITY;
    for (const entry of this.#inFlight()) {
      if (entry.deadlineAt <= now) this.#overdue(entry);
      else first = Math.min(first, entry.deadlineAt);
    }
    if (first < Number.POSITIVE_INFINITY) this.#schedule(first);
  }
}
