import { Heap } from "./heap";
import type { Turn } from "./turn";

/** The longest time between two looks at a clock, which may be set. Milliseconds. */
const LONGEST_SLEEP_MS = 5000;
/** Turns whose date has come, or that are listed, without letting the process do anything else. */
const AT_ONCE = 500;

/** What dates need of their backlog. */
export interface DatesOwner {
  /** Epoch milliseconds, on a clock that may be set. */
  now(): number;
  /** The dates of these have come. */
  onDue(turns: readonly Turn[]): void;
}

/** The turns that wait for their dates, with one timer for all. */
export class Dates {
  readonly #owner: DatesOwner;
  readonly #heap = new Heap<Turn>(byDate, (turn, slot) => {
    turn.slot = slot;
  });
  #timer: NodeJS.Timeout | undefined;
  #isRunning = false;

  constructor(owner: DatesOwner) {
    this.#owner = owner;
  }

  /** The earliest date, epoch milliseconds. */
  get next(): number | undefined {
    return this.#heap.items[0]?.date;
  }

  add(turn: Turn): void {
    this.#heap.add(turn);
    if (turn.slot === 0) this.#plan();
  }

  remove(turn: Turn): void {
    this.#heap.remove(turn.slot);
    turn.slot = -1;
  }

  start(): void {
    this.#isRunning = true;
    this.#wake();
  }

  stop(): void {
    this.#isRunning = false;
    clearTimeout(this.#timer);
  }

  /** Passes on what is due. */
  #wake(): void {
    const now = this.#owner.now();
    const due: Turn[] = [];
    for (
      let [first] = this.#heap.items;
      first && first.date <= now && due.length < AT_ONCE;
      [first] = this.#heap.items
    ) {
      this.remove(first);
      due.push(first);
    }
    this.#plan();
    if (due.length > 0) this.#owner.onDue(due);
  }

  /** The turns from `offset` on, at most `limit`, in the order of their dates. Lets the process do other things in between. */
  async list(offset: number, limit: number): Promise<readonly Turn[]> {
    const turns = [...this.#heap.items];
    // What comes next in a heap is below what has come before.
    const next = new Heap<number>((a, b) => byDate(turns[a] as Turn, turns[b] as Turn));
    if (turns.length > 0) next.add(0);
    const listed: Turn[] = [];
    for (let n = 0; n < offset + limit; n += 1) {
      const slot = next.remove();
      if (slot === undefined) break;
      if (n >= offset) listed.push(turns[slot] as Turn);
      for (const below of [2 * slot + 1, 2 * slot + 2]) if (below < turns.length) next.add(below);
      if (n % AT_ONCE === AT_ONCE - 1) await new Promise(setImmediate);
    }
    return listed;
  }

  #plan(): void {
    clearTimeout(this.#timer);
    const { next } = this;
    if (next === undefined || !this.#isRunning) return;
    const wait = Math.ceil(next - this.#owner.now());
    this.#timer = setTimeout(() => this.#wake(), Math.min(Math.max(wait, 1), LONGEST_SLEEP_MS));
  }
}

/** Earlier dates first. */
export function byDate(a: Turn, b: Turn): number {
  return a.date === b.date ? a.place - b.place : a.date - b.date;
}
