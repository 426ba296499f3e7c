import { performance } from "node:perf_hooks";
import { Queue } from "./fifo";

/**
 * A campaign's calls wait in a lane of their own, so that a transfer of a live call overtakes them. `live` is the front of
 * the lane `other`: actions on calls that are under way overtake bulk reads, too.
 */
export type Lane = "live" | "other" | "callOut";

/** In the order in which they start. */
const LANES = ["live", "other", "callOut"] as const satisfies readonly Lane[];

export interface LaneLimits {
  /** Requests in flight at once, all lanes together. */
  readonly concurrency: number;
  /** Starts of the call-out lane per second, evenly spaced; 0 = no limit. */
  readonly rate: number;
  /** Entries that may wait, all lanes together. */
  readonly backlog: number;
}

/** Bytes of requests that may wait, all lanes together: 10,000 large ones would end the process. */
const MAX_WAITING_BYTES = 256 * 1024 * 1024;

/** What keeps call-outs waiting. */
export interface CallOutHold {
  /** Until an operator resumes. */
  readonly paused: boolean;
  /** While the service cannot be used: when it is tried again, epoch milliseconds. */
  readonly heldUntil: number | undefined;
}

/** Decides which entry starts next: first in, first out within a lane, `callOut` always last. */
export class Scheduler<T> implements CallOutHold {
  readonly #limits: LaneLimits;
  readonly #start: (entry: T) => boolean;
  readonly #bytesOf: (entry: T) => number;
  #waitingBytes = 0;
  readonly #waiting: Readonly<Record<Lane, Queue<T>>> = { live: new Queue(), other: new Queue(), callOut: new Queue() };
  readonly #inFlight: Record<Lane, number> = { live: 0, other: 0, callOut: 0 };
  readonly #callOutShare: number;
  readonly #interval: number;
  /** When the last call-out started, monotonic milliseconds. */
  #lastCallOut = -Infinity;
  /** Starts reserved for repeated attempts, earliest first. */
  #reserved: number[] = [];
  #filling = false;
  #timer: NodeJS.Timeout | undefined;
  #paused = false;
  #heldUntil: number | undefined;
  #isOpen = true;

  /**
   * @param start starts an entry; `false` if it ended with nothing to send, so that the next one may take its slot
   * @param bytesOf what an entry counts for while it waits; the same whenever it is called
   */
  constructor(limits: LaneLimits, start: (entry: T) => boolean, bytesOf: (entry: T) => number) {
    this.#limits = limits;
    this.#start = start;
    this.#bytesOf = bytesOf;
    this.#callOutShare = limits.concurrency - Math.floor(limits.concurrency / 4);
    this.#interval = limits.rate > 0 ? 1000 / limits.rate : 0;
  }

  get waiting(): Readonly<Record<"callOut" | "other", number>> {
    const { live, other, callOut } = this.#waiting;
    return { callOut: callOut.length, other: live.length + other.length };
  }

  get inFlight(): number {
    const { live, other, callOut } = this.#inFlight;
    return live + other + callOut;
  }

  get paused(): boolean {
    return this.#paused;
  }

  get heldUntil(): number | undefined {
    return this.#heldUntil;
  }

  /** Starts an entry or queues it. Returns `false`, and does neither, if the backlog is full. */
  add(lane: Lane, entry: T): boolean {
    if (this.#waiting[lane].length === 0 && this.#mayStart(lane)) {
      this.#begin(lane, entry);
      return true;
    }
    if (this.#waitingCount >= this.#limits.backlog) return false;
    if (this.#waitingBytes + this.#bytesOf(entry) > MAX_WAITING_BYTES) return false;
    this.readmit(lane, entry);
    return true;
  }

  /** Queues an entry that was accepted before, whatever the backlog. */
  readmit(lane: Lane, entry: T): void {
    this.#waiting[lane].push(entry);
    this.#waitingBytes += this.#bytesOf(entry);
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

  /** Holds the call-out lane until `resume`. */
  pause(): void {
    this.#paused = true;
  }

  /** Holds the call-out lane until `release` or `resume`. @param untilMs when it may end, epoch milliseconds */
  hold(untilMs: number): void {
    this.#heldUntil = untilMs;
  }

  /** Ends a hold, but not a pause. */
  release(): void {
    this.#heldUntil = undefined;
    this.#fill();
  }

  /** Ends a pause and a hold. */
  resume(): void {
    this.#paused = false;
    this.release();
  }

  /** Starts nothing, in any lane, until `open`. */
  shut(): void {
    this.#isOpen = false;
  }

  open(): void {
    this.#isOpen = true;
    this.#fill();
  }

  /** Removes and returns all waiting entries, in the order of their lanes. */
  drain(): T[] {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waitingBytes = 0;
    return LANES.flatMap((lane) => this.#waiting[lane].drain());
  }

  get #waitingCount(): number {
    const { live, other, callOut } = this.#waiting;
    return live.length + other.length + callOut.length;
  }

  get #holdsCallOuts(): boolean {
    return this.#paused || this.#heldUntil !== undefined || !this.#isOpen;
  }

  #mayStart(lane: Lane): boolean {
    if (!this.#isOpen || this.inFlight >= this.#limits.concurrency) return false;
    if (lane !== "callOut") return true;
    return !this.#holdsCallOuts && this.#inFlight.callOut < this.#callOutShare && this.#untilSlot() <= 0;
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
      for (let next = this.#next(); next; next = this.#next()) this.#begin(next, this.#shift(next));
    } finally {
      this.#filling = false;
    }
    this.#awaitSlot();
  }

  #shift(lane: Lane): T {
    const entry = this.#waiting[lane].shift() as T;
    this.#waitingBytes -= this.#bytesOf(entry);
    return entry;
  }

  /** The lane of the entry to start next. */
  #next(): Lane | undefined {
    for (const lane of LANES) if (this.#waiting[lane].length > 0 && this.#mayStart(lane)) return lane;
    return undefined;
  }

  #awaitSlot(): void {
    if (this.#timer || this.#holdsCallOuts || this.#waiting.callOut.length === 0) return;
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
