import { performance } from "node:perf_hooks";

interface Timed {
  /** Monotonic milliseconds. */
  readonly deadlineAt: number;
}

/**
 * One timer for all that is under way, set to the deadline that comes first: a timer for each request costs as much as
 * reading its answer does (bench). Everything is given the same time, so whoever begins later is due later.
 */
export class Deadlines<T extends Timed> {
  readonly #underWay: () => readonly T[];
  readonly #overdue: (entry: T) => void;
  #timer: NodeJS.Timeout | undefined;

  /** @param underWay those whose deadline counts at the moment it is asked */
  constructor(underWay: () => readonly T[], overdue: (entry: T) => void) {
    this.#underWay = underWay;
    this.#overdue = overdue;
  }

  /** An entry is under way from now on; how it ends need not be said. */
  watch({ deadlineAt }: T): void {
    if (!this.#timer) this.#await(deadlineAt);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #await(deadlineAt: number): void {
    // It may outlast all that it was set for; the process need not wait for that.
    this.#timer = setTimeout(() => this.#strike(), Math.max(deadlineAt - performance.now(), 1)).unref();
  }

  #strike(): void {
    this.#timer = undefined;
    const now = performance.now();
    let first = Number.POSITIVE_INFINITY;
    for (const entry of this.#underWay()) {
      if (entry.deadlineAt <= now) this.#overdue(entry);
      else first = Math.min(first, entry.deadlineAt);
    }
    if (first < Number.POSITIVE_INFINITY) this.#await(first);
  }
}
