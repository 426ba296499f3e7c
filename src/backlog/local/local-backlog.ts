import { performance } from "node:perf_hooks";
import type {
  Acceptance,
  Backlog,
  Counts,
  Cut,
  End,
  Entry,
  FirstUse,
  Handlers,
  Key,
  Limits,
  Outcome,
  Run,
} from "../backlog";
import { DeduplicationKeys, type Use } from "../deduplication-keys";
import { Pacer } from "./pacer";
import { Queue } from "./queue";
import type { Remains, Store } from "./store";

/** A store that fails is tried again after this pause. Milliseconds. */
const RETRY_MS = 1000;
/** What waited through a longer stop does not start by itself. Milliseconds. */
const SHORT_STOP_MS = 15 * 60_000;
/** Entries that are dropped without letting the process do anything else. */
const DROP_AT_ONCE = 500;
/** Entries that are dropped before the first of them is told. */
const UNTOLD_AT_ONCE = 5000;

/** The backlog of one process: first in, first out, in memory, with a store that outlives the process or without. */
export class LocalBacklog implements Backlog {
  readonly isShared = false;
  readonly #store: Store;
  readonly #keys = new DeduplicationKeys();
  readonly #pacer = new Pacer(0);
  readonly #queue = new Queue<Entry>();
  #bytes = 0;
  /** Entries that are being stored. */
  #accepting = 0;
  /** Entries that were taken from the queue, and have not begun. */
  #beginning = 0;
  /** Ids of entries that an earlier process accepted. */
  readonly #restored = new Set<string>();
  #remains: Remains | undefined;
  #handlers: Handlers | undefined;
  #limits: Limits = { rate: 0, entries: 0, bytes: 0, places: 0 };
  #paused = false;
  #heldUntil: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #retryAt = -Infinity;
  #looking = false;
  #resting = false;
  /** The last drop, while it goes on. */
  #cutting: Promise<unknown> = Promise.resolve();
  /** What the store did not take. */
  #troubled: "entry" | "change" | undefined;

  constructor(store: Store, remains?: Remains) {
    this.#store = store;
    this.#remains = remains;
    this.#restoreKeys(remains);
    for (const entry of remains?.waiting ?? []) {
      this.#restored.add(entry.id);
      this.#push(entry);
    }
    const waited = this.#queue.length > 0 && !(remains?.downMs !== undefined && remains.downMs < SHORT_STOP_MS);
    this.#paused = waited || remains?.paused === true;
  }

  get isDurable(): boolean {
    return this.#store.isDurable;
  }

  get counts(): Counts {
    return {
      waiting: this.#queue.length + this.#accepting,
      bytes: this.#bytes,
      restored: this.#restored.size,
      paused: this.#paused,
      heldUntil: this.#heldUntil,
    };
  }

  serve(handlers: Handlers, limits: Limits): void {
    this.#handlers = handlers;
    this.#resting = false;
    this.#limits = limits;
    this.#pacer.rate = limits.rate;
    const remains = this.#remains;
    this.#remains = undefined;
    for (const { entry, outcome } of remains?.untold ?? []) this.#tell(entry, { untold: outcome }, true);
    for (const entry of remains?.begun ?? []) this.#end(entry, "unknown", { cut: "lost" }, true);
    for (const nodeId of new Set(remains?.waiting.map((entry) => entry.nodeId)))
      if (handlers.wants?.(nodeId) === false) void this.drop(nodeId);
    if (remains && this.#restored.size > 0) handlers.changed();
    this.look();
  }

  accept(entry: Entry): Promise<Acceptance> {
    if (this.#isFull(entry)) return Promise.resolve({ kind: "full" });
    const taken = entry.key && this.#take(entry.key);
    if (taken && "kind" in taken) return Promise.resolve(taken);
    this.#accepting += 1;
    this.#bytes += entry.size;
    return new Promise((resolve) => {
      this.#store.accept(entry, taken, (error) => {
        this.#accepting -= 1;
        this.#bytes -= entry.size;
        if (error && taken) this.#keys.forget(taken.hash);
        if (!error) this.#push(entry);
        resolve(this.#acceptance(error, "entry"));
        this.look();
      });
    });
  }

  takeKey(key: Key): Promise<Acceptance> {
    const taken = this.#take(key);
    if ("kind" in taken) return Promise.resolve(taken);
    return new Promise((resolve) => {
      this.#store.use(taken, (error) => {
        if (error) this.#keys.forget(key.hash);
        resolve(this.#acceptance(error, "change"));
      });
    });
  }

  settleKey({ hash }: Key, outcome: Outcome): void {
    this.#store.use(this.#keys.settle(hash, outcome, this.#store.now()) ?? hash, () => {});
  }

  pause(): void {
    this.#paused = true;
    this.#store.pause(true);
    this.#handlers?.changed();
  }

  resume(): void {
    this.#paused = false;
    this.#heldUntil = undefined;
    this.#store.pause(false);
    this.#handlers?.changed();
    this.look();
  }

  hold(until: number | undefined): void {
    this.#heldUntil = until;
    this.#handlers?.changed();
    this.look();
  }

  drop(nodeId?: string): Promise<number> {
    return this.#cut("dropped", nodeId);
  }

  giveUp(): Promise<number> {
    return this.#cut("givenUp");
  }

  /** In steps, so that the process answers meanwhile. */
  #cut(cut: Cut, nodeId?: string): Promise<number> {
    const cutting = this.#cutWaiting(cut, nodeId);
    this.#cutting = cutting;
    return cutting;
  }

  async #cutWaiting(cut: Cut, nodeId: string | undefined): Promise<number> {
    const waiting = this.#queue.drain();
    for (const { size } of waiting) this.#bytes -= size;
    const dropped = waiting.filter((entry) => nodeId === undefined || entry.nodeId === nodeId);
    for (const entry of waiting) if (nodeId !== undefined && entry.nodeId !== nodeId) this.#push(entry);
    const ends: Promise<void>[] = [];
    for (const entry of dropped) {
      ends.push(new Promise((told) => this.#end(entry, "not-applied", { cut }, this.#restored.has(entry.id), told)));
      // A store that is slower than this process must not pile them up.
      if (ends.length % UNTOLD_AT_ONCE === 0) await Promise.all(ends.splice(0));
      else if (ends.length % DROP_AT_ONCE === 0) await new Promise(setImmediate);
    }
    await Promise.all(ends);
    this.#handlers?.changed();
    return dropped.length;
  }

  /** Not reentrant: thousands of entries may end as soon as they begin. */
  look(): void {
    if (this.#looking || this.#resting) return;
    this.#looking = true;
    try {
      while (this.#mayBegin()) this.#begin(this.#queue.shift() as Entry);
    } finally {
      this.#looking = false;
    }
    this.#lookLater();
  }

  rest(): void {
    this.#resting = true;
    clearTimeout(this.#timer);
  }

  async close(): Promise<void> {
    this.rest();
    await this.#cutting;
    await this.#store.close();
  }

  /** A request besides the entries was cut off with the process: nobody knows whether it was applied. */
  #restoreKeys(remains: Remains | undefined): void {
    if (!remains) return;
    for (const use of remains.uses) this.#keys.restore(use);
    const ofEntries = new Set([...remains.waiting, ...remains.begun].map(({ key }) => key?.hash));
    for (const { hash, until } of remains.uses)
      if (until === undefined && !ofEntries.has(hash)) this.settleKey({ hash, forMs: 0 }, "unknown");
  }

  /** An entry that can begin at once needs no room. */
  #isFull({ size }: Entry): boolean {
    const mine = this.#queue.length + this.#accepting;
    if (mine === 0 && this.#isOpen() && this.#pacer.next(performance.now()) <= performance.now()) return false;
    const others = this.#handlers?.others() ?? { waiting: 0, bytes: 0 };
    const { entries, bytes } = this.#limits;
    return mine + others.waiting >= entries || this.#bytes + others.bytes + size > bytes;
  }

  #take(key: Key): Use | Acceptance {
    const taken = this.#keys.take(key, this.#store.now(), Date.now());
    if (taken === "full") return { kind: "keysFull" };
    return isUse(taken) ? taken : { kind: "duplicate", first: taken };
  }

  #acceptance(error: Error | undefined, what: "entry" | "change"): Acceptance {
    this.#observe(error, what);
    return error ? { kind: "trouble", reason: error.message } : { kind: "accepted" };
  }

  /** Tells of the store's trouble, and of its end: a store that takes changes may still take no entry. */
  #observe(error: Error | undefined, what: "entry" | "change"): void {
    if (error) this.#troubled = this.#troubled === "entry" ? "entry" : what;
    else if (this.#troubled === undefined || (this.#troubled === "entry" && what === "change")) return;
    else this.#troubled = undefined;
    this.#handlers?.trouble(error?.message);
  }

  #push(entry: Entry): void {
    this.#queue.push(entry);
    this.#bytes += entry.size;
  }

  /** Whether an entry may begin, apart from the rate. */
  #isOpen(): boolean {
    if (!this.#handlers || this.#paused || this.#heldUntil !== undefined) return false;
    return performance.now() >= this.#retryAt && this.#handlers.places() > this.#beginning;
  }

  #mayBegin(): boolean {
    if (this.#queue.length === 0) return false;
    const now = performance.now();
    return this.#isOpen() && this.#pacer.next(now) <= now + this.#store.leadMs;
  }

  #begin(entry: Entry): void {
    this.#bytes -= entry.size;
    if (entry.notAfter !== undefined && Date.now() > entry.notAfter) {
      this.#end(entry, "not-applied", { cut: "expired" }, this.#restored.has(entry.id));
      return;
    }
    const at = this.#pacer.plan(performance.now());
    this.#beginning += 1;
    this.#store.begin(entry.id, (error) => {
      this.#observe(error, "change");
      if (error) this.#putBack(entry, RETRY_MS);
      else this.#runAt(entry, at);
    });
  }

  #runAt(entry: Entry, at: number): void {
    const wait = at - performance.now();
    if (wait > 0) {
      setTimeout(() => this.#runAt(entry, at), Math.ceil(wait));
      return;
    }
    if (this.#resting) {
      this.#store.unbegin(entry.id, () => this.#putBack(entry, 0));
      return;
    }
    this.#beginning -= 1;
    this.#pacer.started(performance.now());
    this.#handlers?.begin(this.#runOf(entry));
  }

  #putBack(entry: Entry, forMs: number): void {
    this.#beginning -= 1;
    this.#queue.unshift(entry);
    this.#bytes += entry.size;
    this.#retryAt = performance.now() + forMs;
    this.#lookLater();
  }

  #runOf(entry: Entry): Run {
    return {
      entry,
      leave: () => this.#pacer.leave(performance.now()),
      again: (earliest, latest) => this.#pacer.reserve(performance.now(), earliest, latest),
      settle: (outcome, result) => this.#end(entry, outcome, { result }, this.#restored.has(entry.id)),
    };
  }

  /** The end is stored before it is told: a crash in between must not tell it twice. */
  #end(entry: Entry, outcome: Outcome, end: End, restored: boolean, told = () => {}): void {
    const use = entry.key && (this.#keys.settle(entry.key.hash, outcome, this.#store.now()) ?? entry.key.hash);
    this.#store.end(entry.id, outcome, use, () => {
      this.#tell(entry, end, restored);
      told();
    });
  }

  #tell(entry: Entry, end: End, restored: boolean): void {
    this.#restored.delete(entry.id);
    this.#handlers?.ended(entry, end, restored);
    this.#store.forget(entry.id);
  }

  #lookLater(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#resting || this.#queue.length === 0) return;
    const now = performance.now();
    const at = Math.max(this.#pacer.next(now) - this.#store.leadMs, this.#retryAt);
    // If places are taken, or starts are held, something else looks again. But a start may have fallen due since the last look.
    if (at <= now && !this.#isOpen()) return;
    this.#timer = setTimeout(() => this.look(), Math.min(Math.max(Math.ceil(at - now), 0), 2 ** 31 - 1));
  }
}

function isUse(taken: FirstUse | Use): taken is Use {
  return "hash" in taken;
}
