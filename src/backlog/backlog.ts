import { Call, move } from "./call";
import { Decisions } from "./decisions";
import { Ends, type Handlers } from "./ends";
import type { Acceptance, Cut, Entry } from "./entry";
import { Events } from "./events";
import { Loop } from "./loop";
import { Queue } from "./queue";
import { type Reason, whyWaits } from "./reasons";
import { Records } from "./records";
import { type Cancelled, type Counts, type Limits, type Store, sharedOf, type WaitingEntry, type Which } from "./store";
import type { Trouble } from "./trouble/machine";
import { Service } from "./trouble/service";

/** Entries that are listed without letting the process do anything else. */
const LISTED_AT_ONCE = 500;

/**
 * Keeps call-outs until they are performed, each at most once, and decides when they begin. What can happen to an entry besides:
 *
 * | word | it happens when | then |
 * |---|---|---|
 * | forgotten | Redis has lost its latest changes | its instances write down again what they hold; nothing begins until then |
 * | lost | the process ends while the entry is performed | the next process, or another instance, ends it, `unknown`: it may have been placed |
 * | inherited | the lease of this instance has run out, and another one has restored the entry | it is removed here without an end; the other one reports it |
 * | gone | another instance has dropped or cancelled the entry, or has accepted one in its place | it ends here with that reason |
 * | given up | the settings have changed, and its tenant's old target is not used any more | it ends with why, unless it has begun |
 */
export class Backlog {
  readonly isDurable: boolean;
  readonly isShared: boolean;
  readonly keys: Store["keys"];
  readonly records: Records;
  readonly service: Service;
  readonly #shared: ReturnType<typeof sharedOf>;
  readonly #queue = new Queue();
  /** Lets a call that has begun wait again. */
  readonly loop: Loop;
  /** Stores the end of a call that has begun. */
  readonly ends: Ends;
  /** Of those whose outcome is unknown. */
  readonly decisions: Decisions;
  readonly #events: Events;
  /** The facts about what earlier processes have left, and about what was late after their stop. */
  readonly left: Pick<Events, "rows" | "waiting" | "isLate" | "isReleased" | "undecided">;
  #limits: Limits = { rate: 0, entries: 0, bytes: 0, slots: 0 };

  constructor(private readonly store: Store) {
    this.#shared = sharedOf(store);
    this.isShared = this.#shared !== undefined;
    this.isDurable = store.isDurable;
    this.keys = store.keys;
    this.records = new Records(store);
    this.decisions = new Decisions(store, () => this.loop.now());
    this.ends = new Ends(store, this.#queue, this.decisions, () => this.loop.dispatch());
    this.service = new Service(store, (trouble, isLost) => {
      this.#queue.trials.heard(trouble, isLost);
      this.ends.handlers?.onChange();
      this.loop.dispatch();
    });
    this.loop = new Loop(store, this.#queue, this.ends, this.service);
    this.#events = new Events(store, this.#queue, this.loop, this.ends, this.records, this.service, this.decisions);
    this.left = this.#events;
    store.start(this.#events);
  }

  get counts(): Counts {
    const { waiting, bytes, restored, dated, heldBack, nextDate, paused, heldUntil } = this.#queue;
    const { others } = this.#events;
    const { code, since }: Partial<Trouble> = this.#queue.isHeld ? this.service.trouble : {};
    return {
      waiting: waiting + others.waiting,
      own: waiting - heldBack,
      notHeldBack: waiting - heldBack + Math.max(0, others.waiting - others.heldBack),
      bytes: bytes + others.bytes,
      restored: restored + others.restored,
      dated: dated + others.dated,
      // The call of a record may be among those that are held back.
      heldBack: Math.max(heldBack, this.records.late.size) + others.heldBack,
      nextDate: others.nextDate === undefined || (nextDate ?? Infinity) < others.nextDate ? nextDate : others.nextDate,
      paused,
      unknown: this.decisions.count,
      heldUntil: heldUntil && this.service.wall(heldUntil),
      reason: code,
      reasonSince: since && this.service.wall(since),
    };
  }

  /** Serves these handlers from now on, instead of earlier ones. */
  serve(handlers: Handlers, limits: Limits): void {
    this.ends.handlers = handlers;
    this.decisions.handlers = handlers;
    this.#queue.watcher = handlers;
    this.loop.start();
    // The service may answer otherwise.
    this.#queue.retry(Infinity);
    this.records.handlers = handlers.restored;
    this.#limits = limits;
    this.#queue.pacer.rate = limits.rate;
    this.#shared?.setLimits(limits);
    this.#events.serve(handlers);
    this.loop.dispatch();
  }

  /**
   * Keeps a call as an entry. Never rejects. `withdrawn`: nobody wants it any more.
   * @param isWanted asked each time that the call whose place it takes has moved
   */
  async accept(
    entry: Entry,
    call = new Call(),
    isWanted = () => true,
  ): Promise<Acceptance | { readonly kind: "withdrawn" }> {
    const earlier = entry.replaces ? this.holderOf(entry) : undefined;
    if (earlier && !earlier.isAtRest) {
      // It may be about to begin, or to wait again.
      await earlier.moves();
      if (isWanted()) return this.accept(entry, call, isWanted);
      this.ends.remove(call, false);
      return { kind: "withdrawn" };
    }
    const decided = entry.again === undefined ? undefined : this.decisions.findHere(entry.again);
    if (entry.again !== undefined && !this.isShared && !decided) {
      this.ends.remove(call, false);
      return { kind: "decided" };
    }
    call.keep(entry);
    const startsNow = this.loop.canBegin(call);
    const { waiting = 0, bytes = 0 } = this.ends.handlers?.others() ?? {};
    const room = startsNow ? undefined : { entries: this.#limits.entries - waiting, bytes: this.#limits.bytes - bytes };
    // What a group has room for, only its store knows.
    if (room && !this.isShared && !entry.alarm && this.#isFull(entry, room, earlier)) {
      this.ends.remove(call, false);
      return { kind: "full" };
    }
    call.order = this.loop.nextOrder();
    if (earlier) move(earlier, "replacing", this.#queue);
    const acceptance = this.store.accept(entry, room, decided ?? earlier?.entry);
    this.#queue.add(call);
    move(call, "accepting", this.#queue);
    if (entry.heldBack) this.#queue.holdBack(call);
    // On an idle lane, both are written down at once.
    const begin = startsNow ? this.loop.ask(call) : undefined;
    const answer = await acceptance;
    if (earlier?.stage === "replacing") this.#replaced(earlier, answer);
    call.isAccepted = answer.kind === "accepted";
    if (call.isAccepted && entry.again !== undefined) this.decisions.replaced(entry.again);
    if (call.isAccepted && entry.list !== undefined) call.order = this.loop.nextRow(entry.list);
    if (!call.isAccepted) {
      begin?.(false);
      this.ends.remove(call, false);
      this.loop.dispatch();
    } else if ("inherited" in answer) this.ends.finish(call, { inherited: true });
    else if (begin) begin(true);
    else if (call.stage === "accepting") this.#accepted(call);
    return answer;
  }

  /** Starts are open or closed now, or it is known now when they were. */
  hoursChanged(): void {
    this.#events.decide();
    this.loop.dispatch();
  }

  pause(): void {
    this.#queue.paused = true;
    this.store.hold({ paused: true });
    this.ends.handlers?.onChange();
  }

  /** Ends a pause and a hold, and releases the held-back entries. */
  resume(): void {
    void this.service.observe({ kind: "released" });
    this.#queue.paused = false;
    this.store.hold({ paused: false, heldBack: null });
    this.#events.onReleased();
  }

  /** Ends waiting entries in the whole group but those of alarms. Returns how many. Rejects if the store fails. */
  async drop({ only }: Which = {}): Promise<number> {
    const isMeant = ({ entry, stage }: Call) => !entry.alarm && (!only || stage === "heldBack");
    const { cancelled } = await this.#end("dropped", this.#queue.filter(isMeant));
    return cancelled + ((await this.#shared?.dropOthers(only)) ?? 0);
  }

  /** Ends the waiting rows of a list, in this process: a store that fails writes that down when it works again. */
  async endList(list: string): Promise<Cancelled> {
    const rows = this.#queue.filter(({ entry }) => entry.list === list);
    const tooLate = rows.filter(({ stage }) => stage === "begun").length;
    const meant = this.#events.failing().then(() => rows.length - tooLate);
    return { cancelled: await Promise.race([this.ends.cutAll("dropped", rows), meant]), tooLate };
  }

  /** Whether no other row of its list waits or is under way. */
  isLastRow({ entry: { list } }: Pick<Call, "entry">): boolean {
    return list !== undefined && this.#queue.filter(({ entry }) => entry.list === list).length === 1;
  }

  /** Ends the waiting entries of a name, in the whole group. Rejects if the store fails. */
  async cancel(name: string): Promise<Cancelled> {
    const own = await this.#end("cancelled", this.#queue.named(name));
    const { cancelled = 0, tooLate = 0 } = (await this.#shared?.cancelOthers(name)) ?? {};
    return { cancelled: own.cancelled + cancelled, tooLate: own.tooLate + tooLate };
  }

  /**
   * The waiting entries of the whole group, in the order in which they will begin. Lets the process do other things in between,
   * so what begins or ends meanwhile may be missing. Rejects if the store fails.
   */
  async list(offset: number, limit: number): Promise<readonly WaitingEntry[]> {
    const hold = this.#queue.hold(this.loop.isOpen);
    if (this.#shared) {
      const listed = await this.#shared.list(offset, limit);
      const own = this.#queue.unlikeTheirEntries(new Set(listed.map(({ entry }) => entry.id)));
      return listed.map(({ entry, waitsFor }) => {
        const call = own.get(entry.id) ?? new Call(undefined, { ...entry, isDue: true });
        return { entry, waitsFor: waitsFor === "turn" ? whyWaits(call, hold) : waitsFor };
      });
    }
    const found: WaitingEntry[] = [];
    let index = 0;
    for (const call of this.#queue.inOrder(this.loop.isOpen)) {
      if (index >= offset + limit) break;
      if (index >= offset) found.push({ entry: call.entry, waitsFor: whyWaits(call, hold) });
      index += 1;
      if (index % LISTED_AT_ONCE === 0) await new Promise(setImmediate);
    }
    return found;
  }

  whyWaits(call: Call): Reason {
    return whyWaits(call, this.#queue.hold(this.loop.isOpen));
  }

  /** Ends what this process has accepted and not begun, because its target is given up. Returns how many. Rejects if the store fails. */
  failAll(): Promise<number> {
    this.#queue.trials.patience = undefined;
    return this.ends.cutAll("givenUp", this.#queue.filter(), true);
  }

  /** Ends one entry, unless it has begun. Resolves to whether its end is still to come, or was just reported. */
  async withdraw(id: string): Promise<boolean> {
    const calls = this.#queue.filter(({ entry }) => entry.id === id);
    await this.ends.cutAll("dropped", calls);
    return calls.length > 0;
  }

  /** Begins nothing more. What has begun may still be settled. Returns what has not. */
  stopDispatching(): readonly Call[] {
    this.loop.stop();
    return this.#queue.filter(({ isWaiting }) => isWaiting);
  }

  /** Releases what it holds of the machine. Settle what has begun first. */
  async close(): Promise<void> {
    this.stopDispatching();
    const stored = this.loop.idle().then(() => this.ends.stored);
    // The store of a group that fails may answer only once it is closed.
    await (this.#shared ? Promise.race([stored, this.#events.failing()]) : stored);
    await this.store.close();
  }

  /** Ends those of these calls that have not begun. Rejects if the store fails. */
  async #end(cut: Cut, calls: readonly Call[]): Promise<Cancelled> {
    this.#events.assertWorks();
    const tooLate = calls.filter(({ stage }) => stage === "begun").length;
    return { cancelled: await this.ends.cutAll(cut, calls, true), tooLate };
  }

  #isFull({ size }: Entry, room: Pick<Limits, "entries" | "bytes">, earlier?: Call): boolean {
    const { waiting, bytes } = this.#queue;
    const [entries, freed] = earlier ? [waiting - 1, earlier.entry.size] : [waiting, 0];
    return entries >= room.entries || bytes - freed + size > room.bytes;
  }

  /** The call in this process that has the key of an entry, and has not begun. */
  holderOf({ name, keys = [] }: Entry): Call | undefined {
    // A key of several uses is shared with others.
    const taken = new Set(keys.flatMap(({ hash, uses }) => (uses === undefined ? [hash] : [])));
    const hasOne = ({ keys: own }: Entry) => own?.some(({ hash }) => taken.has(hash));
    return this.#queue.named(name).find(({ entry, isWaiting }) => isWaiting && hasOne(entry));
  }

  /** Ends a call whose place another entry has taken. If that one was not accepted, the call waits again. */
  #replaced(call: Call, { kind, ...answer }: Acceptance): void {
    if (kind === "accepted" && "replaced" in answer) this.ends.finish(call, { cut: "replaced" });
    else if (!this.ends.endIfAsked(call)) this.#queue.wait(call);
  }

  #accepted(call: Call): void {
    if (this.ends.endIfAsked(call)) return;
    // What was to wait longer may not be urgent.
    if (call.priority === 0) this.#queue.retryAt = Number.NEGATIVE_INFINITY;
    this.#queue.wait(call);
    // All nodes of the tenant show how many wait for the end of trouble.
    if (call.stage === "heldBack" || this.service.isFailing) this.ends.handlers?.onChange();
    this.loop.dispatch();
  }
}
