import { performance } from "node:perf_hooks";

interface Entry {
  /** Monotonic milliseconds. */
  readonly deadlineAt: number;
}

/** The entries in flight, with one timer for the earliest deadline. All have the same timeout: a later one is due later. */
export class InFlight<T extends Entry> {
  readonly #entries = new Set<T>();
  readonly #overdue: (entry: T) => void;
  #timer: NodeJS.Timeout | undefined;

  /** @param overdue called once for an entry whose deadline passes before it is removed */
  constructor(overdue: (entry: T) => void) {
    this.#overdue = overdue;
  }

  add(entry: T): void {
    this.#entries.add(entry);
    if (!this.#timer) this.#schedule(entry.deadlineAt);
  }

  remove(entry: T): void {
    this.#entries.delete(entry);
  }

  /** A copy of the current entries. */
  list(): readonly T[] {
    return [...this.#entries];
  }

  /** Watches deadlines no longer. */
  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #schedule(deadlineAt: number): void {
    // The timer may outlive all entries; the process need not wait for it.
    this.#timer = setTimeout(() => this.#expireOverdue(), Math.max(deadlineAt - performance.now(), 1)).unref();
  }

  #expireOverdue(): void {
    this.#timer = undefined;
    const now = performance.now();
    let first = Number.POSITIVE_INFINITY;
    for (const entry of this.list()) {
      if (entry.deadlineAt <= now) this.#overdue(entry);
      else first = Math.min(first, entry.deadlineAt);
    }
    if (first < Number.POSITIVE_INFINITY) this.#schedule(first);
  }
}
