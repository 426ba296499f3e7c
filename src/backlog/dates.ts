import { type Turn, TurnHeap } from "./turn";

/** The longest time between two looks at a clock, which may be set. Milliseconds. */
const LONGEST_SLEEP_MS = 5000;
/** Turns whose date has come, without letting the process do anything else. */
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
  readonly #heap = new TurnHeap(byDate);
  #timer: NodeJS.Timeout | undefined;
  #isRunning = false;

  constructor(owner: DatesOwner) {
    this.#owner = owner;
  }

  /** The earliest date, epoch milliseconds. */
  get next(): number | undefined {
    return this.#heap.first?.date;
  }

  add(turn: Turn): void {
    this.#heap.add(turn);
    if (this.#heap.first === turn) this.#plan();
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
    for (let { first } = this.#heap; first && first.date <= now && due.length < AT_ONCE; { first } = this.#heap) {
      first.leaveHeap();
      due.push(first);
    }
    this.#plan();
    if (due.length > 0) this.#owner.onDue(due);
  }

  /** All of them, in the order of their dates. */
  inOrder(): Iterable<Turn> {
    return this.#heap.inOrder();
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
