import type { Counts } from "../../backlog";

/**
 * Call-outs wait in a backlog of their own, so that a transfer of a live call overtakes a campaign. `live` is the front of
 * the lane `other`: actions on calls that are under way overtake bulk reads, too.
 */
export type Lane = "live" | "other" | "callOut";

/** The lanes whose entries wait here, in the order in which they start. */
const LANES = ["live", "other"] as const satisfies readonly Lane[];
type Waiting = (typeof LANES)[number];

export interface LaneLimits {
  /** Requests in flight at once, all lanes together. */
  readonly concurrency: number;
  /** Entries that may wait, all lanes together. */
  readonly backlog: number;
}

/** Bytes of requests that may wait, all lanes together: 10,000 large ones would end the process. */
export const MAX_WAITING_BYTES = 256 * 1024 * 1024;

/** Entries that wait elsewhere and count against the limits. */
export type Others = Pick<Counts, "waiting" | "bytes">;

/** How many of the requests in flight at once may be call-outs. */
export function callOutShare(concurrency: number): number {
  return concurrency - Math.floor(concurrency / 4);
}

/** What the scheduler asks of its owner. */
interface SchedulerOwner<T> {
  start(entry: T): void;
  /** What an entry counts for while it waits; the same whenever it is called. */
  bytesOf(entry: T): number;
  /** The call-outs that wait. */
  others(): Others;
  /** A place may be free for a call-out. */
  freed(): void;
}

/** Shares the places of a tenant: everything else first, first in, first out, and call-outs from their backlog last. */
export class Scheduler<T> {
  #limits: LaneLimits = { concurrency: 0, backlog: 0 };
  readonly #owner: SchedulerOwner<T>;
  readonly #waiting: Readonly<Record<Waiting, Set<T>>> = { live: new Set(), other: new Set() };
  #bytes = 0;
  #inFlight = 0;
  #callOuts = 0;
  #isOpen = false;
  #filling = false;

  constructor(owner: SchedulerOwner<T>) {
    this.#owner = owner;
  }

  /** Begins anew with other limits, shut, and with every place free; waiting entries stay. */
  renew(limits: LaneLimits): void {
    this.#limits = limits;
    this.#inFlight = 0;
    this.#callOuts = 0;
    this.#isOpen = false;
  }

  /** The entries that wait here. */
  get waiting(): Others {
    const { live, other } = this.#waiting;
    return { waiting: live.size + other.size, bytes: this.#bytes };
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** How many call-outs may start now. */
  get callOutPlaces(): number {
    if (!this.#isOpen || this.waiting.waiting > 0) return 0;
    const { concurrency } = this.#limits;
    return Math.min(concurrency - this.#inFlight, callOutShare(concurrency) - this.#callOuts);
  }

  /** Starts an entry or queues it. Returns `false`, and does neither, if too much waits. */
  add(lane: Waiting, entry: T): boolean {
    if (this.#waiting[lane].size === 0 && this.#mayStart()) {
      this.#inFlight += 1;
      this.#owner.start(entry);
      return true;
    }
    const size = this.#owner.bytesOf(entry);
    const others = this.#owner.others();
    if (this.waiting.waiting + others.waiting >= this.#limits.backlog) return false;
    if (this.#bytes + others.bytes + size > MAX_WAITING_BYTES) return false;
    this.#waiting[lane].add(entry);
    this.#bytes += size;
    return true;
  }

  /** Takes a place for a call-out. */
  beginCallOut(): void {
    this.#inFlight += 1;
    this.#callOuts += 1;
  }

  /** Frees the place of an entry that was started. */
  finish(lane: Lane): void {
    this.#inFlight -= 1;
    if (lane === "callOut") this.#callOuts -= 1;
    this.#fill();
  }

  /** Starts what may start; nothing does before. */
  open(): void {
    this.#isOpen = true;
    this.#fill();
  }

  /** Removes and returns the waiting entries that are meant; the others keep their order. */
  take(isMeant: (entry: T) => boolean): T[] {
    const taken = LANES.flatMap((lane) => [...this.#waiting[lane]].filter(isMeant));
    for (const entry of taken) this.#leave(entry);
    return taken;
  }

  #mayStart(): boolean {
    return this.#isOpen && this.#inFlight < this.#limits.concurrency;
  }

  /** Not reentrant: thousands of entries may end while they start, because their time has passed. */
  #fill(): void {
    if (this.#filling) return;
    this.#filling = true;
    try {
      for (let next = this.#next(); next; next = this.#next()) {
        this.#inFlight += 1;
        this.#owner.start(next);
      }
    } finally {
      this.#filling = false;
    }
    this.#owner.freed();
  }

  /** The entry to start next. */
  #next(): T | undefined {
    if (!this.#mayStart()) return undefined;
    const [entry] = this.#waiting.live.size > 0 ? this.#waiting.live : this.#waiting.other;
    if (entry !== undefined) this.#leave(entry);
    return entry;
  }

  #leave(entry: T): void {
    for (const lane of LANES) this.#waiting[lane].delete(entry);
    this.#bytes -= this.#owner.bytesOf(entry);
  }
}
