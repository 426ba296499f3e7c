import { performance } from "node:perf_hooks";
import type { Ends } from "./ends";
import type { Entry, Outcome, Settlement } from "./entry";
import type { Handlers } from "./handlers";
import type { Pacer } from "./pacer";
import { type Leave, type Store, whenReady } from "./store";
import type { Turn, TurnOwner } from "./turn";
import type { Turns } from "./turns";
import type { Waiting } from "./waiting";

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Begins waiting entries in their order, at the group's rate, unless paused or held, each with the permission of the store. */
export class Dispatch implements TurnOwner {
  handlers: Handlers | undefined;
  paused = false;
  /** Epoch milliseconds. */
  heldUntil: number | undefined;
  readonly pacer: Pacer;
  readonly #store: Store;
  readonly #turns: Turns;
  readonly #waiting: Waiting;
  readonly #ends: Ends;
  #timer: NodeJS.Timeout | undefined;
  /** The store is not asked before, monotonic milliseconds. */
  #retryAt = -Infinity;
  #isDispatching = false;
  isStopped = false;

  constructor(store: Store, turns: Turns, waiting: Waiting, ends: Ends, pacer: Pacer) {
    this.#store = store;
    this.#turns = turns;
    this.#waiting = waiting;
    this.#ends = ends;
    this.pacer = pacer;
  }

  /** Whether starts are open, for entries that do not begin at any time. */
  get isOpen(): boolean {
    return this.handlers?.isOpen() ?? true;
  }

  now(): number {
    return this.#store.now();
  }

  get mayLeave(): boolean {
    return this.#store.holdsLease?.() ?? true;
  }

  countStart(): void {
    this.#store.countStart?.();
  }

  settle(turn: Turn, outcome: Outcome, settlement: Settlement): void {
    void this.#ends.settle(turn, outcome, settlement);
  }

  start(handlers: Handlers): void {
    this.handlers = handlers;
    this.isStopped = false;
  }

  /** Begins nothing more. */
  stop(): void {
    this.isStopped = true;
    clearTimeout(this.#timer);
    for (const turn of this.#turns.filter(({ state }) => state === "starting")) this.requeue(turn);
  }

  /** A place has become free, or starts are open: begins entries. Not reentrant, because entries may end as they begin. */
  run(): void {
    if (this.#isDispatching || this.isStopped || (this.#turns.queued === 0 && !this.#timer)) return;
    this.#isDispatching = true;
    try {
      for (let turn = this.#next(); turn; turn = this.#next()) {
        turn.leaveHeap();
        const { notAfter } = turn.entry;
        if (notAfter !== undefined && this.#store.now() > notAfter) void this.#ends.cut(turn, "expired");
        else this.ask(turn)();
      }
    } finally {
      this.#isDispatching = false;
    }
    this.#runLater();
  }

  /** The store may grant now what it has not granted before. */
  retry(): void {
    this.#retryAt = -Infinity;
    this.run();
  }

  /** Whether an entry can begin at once, because nothing else waits. */
  canStartNow({ anytime, notAfter, notBefore, heldBack }: Entry): boolean {
    if (this.isStopped || this.#isDispatching || this.#turns.queued > 0) return false;
    if (notBefore !== undefined || heldBack) return false;
    if (!(anytime ?? this.isOpen) || (notAfter !== undefined && this.#store.now() > notAfter)) return false;
    const now = performance.now();
    return this.#mayStart(now) && this.pacer.next(now) <= now;
  }

  /** Asks the store whether a turn may start. Returns what to call once the answer counts. */
  ask(turn: Turn): () => void {
    const at = this.pacer.plan(performance.now());
    this.#turns.to(turn, "beginning");
    const leave = this.#store.begin(turn.entry);
    const granted = (answer: Leave) => {
      if (turn.state === "beginning") this.#granted(turn, answer, at);
    };
    return () => void whenReady(leave, granted);
  }

  requeue(turn: Turn): void {
    if (turn.state !== "begun" && turn.state !== "starting") return;
    this.pacer.stopped(turn);
    this.#turns.to(turn, "beginning");
    void whenReady(this.#store.requeue(turn.entry), () => this.#waitAgain(turn));
  }

  /** Whether an entry may begin, apart from the rate. */
  #mayStart(now: number): boolean {
    if (!this.handlers || this.paused || this.heldUntil !== undefined) return false;
    return now >= this.#retryAt && this.handlers.places() > this.#turns.beginning;
  }

  /** The turn that may begin now. */
  #next(): Turn | undefined {
    const turn = this.#waiting.peek(this.isOpen);
    if (!turn) return undefined;
    const now = performance.now();
    return this.#mayStart(now) && this.pacer.next(now) <= now + this.#store.leadMs ? turn : undefined;
  }

  #granted(turn: Turn, leave: Leave, at: number): void {
    if (leave === "begun") this.#startAt(turn, at);
    else if (leave === "inherited") this.#ends.inherited(turn);
    else if (typeof leave === "object" && "startInMs" in leave)
      this.#startAt(turn, Math.max(at, performance.now() + leave.startInMs));
    else {
      this.pacer.giveBack(at);
      if (typeof leave === "object" && "gone" in leave) {
        this.#ends.finish(turn, { cut: leave.gone });
        this.run();
      } else {
        const retryInMs = leave === "forgotten" ? Number.POSITIVE_INFINITY : leave.retryInMs;
        this.#retryAt = performance.now() + retryInMs;
        this.#waitAgain(turn);
      }
    }
  }

  #startAt(turn: Turn, at: number): void {
    if (turn.state !== "beginning" && turn.state !== "starting") return;
    this.#turns.to(turn, "starting");
    const wait = at - performance.now();
    if (this.#ends.endIfAsked(turn)) return;
    if (this.isStopped) this.requeue(turn);
    else if (wait > 0) setTimeout(() => this.#startAt(turn, at), Math.ceil(wait));
    else {
      this.pacer.started(performance.now(), turn);
      this.#turns.to(turn, "begun");
      this.handlers?.begin(turn);
    }
  }

  #waitAgain(turn: Turn): void {
    if (turn.state !== "beginning") return;
    this.#turns.to(turn, "waiting");
    if (!this.#ends.endIfAsked(turn)) this.#waiting.insert(turn);
    this.#runLater();
  }

  #runLater(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.isStopped || !this.#waiting.peek(this.isOpen)) return;
    const now = performance.now();
    const at = Math.max(this.pacer.next(now) - this.#store.leadMs, this.#retryAt);
    // If no place is free, or starts are held, the end of that dispatches. But a start may have fallen due meanwhile.
    if (at === Number.POSITIVE_INFINITY || (at <= now && !this.#mayStart(now))) return;
    this.#timer = setTimeout(() => this.run(), Math.min(Math.max(Math.ceil(at - now), 0), LONGEST_TIMER_MS));
  }
}
