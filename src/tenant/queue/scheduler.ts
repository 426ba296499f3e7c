import { performance } from "node:perf_hooks";
import { Queue } from "./fifo";

/** Calls placed by a campaign wait in a lane of their own, so that a transfer of a live call overtakes them. */
export type Lane = "callOut" | "other";

export interface LaneLimits {
  /** Requests under way at once, both lanes together. */
  readonly concurrency: number;
  /** Starts of the call-out lane per second, evenly spaced; 0 = no limit. */
  readonly rate: number;
  /** Entries that may wait, both lanes together. */
  readonly backlog: number;
}

/** Decides whose turn it is. Within a lane first in, first out; the other lane always before call-out. */
export class Scheduler<T> {
  readonly #limits: LaneLimits;
  readonly #start: (entry: T) => boolean;
  readonly #waiting: Readonly<Record<Lane, Queue<T>>> = { callOut: new Queue(), other: new Queue() };
  readonly #underWay: Record<Lane, number> = { callOut: 0, other: 0 };
  readonly #callOutShare: number;
  readonly #interval: number;
  /** When the last call-out started, monotonic milliseconds, and the slots kept for repeated attempts, earliest first. */
  #lastCallOut = -Infinity;
  #reserved: number[] = [];
  #filling = false;
  #timer: NodeJS.Timeout | undefined;
  #paused = false;
  #held = false;

  /** @param start begins an entry; `false` when it ended with nothing to send, so that its slot is free for the next one */
  constructor(limits: LaneLimits, start: (entry: T) => boolean) {
    this.#limits = limits;
    this.#start = start;
    this.#callOutShare = limits.concurrency - Math.floor(limits.concurrency / 4);
    this.#interval = limits.rate > 0 ? 1000 / limits.rate : 0;
  }

  get waiting(): Readonly<Record<Lane, number>> {
    return { callOut: this.#waiting.callOut.length, other: this.#waiting.other.length };
  }

  get underWay(): number {
    return this.#underWay.callOut + this.#underWay.other;
  }

  get paused(): boolean {
    return this.#paused;
  }

  /** Takes an entry in, starting it at once when it is its turn. `false`: too many wait already, it was not taken. */
  add(lane: Lane, entry: T): boolean {
    const { callOut, other } = this.#waiting;
    if (this.#waiting[lane].length === 0 && this.#mayStart(lane)) {
      this.#begin(lane, entry);
      return true;
    }
    if (callOut.length + other.length >= this.#limits.backlog) return false;
    this.#waiting[lane].push(entry);
    this.#fill();
    return true;
  }

  /** Takes in an entry that was accepted before, by a predecessor: it has its place whatever the backlog. */
  readmit(lane: Lane, entry: T): void {
    this.#waiting[lane].push(entry);
    this.#fill();
  }

  /** Gives an entry's place free. */
  finish(lane: Lane): void {
    this.#underWay[lane] -= 1;
    this.#fill();
  }

  /**
   * Keeps a place in the call-out lane's even spacing for a repeated attempt.
   * @param earliest monotonic milliseconds
   * @param latest no slot at or after this instant is taken
   * @returns when the attempt may start, `undefined` when that is too late
   */
  reserve(lane: Lane, earliest: number, latest: number): number | undefined {
    const spaced = lane === "callOut" && this.#interval > 0;
    const at = spaced ? this.#slotFrom(earliest) : earliest;
    if (at >= latest) return undefined;
    if (spaced) this.#reserved = [...this.#reserved, at].sort((a, b) => a - b);
    return at;
  }

  /** Holds the call-out lane. */
  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#fill();
  }

  /** Holds everything that waits. */
  hold(): void {
    this.#held = true;
  }

  release(): void {
    this.#held = false;
    this.#fill();
  }

  /** Takes out what waits, the other lane first. */
  drain(): { lane: Lane; entry: T }[] {
    const out = (["other", "callOut"] as const).flatMap((lane) =>
      this.#waiting[lane].drain().map((entry) => ({ lane, entry })),
    );
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return out;
  }

  #mayStart(lane: Lane): boolean {
    if (this.#held || this.underWay >= this.#limits.concurrency) return false;
    if (lane === "other") return true;
    return !this.#paused && this.#underWay.callOut < this.#callOutShare && this.#untilSlot() <= 0;
  }

  /** Milliseconds until a call-out may start. */
  #untilSlot(): number {
    if (this.#interval === 0) return 0;
    const now = performance.now();
    return this.#slotFrom(now) - now;
  }

  /** The first instant that is an interval away from the last start and from every slot kept. */
  #slotFrom(earliest: number): number {
    const now = performance.now();
    while (this.#reserved[0] !== undefined && this.#reserved[0] <= now) {
      this.#lastCallOut = Math.max(this.#lastCallOut, this.#reserved.shift() as number);
    }
    let slot = Math.max(earliest, this.#lastCallOut + this.#interval);
    for (const kept of this.#reserved) if (Math.abs(kept - slot) < this.#interval) slot = kept + this.#interval;
    return slot;
  }

  #begin(lane: Lane, entry: T): void {
    this.#underWay[lane] += 1;
    const before = this.#lastCallOut;
    if (lane === "callOut") this.#lastCallOut = performance.now();
    if (!this.#start(entry) && lane === "callOut") this.#lastCallOut = before;
  }

  /** An entry that ends while it starts (too late, only logged) must not start the next one from within: it may be thousands. */
  #fill(): void {
    if (this.#filling) return;
    this.#filling = true;
    try {
      for (let next = this.#next(); next; next = this.#next()) this.#begin(next, this.#waiting[next].shift() as T);
    } finally {
      this.#filling = false;
    }
    this.#awaitSlot();
  }

  /** The lane whose turn it is. */
  #next(): Lane | undefined {
    if (this.#waiting.other.length > 0 && this.#mayStart("other")) return "other";
    return this.#waiting.callOut.length > 0 && this.#mayStart("callOut") ? "callOut" : undefined;
  }

  #awaitSlot(): void {
    if (this.#timer || this.#paused || this.#held || this.#waiting.callOut.length === 0) return;
    // With every place taken, the next that comes free looks again.
    if (this.underWay >= this.#limits.concurrency || this.#underWay.callOut >= this.#callOutShare) return;
    // The slot may have fallen due since it was last looked for: nobody else would look again.
    const wait = Math.max(0, this.#untilSlot());
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#fill();
      },
      Math.min(Math.ceil(wait), 2 ** 31 - 1),
    );
  }
}
