import { performance } from "node:perf_hooks";

interface Entry {
  /** Monotonic milliseconds. */
  readonly deadlineAt: number;
  /** Index among the entries. */
  place: number;
}

/**
 * The entries in flight, unordered, with one timer for the earliest deadline: a timer for each request costs as much as
 * reading its answer (bench). All entries have the same timeout, so an entry that starts later is due later.
 *
 * Entries are added and removed in constant time. A `Set` would do, but V8 links each table that a `Set` outgrows to the
 * next one, so that entries survive into the old generation: at 20,000 requests a second, one in ten bytes survived a
 * collection, with pauses of 5 ms (bench, p99 at 32 in flight).
 */
export class InFlight<T extends Entry> {
  readonly #entries: T[] = [];
  readonly #overdue: (entry: T) => void;
  #timer: NodeJS.Timeout | undefined;

  /** @param overdue called once for an entry whose deadline passes before it is removed */
  constructor(overdue: (entry: T) => void) {
    this.#overdue = overdue;
  }

  add(entry: T): void {
    entry.place = this.#entries.push(entry) - 1;
    if (!this.#timer) this.#schedule(entry.deadlineAt);
  }

  /** Removes an entry that was added. */
  remove(entry: T): void {
    const last = this.#entries.pop();
    if (last === undefined || last === entry) return;
    this.#entries[entry.place] = last;
    last.place = entry.place;
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
