import { performance } from "node:perf_hooks";
import { Queue } from "./fifo";

/** A campaign's calls wait in a lane of their own, so that a transfer of a live call overtakes them. */
export type Lane = "callOut" | "other";

export interface LaneLimits {
  /** Requests in flight at once, both lanes together. */
  readonly concurrency: number;
  /** Starts of the call-out lane per second, evenly spaced; 0 = no limit. */
  readonly rate: number;
  /** Entries that may wait, both lanes together. */
  readonly backlog: number;
}

/** Decides which entry starts next: first in, first out within a lane, `other` always before `callOut`. */
export class Scheduler<T> {
  readonly #limits: LaneLimits;
  readonly #start: (entry: T) => boolean;
  readonly #waiting: Readonly<Record<Lane, Queue<T>>> = { callOut: new Queue(), other: new Queue() };
  readonly #inFlight: Record<Lane, number> = { callOut: 0, other: 0 };
  readonly #callOutShare: number;
  readonly #interval: number;
  /** When the last call-out started, monotonic milliseconds. */
  #lastCallOut = -Infinity;
  /** Starts reserved for repeated attempts, earliest first. */
  #reserved: number[] = [];
  #filling = false;
  #timer: NodeJS.Timeout | undefined;
  #paused = false;
  #held = false;

  /** @param start starts an entry; `false` if it ended with nothing to send, so that the next one may take its slot */
  constructor(limits: LaneLimits, start: (entry: T) => boolean) {
    this.#limits = limits;
    this.#start = start;
    this.#callOutShare = limits.concurrency - Math.floor(limits.concurrency / 4);
    this.#interval = limits.rate > 0 ? 1000 / limits.rate : 0;
  }

  get waiting(): Readonly<Record<Lane, number>> {
    return { callOut: this.#waiting.callOut.length, other: this.#waiting.other.length };
  }

  get inFlight(): number {
    return this.#inFlight.callOut + this.#inFlight.other;
  }

  get paused(): boolean {
    return this.#paused;
  }

  /** Starts an entry or queues it. Returns `false`, and does neither, if the backlog is full. */
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

  /** Queues an entry that was accepted before, whatever the backlog. */
  readmit(lane: Lane, entry: T): void {
    this.#waiting[lane].push(entry);
    this.#fill();
  }

  /** Frees the place of an entry that was started. */
  finish(lane: Lane): void {
    this.#inFlight[lane] -= 1;
    this.#fill();
  }

  /**
   * Reserves a start for a repeated attempt, in the even spacing of the call-out lane.
   * @param earliest monotonic milliseconds
   * @param latest the attempt has to start before this instant
   * @returns when the attempt may start; `undefined` if that is too late
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

  /** Holds both lanes. */
  hold(): void {
    this.#held = true;
  }

  release(): void {
    this.#held = false;
    this.#fill();
  }

  /** Removes and returns all waiting entries, the `other` lane first. */
  drain(): T[] {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return [...this.#waiting.other.drain(), ...this.#waiting.callOut.drain()];
  }

  #mayStart(lane: Lane): boolean {
    if (this.#held || this.inFlight >= this.#limits.concurrency) return false;
    if (lane === "other") return true;
    return !this.#paused && this.#inFlight.callOut < this.#callOutShare && this.#untilSlot() <= 0;
  }

  /** Milliseconds until a call-out may start. */
  #untilSlot(): number {
    if (this.#interval === 0) return 0;
    const now = performance.now();
    return this.#slotFrom(now) - now;
  }

  /** The first instant that is an interval away from the last start and from every reserved one. */
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
    this.#inFlight[lane] += 1;
    const before = this.#lastCallOut;
    if (lane === "callOut") this.#lastCallOut = performance.now();
    if (!this.#start(entry) && lane === "callOut") this.#lastCallOut = before;
  }

  /** Not reentrant: thousands of entries may end while they start, because their time has passed. */
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

  /** The lane of the entry to start next. */
  #next(): Lane | undefined {
    if (this.#waiting.other.length > 0 && this.#mayStart("other")) return "other";
    return this.#waiting.callOut.length > 0 && this.#mayStart("callOut") ? "callOut" : undefined;
  }

  #awaitSlot(): void {
    if (this.#timer || this.#paused || this.#held || this.#waiting.callOut.length === 0) return;
    // When all places are taken, the next `finish` looks again.
    if (this.inFlight >= this.#limits.concurrency || this.#inFlight.callOut >= this.#callOutShare) return;
    // The slot may have come since the last look, and nothing else would look again.
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
