import { byDate, Dates, type DatesOwner } from "./dates";
import { Dispatch } from "./dispatch";
import { allOf, Ends } from "./ends";
import type { Acceptance, Cut, Entry, Key, Outcome } from "./entry";
import type { Counts, Handlers } from "./handlers";
import { Pacer } from "./pacer";
import { Records } from "./records";
import {
  ACCEPTED,
  type Cancelled,
  type GroupState,
  type HeldEntry,
  type Limits,
  type Listed,
  type MaybePromise,
  type RestoredState,
  type Store,
  type StoreEvents,
  type Which,
  whenReady,
} from "./store";
import { Turn } from "./turn";
import { Turns } from "./turns";
import { Waiting } from "./waiting";

/** Entries that were due during a longer stop are held back until somebody resumes. Milliseconds. */
const SHORT_STOP_MS = 15 * 60_000;
/** If a key cannot be taken at the date of an entry, this is tried again after this pause. Milliseconds. */
const DUE_AGAIN_MS = 1000;
/** Entries that are listed without letting the process do anything else. */
const LISTED_AT_ONCE = 500;
const ALONE: GroupState["others"] = { waiting: 0, bytes: 0, restored: 0 };

/** Keeps call-outs until they are performed, each at most once, and decides when they begin. */
export class Backlog implements StoreEvents, DatesOwner {
  readonly records: Records;
  readonly #store: Store;
  readonly #waiting = new Waiting();
  readonly #turns = new Turns();
  readonly #dates = new Dates(this);
  readonly #pacer = new Pacer(0);
  readonly #ends: Ends;
  readonly #dispatch: Dispatch;
  /** In order. Some may have ended. */
  readonly #heldBack = new Set<Turn>();
  /** Epoch milliseconds on the store's clock. */
  readonly #startedAt: number;
  /** The places of the last turn that was accepted, and of the last that was restored: those go first. */
  #last = 0;
  #lastRestored = Number.MIN_SAFE_INTEGER;
  /** Restored before there were handlers; reported to the first ones. */
  #unheard: RestoredState[] = [];
  #handlers: Handlers | undefined;
  #limits: Limits = { rate: 0, entries: 0, bytes: 0, places: 0 };
  #others = ALONE;
  #failure: string | undefined;

  constructor(store: Store) {
    this.#store = store;
    this.#startedAt = store.now();
    this.records = new Records(store);
    this.#ends = new Ends(store, this.#turns, this.#pacer, (turn) => {
      this.#putBack(turn);
      this.dispatch();
    });
    this.#dispatch = new Dispatch(store, this.#turns, this.#waiting, this.#ends, this.#pacer);
    store.start(this);
  }

  get engine(): Store["engine"] {
    return this.#store.engine;
  }

  /** Whether waiting entries outlive the process: then the contents of entries must be JSON. */
  get isDurable(): boolean {
    return this.#store.isDurable;
  }

  /** Whether several processes use it at the same time. */
  get isShared(): boolean {
    return this.#store.isShared ?? false;
  }

  get counts(): Counts {
    const { waiting, bytes, restored, dated, heldBack } = this.#turns;
    const others = this.#others;
    const dates = [this.#dates.next, others.nextDate].filter((date) => date !== undefined);
    return {
      waiting: waiting + others.waiting,
      bytes: bytes + others.bytes,
      restored: restored + others.restored,
      dated: dated + (others.dated ?? 0),
      // The call of a record may be among those that are held back.
      heldBack: Math.max(heldBack, this.records.heldBack) + (others.heldBack ?? 0),
      nextDate: dates.length > 0 ? Math.min(...dates) : undefined,
      paused: this.#dispatch.paused,
      heldUntil: this.#dispatch.heldUntil,
    };
  }

  /** Epoch milliseconds, on the clock of dates. */
  now(): number {
    return this.#store.now();
  }

  /** Serves these handlers from now on, instead of earlier ones. */
  serve(handlers: Handlers, limits: Limits): void {
    this.#handlers = handlers;
    this.#ends.handlers = handlers;
    this.#dispatch.start(handlers);
    this.records.handlers = handlers.restored;
    this.#limits = limits;
    this.#pacer.rate = limits.rate;
    this.#store.setLimits?.(limits);
    if (this.#failure !== undefined) handlers.onFailure(this.#failure);
    for (const left of this.#unheard.splice(0)) this.#report(left);
    this.#dates.start();
    this.dispatch();
  }

  /**
   * Never rejects.
   * @param sender what the handlers get with the end of the entry
   */
  accept(entry: Entry, sender?: unknown): MaybePromise<Acceptance> {
    const earlier = entry.replaces ? this.#holderOf(entry) : undefined;
    // It may be about to begin, or to wait again.
    if (earlier && !earlier.isAtRest) return earlier.changed().then(() => this.accept(entry, sender));
    const startsNow = this.#dispatch.canStartNow(entry);
    const others = this.#handlers?.others() ?? ALONE;
    // Another instance may have the entry whose place this one takes: only the store knows.
    const isDecidedThere = entry.replaces === true && this.isShared;
    if (!startsNow && !isDecidedThere && this.#isFull(entry, others, earlier)) return { kind: "full" };
    const { entries, bytes } = this.#limits;
    const room = startsNow ? undefined : { entries: entries - others.waiting, bytes: bytes - others.bytes };
    this.#last += 1;
    const turn = new Turn(this.#dispatch, entry, this.#last, sender, false);
    if (earlier) this.#ends.leave(earlier, "replacing");
    const acceptance = this.#store.accept(entry, room, earlier?.entry);
    const answered = (answer: Acceptance) => {
      if (earlier) this.#answered(earlier, answer);
    };
    if (!(acceptance instanceof Promise)) {
      answered(acceptance);
      if (acceptance.kind !== "accepted") return acceptance;
      turn.isAccepted = true;
      this.#turns.add(turn);
      if (startsNow) this.#dispatch.ask(turn)();
      else this.#accepted(turn);
      return acceptance;
    }
    this.#turns.add(turn);
    // On an idle lane, both are written down at once.
    const hearLeave = startsNow ? this.#dispatch.ask(turn) : undefined;
    return acceptance.then((answer) => {
      answered(answer);
      turn.isAccepted = answer.kind === "accepted";
      if (!turn.isAccepted) this.#refused(turn);
      else if ("inherited" in answer) this.#ends.inherited(turn);
      else if (hearLeave) hearLeave();
      else this.#accepted(turn);
      return answer;
    });
  }

  /** A place has become free, or starts are open: begins what may begin. */
  dispatch(): void {
    this.#dispatch.run();
  }

  pause(): void {
    this.#setState({ paused: true });
  }

  /** Ends a pause and a hold, and releases the held-back entries. */
  resume(): void {
    this.#setState({ paused: false, heldUntil: null });
    this.#store.release?.();
    this.onReleased();
  }

  onReleased(): void {
    const { heldBack } = this.counts;
    this.records.release();
    const turns = [...this.#heldBack].filter(({ state }) => state === "heldBack");
    this.#heldBack.clear();
    for (const turn of turns) this.#wait(turn);
    if (heldBack > 0) this.#handlers?.onChange();
    this.dispatch();
  }

  /** Starts nothing until then, epoch milliseconds; `undefined` ends the hold, but no pause. */
  hold(until: number | undefined): void {
    this.#setState({ heldUntil: until ?? null });
    this.dispatch();
  }

  /** Ends waiting entries in the whole group, or those of a node in this process. Returns how many. Rejects if the store fails. */
  async drop({ nodeId, only }: Which = {}): Promise<number> {
    if (this.#failure !== undefined && this.#store.settleOthers) throw new Error(this.#failure);
    const own = await this.#ends.cutAll(
      "dropped",
      ({ entry, state }) => (nodeId ?? entry.nodeId) === entry.nodeId && (!only || state === "heldBack"),
      true,
    );
    // Other instances may still have the node.
    return nodeId === undefined ? own + ((await this.#store.settleOthers?.(only, "dropped")) ?? 0) : own;
  }

  /** Ends the waiting entries of a name, in the whole group. Rejects if the store fails. */
  async cancel(name: string): Promise<Cancelled> {
    if (this.#failure !== undefined && this.#store.cancelOthers) throw new Error(this.#failure);
    const turns = this.#turns.named(name);
    const begun = turns.filter(({ state }) => state === "begun");
    // If it may not leave after all, it does not wait again.
    for (const turn of begun) void turn.endLater("cancelled");
    const ended = await allOf(turns.map((turn) => this.#ends.cut(turn, "cancelled", true)));
    if (turns.length > 0) this.#handlers?.onChange();
    const others = await this.#store.cancelOthers?.(name);
    return {
      cancelled: ended.filter(Boolean).length + (others?.cancelled ?? 0),
      tooLate: begun.length + (others?.tooLate ?? 0),
    };
  }

  /**
   * The waiting entries of the whole group, in the order in which they will begin. Lets the process do other things in between,
   * so what begins or ends meanwhile may be missing. Rejects if the store fails.
   */
  async list(offset: number, limit: number): Promise<readonly Listed[]> {
    if (this.#store.list) return this.#store.list(offset, limit);
    const kinds = [
      ["turn", this.#waiting.inOrder(this.#dispatch.isOpen)],
      ["date", this.#dates.inOrder()],
      ["held-back", this.#heldBack],
    ] as const;
    const found: Listed[] = [];
    let place = 0;
    for (const [waitsFor, turns] of kinds)
      for (const { entry, sender, state } of turns) {
        if (waitsFor === "held-back" && state !== "heldBack") continue;
        if (place >= offset + limit) return found;
        if (place >= offset) found.push({ entry, sender, waitsFor });
        place += 1;
        if (place % LISTED_AT_ONCE === 0) await new Promise(setImmediate);
      }
    return found;
  }

  /** Ends what this process has accepted and not begun, because its target is given up. Returns how many. Rejects if the store fails. */
  failAll(): Promise<number> {
    return this.#ends.cutAll("givenUp", undefined, true);
  }

  /** Ends one entry that has not begun. Resolves to whether it did. */
  withdraw(id: string): Promise<boolean> {
    const turn = this.#turns.find(id);
    if (!turn) return Promise.resolve(false);
    const ended = Promise.resolve(this.#ends.cut(turn, "dropped"));
    this.#handlers?.onChange();
    return ended;
  }

  /** Takes a key, of one use, for a request that does not go through the backlog. */
  takeKey(key: Key): MaybePromise<Acceptance> {
    return this.#store.takeKey(key);
  }

  /** What `takeKey` would answer now, without taking the key. */
  tryKey(key: Key): MaybePromise<Acceptance> {
    return this.#store.tryKey(key);
  }

  settleKey(key: Key, outcome: Outcome): void {
    this.#store.settleKey(key, outcome);
  }

  /** Begins nothing more. What has begun may still be settled. Returns what has not. */
  stopDispatching(): readonly Pick<Turn, "entry" | "sender">[] {
    this.#dates.stop();
    this.#dispatch.stop();
    return this.#turns.filter(({ state }) => state !== "begun" && state !== "settled");
  }

  /** Releases what it holds of the machine. Settle what has begun first. */
  async close(): Promise<void> {
    this.stopDispatching();
    if (this.#turns.beginning > 0)
      await new Promise<void>((resolve) => {
        this.#turns.onNoneBeginning = resolve;
      });
    await this.#ends.stored;
    await this.#store.close();
  }

  onRestored(left: RestoredState): void {
    const { waiting, records, lateRecords = [], stoppedForMs, paused } = left;
    const isLong = stoppedForMs === undefined || stoppedForMs >= SHORT_STOP_MS;
    const late: Turn[] = [];
    for (const entry of waiting) {
      this.#lastRestored += 1;
      const turn = new Turn(this.#dispatch, entry, this.#lastRestored, undefined, true);
      turn.isAccepted = true;
      const isHeldBack = entry.heldBack || (isLong && turn.date < this.#startedAt);
      turn.state = isHeldBack ? "heldBack" : turn.isDated ? "dated" : "waiting";
      this.#turns.add(turn);
      if (turn.state === "waiting") this.#waiting.insert(turn);
      else if (turn.state === "dated") this.#dates.add(turn);
      else late.push(turn);
    }
    for (const turn of late.sort(byDate)) this.#heldBack.add(turn);
    this.records.holdBack(isLong ? records.keys() : lateRecords);
    const ids = late.flatMap(({ entry }) => (entry.heldBack ? [] : entry.id));
    if (isLong && ids.length + records.size > 0) this.#store.holdBack?.(ids, [...records.keys()]);
    this.#dispatch.paused ||= paused === true;
    this.records.restore(records.keys());
    if (!this.#handlers) this.#unheard.push(left);
    else {
      this.#report(left);
      this.dispatch();
    }
  }

  onGroup({ paused, heldUntil, rate, others }: GroupState): void {
    this.#dispatch.paused = paused;
    this.#dispatch.heldUntil = heldUntil;
    this.#others = others;
    this.#pacer.rate = rate;
    this.#handlers?.onChange();
    this.dispatch();
  }

  onSettledElsewhere(ids: readonly string[], cut: Cut): void {
    const gone = new Set(ids);
    // A turn that the store was asked about ends with the answer.
    for (const turn of this.#turns.filter(({ isAtRest, entry }) => isAtRest && gone.has(entry.id)))
      this.#ends.finish(turn, { cut });
    this.#handlers?.onChange();
  }

  onInherited(): void {
    this.records.forget();
    for (const turn of this.#turns.filter(({ isAccepted }) => isAccepted)) {
      this.#ends.inherited(turn);
    }
  }

  retry(): void {
    this.#dispatch.retry();
  }

  *held(): Iterable<HeldEntry> {
    for (const { entry, state, isAccepted, isDated } of this.#turns.filter(() => true)) {
      const hasBegun = state === "begun" || state === "starting";
      const isDue = entry.notBefore !== undefined && !(isDated && state === "dated");
      if (isAccepted && state !== "settled") yield { entry, hasBegun, isDue, isHeldBack: state === "heldBack" };
    }
  }

  onRecordNote(name: string, note: unknown): void {
    this.#handlers?.restored?.onRecordNote?.(name, note);
  }

  onFailure(reason: string | undefined): void {
    this.#failure = reason;
    this.#handlers?.onFailure(reason);
  }

  /** Reports to the handlers what earlier processes left. */
  #report({ settled, begun, waiting, records }: RestoredState): void {
    const restored = this.#handlers?.restored;
    for (const { entry, outcome, cut } of settled) this.#ends.report(entry, cut ? { cut } : { unreported: outcome });
    for (const entry of begun)
      void whenReady(this.#store.settle(entry, "unknown"), () => this.#ends.report(entry, { cut: "lost" }));
    for (const nodeId of new Set(waiting.map((entry) => entry.nodeId)))
      if (restored?.hasNode(nodeId) === false)
        void this.#ends.cutAll("dropped", ({ entry }) => entry.nodeId === nodeId);
    for (const [name, value] of records) restored?.onRecordRestored?.(name, value);
    if (this.#turns.restored + this.records.heldBack > 0) this.#handlers?.onChange();
  }

  #setState(state: Parameters<Store["setState"]>[0]): void {
    if (state.paused !== undefined) this.#dispatch.paused = state.paused;
    if (state.heldUntil !== undefined) this.#dispatch.heldUntil = state.heldUntil ?? undefined;
    this.#store.setState(state);
    this.#handlers?.onChange();
  }

  #isFull({ size }: Entry, others: Pick<Counts, "waiting" | "bytes">, earlier?: Turn): boolean {
    const { waiting, bytes } = this.counts;
    const [entries, freed] = earlier ? [waiting - 1, earlier.entry.size] : [waiting, 0];
    return entries + others.waiting >= this.#limits.entries || bytes - freed + others.bytes + size > this.#limits.bytes;
  }

  /** The turn that has the key of an entry, and has not begun. */
  #holderOf({ name, keys = [] }: Entry): Turn | undefined {
    // A key of several uses is shared with others.
    const taken = new Set(keys.flatMap(({ hash, uses }) => (uses === undefined ? [hash] : [])));
    return this.#turns.named(name).find(({ entry, state }) => {
      return state !== "begun" && state !== "settled" && entry.keys?.some(({ hash }) => taken.has(hash));
    });
  }

  /** Whether another entry has taken the place of a turn. */
  #answered(turn: Turn, { kind, ...answer }: Acceptance): void {
    if (turn.state !== "replacing") return;
    if (kind === "accepted" && "replaced" in answer) this.#ends.finish(turn, { cut: "replaced" });
    else if (!this.#ends.endIfAsked(turn)) this.#putBack(turn);
  }

  /** Lets a turn wait as before. */
  #putBack(turn: Turn): void {
    if (this.#heldBack.has(turn)) this.#turns.to(turn, "heldBack");
    else this.#wait(turn);
  }

  /** Lets a turn wait for its date, or in its place. */
  #wait(turn: Turn): void {
    this.#turns.to(turn, turn.isDated ? "dated" : "waiting");
    if (turn.isDated) this.#dates.add(turn);
    else this.#waiting.insert(turn);
  }

  onDue(turns: readonly Turn[]): void {
    for (const turn of turns) this.#due(turn);
    this.dispatch();
  }

  /** The date of a turn has come: it waits behind the others as soon as it has got what it takes then. */
  #due(turn: Turn): void {
    const { entry, sender } = turn;
    const keys = this.#handlers?.dueKeys?.(entry, sender) ?? [];
    const taken = keys.length > 0 ? this.#store.takeDue?.(entry, keys) : undefined;
    void whenReady(taken ?? ACCEPTED, (answer) => {
      if (turn.state !== "dated") return;
      if (answer.kind === "usedUp")
        void this.#ends.settle(turn, "not-applied", { cut: "usedUp", retryAfterMs: answer.retryAfterMs });
      else if (answer.kind !== "accepted")
        setTimeout(() => turn.state === "dated" && !this.#dispatch.isStopped && this.#due(turn), DUE_AGAIN_MS).unref();
      else {
        this.#last += 1;
        turn.place = this.#last;
        this.#turns.to(turn, "waiting");
        this.#waiting.insert(turn);
        this.#handlers?.onDue?.(entry, sender);
        if (taken instanceof Promise) this.dispatch();
      }
    });
  }

  #accepted(turn: Turn): void {
    if (turn.state !== "accepting") return;
    if (turn.entry.heldBack) this.#heldBack.add(turn);
    if (this.#ends.endIfAsked(turn)) return;
    if (turn.entry.heldBack) {
      this.#turns.to(turn, "heldBack");
      this.#handlers?.onChange();
      return;
    }
    this.#wait(turn);
    this.dispatch();
  }

  #refused(turn: Turn): void {
    turn.ending?.resolve(false);
    turn.ending = undefined;
    this.#ends.letGo(turn);
    this.dispatch();
  }
}
