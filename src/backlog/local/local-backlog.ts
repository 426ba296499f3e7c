import { performance } from "node:perf_hooks";
import type { Acceptance, Backlog, Counts, Cut, End, Entry, Handlers, Key, Limits, Outcome, Run } from "../backlog";
import { DeduplicationKeys, type Use } from "../deduplication-keys";
import { LocalRecords } from "./local-records";
import { Pacer } from "./pacer";
import type { Remains, Store } from "./store";
import { Waiting } from "./waiting";

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
  readonly records: LocalRecords;
  readonly #store: Store;
  readonly #keys = new DeduplicationKeys();
  readonly #pacer = new Pacer(0);
  readonly #waiting = new Waiting();
  /** Entries that are being stored, and their bytes. */
  #accepting = 0;
  #acceptingBytes = 0;
  /** Who withdraws an entry while it is being stored, by its id. */
  readonly #storing = new Map<string, ((isEnded: boolean) => void)[]>();
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
    this.records = new LocalRecords(store, remains?.records.keys() ?? []);
    this.#restoreKeys(remains);
    for (const entry of remains?.waiting ?? []) {
      this.#restored.add(entry.id);
      this.#waiting.push(entry);
    }
    const waits = this.#waiting.length > 0 || (remains?.records.size ?? 0) > 0;
    const waited = waits && !(remains?.downMs !== undefined && remains.downMs < SHORT_STOP_MS);
    this.#paused = waited || remains?.paused === true;
  }

  get isDurable(): boolean {
    return this.#store.isDurable;
  }

  get counts(): Counts {
    return {
      waiting: this.#waiting.length + this.#accepting,
      bytes: this.#bytes,
      restored: this.#restored.size,
      paused: this.#paused,
      heldUntil: this.#heldUntil,
    };
  }

  get #bytes(): number {
    return this.#waiting.bytes + this.#acceptingBytes;
  }

  serve(handlers: Handlers, limits: Limits): void {
    this.#handlers = handlers;
    this.records.handlers = handlers;
    this.#resting = false;
    this.#limits = limits;
    this.#pacer.rate = limits.rate;
    const remains = this.#remains;
    this.#remains = undefined;
    for (const { entry, outcome } of remains?.untold ?? []) this.#tell(entry, { untold: outcome }, true);
    for (const entry of remains?.begun ?? []) this.#end(entry, "unknown", { cut: "lost" }, true);
    for (const nodeId of new Set(remains?.waiting.map((entry) => entry.nodeId)))
      if (handlers.wants?.(nodeId) === false) void this.drop(nodeId);
    for (const [name, value] of remains?.records ?? []) handlers.adopted?.(name, value);
    if (remains && this.#restored.size > 0) handlers.changed();
    this.look();
  }

  accept(given: Entry): Promise<Acceptance> {
    if (this.#isFull(given)) return Promise.resolve({ kind: "full" });
    const { keys = [] } = given;
    const uses = this.#take(keys);
    if ("kind" in uses) return Promise.resolve(uses);
    // Each key is kept with the use that it has got.
    const held = uses.map(({ hash, forMs }) => ({ hash, forMs }));
    const entry = keys.length > 0 ? { ...given, keys: held } : given;
    this.#accepting += 1;
    this.#acceptingBytes += entry.size;
    this.#storing.set(entry.id, []);
    return new Promise((resolve) => {
      this.#store.accept(entry, uses, (error) => {
        const withdrawn = this.#storing.get(entry.id) ?? [];
        this.#storing.delete(entry.id);
        this.#accepting -= 1;
        this.#acceptingBytes -= entry.size;
        if (error) for (const { hash } of uses) this.#keys.forget(hash);
        else if (withdrawn.length === 0) this.#waiting.push(entry);
        else this.#endWaiting(entry, "dropped");
        for (const told of withdrawn) told(!error);
        resolve(this.#acceptance(error, "entry"));
        this.look();
      });
    });
  }

  takeKey(key: Key): Promise<Acceptance> {
    const uses = this.#take([key]);
    if ("kind" in uses) return Promise.resolve(uses);
    return new Promise((resolve) => {
      for (const use of uses)
        this.#store.use(use, (error) => {
          if (error) this.#keys.forget(use.hash);
          resolve(this.#acceptance(error, "change"));
        });
    });
  }

  tryKey(key: Key): Promise<Acceptance> {
    return Promise.resolve(this.#keys.refusal(key, this.#store.now()));
  }

  settleKey({ hash }: Key, outcome: Outcome): void {
    this.#store.use(this.#settledKey(hash, outcome), () => {});
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

  async withdraw(id: string): Promise<boolean> {
    const storing = this.#storing.get(id);
    if (storing) return new Promise((resolve) => storing.push(resolve));
    const [entry] = this.#waiting.take((waiting) => waiting.id === id);
    if (!entry) return false;
    await new Promise<void>((told) => this.#endWaiting(entry, "dropped", told));
    this.#handlers?.changed();
    return true;
  }

  /** In steps, so that the process answers meanwhile. */
  #cut(cut: Cut, nodeId?: string): Promise<number> {
    const cutting = this.#cutWaiting(cut, nodeId);
    this.#cutting = cutting;
    return cutting;
  }

  async #cutWaiting(cut: Cut, nodeId: string | undefined): Promise<number> {
    const dropped = this.#waiting.take((entry) => nodeId === undefined || entry.nodeId === nodeId);
    const ends: Promise<void>[] = [];
    for (const entry of dropped) {
      ends.push(new Promise((told) => this.#endWaiting(entry, cut, told)));
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
      while (this.#mayBegin()) this.#begin(this.#waiting.shift(this.#areStartsOpen) as Entry);
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
    const ofEntries = new Set([...remains.waiting, ...remains.begun].flatMap(hashesOf));
    for (const { hash, until } of remains.uses)
      if (until === undefined && !ofEntries.has(hash)) this.settleKey({ hash, forMs: 0 }, "unknown");
  }

  /** An entry that can begin at once needs no room. */
  #isFull({ size, anytime }: Entry): boolean {
    const mine = this.#waiting.length + this.#accepting;
    if (
      mine === 0 &&
      (anytime ?? this.#areStartsOpen) &&
      this.#mayStart() &&
      this.#pacer.next(performance.now()) <= performance.now()
    )
      return false;
    const others = this.#handlers?.others() ?? { waiting: 0, bytes: 0 };
    const { entries, bytes } = this.#limits;
    return mine + others.waiting >= entries || this.#bytes + others.bytes + size > bytes;
  }

  /** Takes all keys, or none. */
  #take(keys: readonly Key[]): Use[] | Exclude<Acceptance, { kind: "accepted" }> {
    const uses: Use[] = [];
    for (const key of keys) {
      const use = this.#keys.take(key, this.#store.now(), Date.now());
      if ("kind" in use) {
        for (const { hash } of uses) this.#keys.forget(hash);
        return use;
      }
      uses.push(use);
    }
    return uses;
  }

  /** How a key is kept after its use, or its hash if it is given back. */
  #settledKey(hash: string, outcome: Outcome): Use | string {
    return this.#keys.settle(hash, outcome, this.#store.now()) ?? hash;
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

  get #areStartsOpen(): boolean {
    return this.#handlers?.isOpen?.() ?? true;
  }

  /** Whether an entry may begin, apart from the rate. */
  #mayStart(): boolean {
    if (!this.#handlers || this.#paused || this.#heldUntil !== undefined) return false;
    return performance.now() >= this.#retryAt && this.#handlers.places() > this.#beginning;
  }

  #mayBegin(): boolean {
    if (!this.#waiting.has(this.#areStartsOpen)) return false;
    const now = performance.now();
    return this.#mayStart() && this.#pacer.next(now) <= now + this.#store.leadMs;
  }

  #begin(entry: Entry): void {
    if (entry.notAfter !== undefined && Date.now() > entry.notAfter) {
      this.#endWaiting(entry, "expired");
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
    this.#waiting.unshift(entry);
    this.#retryAt = performance.now() + forMs;
    this.#lookLater();
  }

  #runOf(entry: Entry): Run {
    return {
      entry,
      putBack: () => {
        this.#beginning += 1;
        this.#store.unbegin(entry.id, () => this.#putBack(entry, 0));
      },
      leave: () => this.#pacer.leave(performance.now()),
      again: (earliest, latest) => this.#pacer.reserve(performance.now(), earliest, latest),
      settle: (outcome, result) => this.#end(entry, outcome, { result }, this.#restored.has(entry.id)),
    };
  }

  #endWaiting(entry: Entry, cut: Cut, told?: () => void): void {
    this.#end(entry, "not-applied", { cut }, this.#restored.has(entry.id), told);
  }

  /** The end is stored before it is told: a crash in between must not tell it twice. */
  #end(entry: Entry, outcome: Outcome, end: End, restored: boolean, told = () => {}): void {
    const uses = hashesOf(entry).map((hash) => this.#settledKey(hash, outcome));
    this.#store.end(entry.id, outcome, uses, () => {
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
    if (this.#resting || !this.#waiting.has(this.#areStartsOpen)) return;
    const now = performance.now();
    const at = Math.max(this.#pacer.next(now) - this.#store.leadMs, this.#retryAt);
    // If places are taken, or starts are held, something else looks again. But a start may have fallen due since the last look.
    if (at <= now && !this.#mayStart()) return;
    this.#timer = setTimeout(() => this.look(), Math.min(Math.max(Math.ceil(at - now), 0), 2 ** 31 - 1));
  }
}

function hashesOf({ keys = [] }: Entry): string[] {
  return keys.map(({ hash }) => hash);
}
