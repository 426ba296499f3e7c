import { byDate, Call } from "./call";
import { asUnknown, type Decisions } from "./decisions";
import type { Ends, Handlers } from "./ends";
import type { Cut } from "./entry";
import type { Loop } from "./loop";
import type { Queue } from "./queue";
import type { Records } from "./records";
import { LONG_STOP_MS, type StartClock } from "./start-clock";
import {
  type EntryInMemory,
  type GroupState,
  type RestoredState,
  type Store,
  type StoreEvents,
  sharedOf,
} from "./store";
import type { Service } from "./trouble/service";

/** The receiver of what the store tells of earlier processes and other instances, and of the entries of this one. */
export class Events implements StoreEvents {
  /** Counts of all other instances together. */
  others: GroupState["others"] = { waiting: 0, bytes: 0, restored: 0, dated: 0, heldBack: 0 };
  /** Epoch milliseconds on the store's clock. */
  readonly #startedAt: number;
  /** The order of the last call that was restored: those go first. */
  #lastRestored = Number.MIN_SAFE_INTEGER;
  /** Restored before there were handlers; reported to the first ones. */
  #unheard: RestoredState[] = [];
  /** Calls that are held back until it is known whether starts were open before the start, epoch milliseconds, of each. */
  readonly undecided = new Map<Call, number>();
  /** Whether a stop was longer, and nobody has resumed since. */
  isLate = false;
  /** Whether somebody has resumed since the start. */
  isReleased = false;
  /** The ids of entries that an earlier process has left, by the lists of which they are rows. */
  readonly rows = new Map<string, string[]>();
  /** The lists of which rows had not begun. */
  readonly waiting = new Set<string>();
  #failure: string | undefined;
  #onFailing = () => {};
  #whenFailing: Promise<void> | undefined;

  constructor(
    private readonly store: Store,
    private readonly queue: Queue,
    private readonly loop: Loop,
    private readonly ends: Ends,
    private readonly records: Records,
    private readonly service: Service,
    private readonly decisions: Decisions,
  ) {
    this.#startedAt = loop.now();
    loop.onClock = (clock) => this.#lookAt(clock);
  }

  serve(handlers: Handlers): void {
    if (this.#failure !== undefined) handlers.onFailure(this.#failure);
    for (const left of this.#unheard.splice(0)) this.#report(left);
    this.decide();
  }

  /** Releases what waited for starts to open that were never open between its turn and the start, as far as that is known. */
  decide(): void {
    const { handlers } = this.ends;
    const ids: string[] = [];
    const before = this.undecided.size;
    for (const [call, start] of handlers ? this.undecided : []) {
      const wasOpen = call.stage !== "ended" && handlers?.wasOpen ? handlers.wasOpen(call.entry, start) : true;
      if (wasOpen !== undefined) this.undecided.delete(call);
      if (wasOpen !== false) continue;
      this.queue.release([call]);
      ids.push(call.entry.id);
    }
    if (ids.length > 0) this.store.hold({ released: { ids, records: [] } });
    if (this.undecided.size < before) handlers?.onChange();
  }

  /** Throws why the store of a group fails, while it does. */
  assertWorks(): void {
    if (this.#failure !== undefined && sharedOf(this.store)) throw new Error(this.#failure);
  }

  async failing(): Promise<void> {
    if (this.#failure !== undefined) return;
    this.#whenFailing ??= new Promise((resolve) => (this.#onFailing = resolve));
    await this.#whenFailing;
  }

  onRestored(left: RestoredState, clock?: StartClock): void {
    const { waiting, records, lateRecords = [], stoppedForMs, paused } = left;
    const isLong = stoppedForMs === undefined || stoppedForMs >= LONG_STOP_MS;
    this.isLate ||= isLong;
    this.#noteRows(left);
    this.decisions.restore(left);
    if (waiting.length + records.size > 0) this.queue.clock = clock;
    const calls = waiting.map((entry) => {
      const call = new Call(undefined, entry, true);
      this.#lastRestored += 1;
      call.order = entry.list === undefined ? this.#lastRestored : this.loop.nextRow(entry.list);
      return call;
    });
    const late = calls
      .filter(({ entry, date }) => entry.heldBack || (isLong && (date ?? 0) < this.#startedAt))
      .sort(byDate);
    for (const name of lateRecords) this.records.late.add(name);
    this.#holdBack(late, isLong ? [...records.keys()] : [], this.#startedAt);
    for (const call of calls) {
      this.queue.add(call);
      this.queue.wait(call);
    }
    this.queue.paused ||= paused === true;
    this.service.isProven ||= left.isProven === true;
    if (waiting.length > 0) void this.service.observe({ kind: "started" });
    this.records.restore(records.keys());
    if (!this.ends.handlers) this.#unheard.push(left);
    else {
      this.#report(left);
      this.decide();
      this.loop.dispatch();
    }
  }

  onGroup({ paused, isProven, trouble, rate, others }: GroupState): void {
    this.queue.paused = paused;
    this.service.isProven ||= isProven;
    this.service.heard(trouble);
    this.others = others;
    this.queue.pacer.rate = rate;
    this.ends.handlers?.onChange();
    this.loop.dispatch();
  }

  onSettledElsewhere(ids: readonly string[], cut: Cut): void {
    const gone = new Set(ids);
    // A call about which the store was asked ends with the answer.
    for (const call of this.queue.filter(({ isAtRest, entry }) => isAtRest && gone.has(entry.id)))
      this.ends.finish(call, { cut });
    this.ends.handlers?.onChange();
  }

  onUnknownFull(): void {
    this.ends.handlers?.onUnknownFull?.();
  }

  onInherited(): void {
    this.records.forget();
    for (const call of this.queue.filter(({ isAccepted }) => isAccepted)) this.ends.finish(call, { inherited: true });
  }

  retry(): void {
    this.queue.retryAt = -Infinity;
    this.queue.trials.retryAt = -Infinity;
    this.loop.dispatch();
  }

  *held(): Iterable<EntryInMemory> {
    for (const { entry, stage, isDated } of this.queue.filter(({ isAccepted }) => isAccepted)) {
      const held = stage === "granted" ? "begun" : stage === "begun" || stage === "heldBack" ? stage : "waiting";
      const isDue = entry.notBefore !== undefined && !isDated;
      if (stage !== "ending") yield { entry: isDue ? { ...entry, isDue } : entry, state: held };
    }
  }

  onRecordNote(name: string, note: unknown): void {
    this.ends.handlers?.restored?.onRecordNote?.(name, note);
  }

  onFailure(reason: string | undefined): void {
    this.#failure = reason;
    if (reason !== undefined) {
      this.#onFailing();
      this.#whenFailing = undefined;
    }
    this.ends.handlers?.onFailure(reason);
  }

  onReleased(): void {
    this.isLate = false;
    this.isReleased = true;
    this.records.late.clear();
    this.undecided.clear();
    this.queue.release();
    this.ends.handlers?.onChange();
    this.loop.dispatch();
  }

  #lookAt(clock: StartClock): void {
    if (clock.hasJumped()) this.#stopWasLong();
    if (!clock.isUnsure) this.queue.trustClock();
    if (clock.isOver) this.queue.clock = undefined;
  }

  #noteRows({ waiting, begun, settled }: RestoredState): void {
    for (const { list } of waiting) if (list !== undefined) this.waiting.add(list);
    for (const { id, list } of [...waiting, ...begun, ...settled.map(({ entry }) => entry)])
      if (list !== undefined) this.rows.set(list, [...(this.rows.get(list) ?? []), id]);
  }

  #stopWasLong(): void {
    this.isLate = true;
    const now = this.loop.now();
    const isLate = ({ isLeft, isWaiting, date }: Call) => isLeft && isWaiting && (date ?? 0) < now;
    const late = this.queue.filter(isLate).sort(byDate);
    this.#holdBack(late, this.records.restored, now);
    for (const call of late) if (call.isAtRest) this.queue.wait(call);
    this.ends.handlers?.onChange();
    this.decide();
  }

  /** Lets entries, and the next ones of records, wait until somebody resumes, also in later processes. */
  #holdBack(late: readonly Call[], records: readonly string[], start: number): void {
    for (const call of late) {
      this.queue.holdBack(call);
      const { heldBack, urgent, anytime } = call.entry;
      if (heldBack !== true && !urgent && !anytime) this.undecided.set(call, start);
    }
    for (const name of records) this.records.late.add(name);
    const ids = late.flatMap(({ entry }) => (entry.heldBack ? [] : entry.id));
    if (ids.length + records.length > 0) this.store.hold({ heldBack: { ids, records } });
  }

  /** Reports to the handlers what earlier processes left. */
  #report({ settled, begun, waiting, records }: RestoredState): void {
    const restored = this.ends.handlers?.restored;
    for (const { entry, outcome, cut } of settled) this.ends.report(entry, cut ? { cut } : { unreported: outcome });
    for (const entry of begun.map((one) => asUnknown(one, { at: this.loop.now() })))
      void this.store.settle(entry, "unknown").then(() => {
        this.decisions.keep([entry]);
        this.ends.report(entry, { cut: "lost" });
      });
    if (waiting.length > 0) void this.ends.dropDeleted();
    for (const [name, value] of records) restored?.onRecordRestored?.(name, value);
    if (this.queue.restored + this.records.late.size > 0) this.ends.handlers?.onChange();
  }
}
