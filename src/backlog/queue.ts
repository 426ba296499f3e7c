import { performance } from "node:perf_hooks";
import { byDate, byTurn, type Call, move, type Stage, type Watcher } from "./call";
import { Heap } from "./heap";
import { Pacer } from "./pacer";
import { type Hold, whyWaits } from "./reasons";
import type { StartClock } from "./start-clock";
import { isFailing } from "./trouble/machine";
import { type Conditions, Trials } from "./trouble/trials";

/** The longest time between two looks at a clock, which may be set. Milliseconds. */
const LONGEST_SLEEP_MS = 5000;
/** Node would call back at once for a longer one. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The next thing to do: with a call, because of trouble, or again after a while, if there is something to wait for. */
export type Step =
  | { readonly kind: "due" | "expired" | "begin"; readonly call: Call }
  | { readonly kind: "hurry" | "over" | "probe" | "sweep"; readonly isUrgent: boolean }
  | { readonly kind: "wait"; readonly ms: number | undefined };

/** The calls of a backlog that have not ended, and what decides which one begins next. Changed in place, and does nothing else. */
export class Queue implements Watcher {
  watcher: Watcher | undefined;
  readonly pacer = new Pacer(0);
  paused = false;
  readonly trials = new Trials();
  /** The store is not asked before, milliseconds of `performance.now()`. */
  retryAt = -Infinity;
  /** Calls that have not begun, and their bytes. */
  waiting = 0;
  bytes = 0;
  /** Of these, those in the queue, or on their way there. */
  queued = 0;
  dated = 0;
  heldBack = 0;
  /** Calls about which the store was asked, or that begin in a moment. */
  asked = 0;
  restored = 0;
  /** Soon after a start from a file. While it is not known to be right, nothing begins that is left from before the start. */
  clock: StartClock | undefined;
  onNoneAsked: (() => void) | undefined;
  readonly #named = new Map<string, readonly Call[]>();
  /** Those that wait for their turn. */
  readonly #lanes = [false, true].flatMap((anytime) =>
    [false, true].map((isPatient) => ({ anytime, isPatient, heap: new Heap<Call>(byTurn) })),
  );
  /** Those that wait until the clock is known to be right. */
  readonly #untilClock = new Heap<Call>(byTurn);
  readonly #dated = new Heap<Call>(byDate);
  /** Those that the service has refused, and told to wait. */
  readonly #refused = new Heap<Call>((a, b) => a.retryAt - b.retryAt);
  readonly #elsewhere = new Heap<Call>();
  /** Those that wait until somebody resumes, in order. */
  readonly #heldBack = new Set<Call>();

  add(call: Call): void {
    call.moveTo(this.#elsewhere);
    if (call.isRestored) this.restored += 1;
    const { name } = call.entry;
    if (name !== undefined) this.#named.set(name, this.named(name).concat(call));
  }

  /** Lets a call wait: until somebody resumes, for its date, or for its turn. */
  wait(call: Call): void {
    const { isUnderWay, stage } = call;
    const to = this.#heldBack.has(call) ? "heldBack" : call.isDated ? "dated" : "queued";
    if (to !== stage && !move(call, to, this)) return;
    if (to === "queued") call.moveTo(this.#heapOf(call));
    else if (to === "dated") call.moveTo(this.#dated);
    if (to !== "queued" || (isUnderWay && call.since !== undefined)) return;
    call.since = performance.now();
    this.trials.look();
  }

  #heapOf(call: Call): Heap<Call> | undefined {
    if (call.isLeft && this.clock?.isUnsure) return this.#untilClock;
    return call.retryAt > -Infinity ? this.#refused : this.#laneOf(call);
  }

  #laneOf({ entry: { anytime }, isPatient }: Call): Heap<Call> | undefined {
    return this.#lanes.find((lane) => lane.anytime === (anytime ?? false) && lane.isPatient === isPatient)?.heap;
  }

  /** The clock is right, as far as is known. */
  trustClock(): void {
    for (const call of this.#untilClock.inOrder()) this.wait(call);
  }

  /** Lets a call wait from its next `wait` on until somebody resumes. */
  holdBack(call: Call): void {
    this.#heldBack.add(call);
  }

  /** Lets calls that are held back wait as the others do: all, or some. */
  release(calls: readonly Call[] = [...this.#heldBack]): void {
    for (const call of calls) this.#heldBack.delete(call);
    for (const call of calls) if (call.stage === "heldBack") this.wait(call);
    this.retry(Infinity);
  }

  /** Lets the calls that were told to wait until an instant try again. */
  retry(until: number): void {
    for (let first = this.#refused.first; first && first.retryAt <= until; first = this.#refused.first) {
      if (first.refusal) first.refusal = { ...first.refusal, retryAt: -Infinity };
      first.moveTo(this.#laneOf(first));
    }
  }

  /** Takes a call whose date has come out of the dated ones: it takes the keys of its date. */
  take(call: Call): void {
    call.moveTo(this.#elsewhere);
  }

  moved(call: Call, from: Stage): void {
    const { stage } = call;
    call.moveTo(stage === "ended" ? undefined : this.#elsewhere);
    this.#count(call, stage, 1);
    this.#count(call, from, -1);
    if (stage === "ended") this.#forget(call);
    this.watcher?.moved(call, from);
  }

  #forget(call: Call): void {
    this.#heldBack.delete(call);
    if (call.isRestored) this.restored -= 1;
    const { name } = call.entry;
    if (name === undefined) return;
    const others = this.named(name).filter((one) => one !== call);
    if (others.length > 0) this.#named.set(name, others);
    else this.#named.delete(name);
  }

  named(name: string | undefined): readonly Call[] {
    return (name === undefined ? undefined : this.#named.get(name)) ?? [];
  }

  /** Finds waiting calls, in their order. */
  filter(isMeant: (call: Call) => boolean = () => true): Call[] {
    const waiting = [...this.#lanes.map(({ heap }) => heap), this.#untilClock, this.#refused, this.#dated];
    return [...waiting, this.#elsewhere]
      .flatMap(({ items }) => items.filter(isMeant))
      .sort((a, b) => a.order - b.order);
  }

  /** Finds calls that may wait for something else than their entries say. Looks at all calls only if some were restored or are held back. */
  unlikeTheirEntries(ids: ReadonlySet<string>): ReadonlyMap<string, Call> {
    const isMeant = ({ entry }: Call) => ids.has(entry.id);
    const isPlain = this.restored === 0 && this.heldBack === 0;
    const found = isPlain ? this.#refused.items.filter(isMeant) : this.filter(isMeant);
    return new Map(found.map((call) => [call.entry.id, call]));
  }

  /** The calls that wait, in the order in which they will begin if starts stay as they are. */
  *inOrder(isOpen: boolean): Generator<Call> {
    for (const isLate of [false, true]) {
      const lanes = this.#lanes.filter(({ anytime }) => !(anytime || isOpen) === isLate);
      yield* merged(lanes.map(({ heap }) => heap.inOrder()));
    }
    yield* this.#untilClock.inOrder();
    yield* this.#refused.inOrder();
    yield* this.#dated.inOrder();
    for (const call of this.#heldBack) if (call.stage === "heldBack") yield call;
  }

  /** The time at which the service is probed or tried, or the only call that waits may try again; on the clock of trouble. */
  get heldUntil(): number | undefined {
    const [first] = this.#refused.items;
    const until = this.trials.heldUntil(this.#hasPatient);
    const isAlone = first && !this.#lanes.some(({ heap }) => heap.first);
    return isAlone ? Math.max(first.retryAt, until ?? -Infinity) : until;
  }

  /** Whether trouble holds any call, or one tries. */
  get isHeld(): boolean {
    return isFailing(this.trials.trouble) && this.trials.hold(this.#hasPatient || this.trials.isTrying);
  }

  get #hasPatient(): boolean {
    const isAny = this.queued > 0 && this.#lanes.some(({ isPatient, heap }) => isPatient && heap.first);
    return isAny || this.#refused.items.some(({ isPatient }) => isPatient);
  }

  /** The calls that trouble ends, and why. */
  sweep(conditions: Conditions) {
    const waiting = [...this.#lanes.flatMap(({ heap }) => [...heap.items]), ...this.#refused.items];
    return [...this.trials.sweep(waiting, conditions)];
  }

  /** The earliest date, epoch milliseconds. */
  get nextDate(): number | undefined {
    return this.#dated.first?.date;
  }

  /** Decides what is to be done now. A call of the answer has to leave where it waits before this is called again. */
  next(conditions: Conditions): Step {
    const { now, date, steady, leadMs, slots, isOpen } = conditions;
    if (this.#refused.items.length > 0) this.retry(steady);
    const [refused] = this.#refused.items;
    const dated = this.#dated.first;
    const dateMs = dated?.date && Math.ceil(dated.date - date);
    if (dateMs !== undefined && dated && dateMs <= 0) return { kind: "due", call: dated };
    const isAny = this.queued > 0;
    const isUrgent =
      isAny && this.#lanes.some(({ anytime, heap }) => (anytime || isOpen) && heap.first?.priority === 0);
    const waiting = { isAny, isUrgent, hasPatient: this.#hasPatient, hasRefused: refused !== undefined };
    const trial = this.trials.next(conditions, { paused: this.paused, isClosed: !isOpen }, waiting);
    if (typeof trial !== "number") return { kind: trial, isUrgent };
    const call = isAny ? this.#first(conditions) : undefined;
    const at = call && slots > this.asked ? Math.max(this.pacer.next(now) - leadMs, this.retryAt) : Infinity;
    if (call && at <= now) {
      const { notAfter = Infinity } = call.entry;
      return { kind: date > notAfter ? "expired" : "begin", call };
    }
    const ms = Math.min(
      dateMs === undefined ? Infinity : Math.min(dateMs, LONGEST_SLEEP_MS),
      this.clock ? LONGEST_SLEEP_MS : Infinity,
      at - now,
      trial,
      refused ? refused.retryAt - steady : Infinity,
    );
    return { kind: "wait", ms: ms === Infinity ? undefined : Math.min(Math.ceil(ms), LONGEST_TIMER_MS) };
  }

  /** Whether an entry that has just come can begin at once, because nothing else waits. */
  canBegin(call: Call, { now, date, slots, isOpen }: Conditions): boolean {
    const { heldBack, ofRestored, notAfter = Infinity } = call.entry;
    if (this.queued > 0 || heldBack || (ofRestored && this.clock) || date > notAfter || slots <= this.asked)
      return false;
    if (whyWaits(call, this.#holdAt(now, isOpen)) !== "turn") return false;
    return now >= this.retryAt && this.pacer.next(now) <= now;
  }

  /** The call that begins next. Those that may begin overtake the others while starts are closed or the service fails, urgent ones always. */
  #first({ isOpen, now }: Conditions): Call | undefined {
    const hold = this.#holdAt(now, isOpen);
    let first: Call | undefined;
    for (const { heap } of this.#lanes)
      if (heap.first && whyWaits(heap.first, hold) === "turn")
        if (!first || byTurn(heap.first, first) < 0) first = heap.first;
    return first;
  }

  /** Returns what holds the calls now: in trouble, one after the other may try. */
  #holdAt(now: number, isOpen: boolean): Hold {
    const inTrouble = this.trials.mayTry(now) ? undefined : this.trials.holds;
    return { paused: this.paused, isClosed: !isOpen, inTrouble };
  }

  /** Returns what people are told that holds the calls: trouble for as long as it lasts. */
  hold(isOpen: boolean): Hold {
    const inTrouble = isFailing(this.trials.trouble) || this.heldUntil !== undefined ? this.trials.holds : undefined;
    return { paused: this.paused, isClockUnsure: this.clock?.isUnsure === true, isClosed: !isOpen, inTrouble };
  }

  #count({ entry }: Call, stage: Stage, change: 1 | -1): void {
    if (stage === "admitting" || stage === "begun" || stage === "ending" || stage === "ended") return;
    if (stage === "asking" || stage === "granted") {
      this.asked += change;
      if (this.asked === 0) this.onNoneAsked?.();
      return;
    }
    this.waiting += change;
    this.bytes += change * entry.size;
    if (stage === "dated") this.dated += change;
    else if (stage === "heldBack") this.heldBack += change;
    else if (stage !== "replacing") this.queued += change;
  }
}

/** Calls in their order, of several iterators in that order. */
function* merged(lanes: Iterator<Call>[]): Generator<Call> {
  const heads = new Heap<{ readonly call: Call; readonly lane: Iterator<Call>; slot: number }>((a, b) =>
    byTurn(a.call, b.call),
  );
  const advance = (lane: Iterator<Call>) => {
    const { value, done } = lane.next();
    if (!done) heads.add({ call: value, lane, slot: 0 });
  };
  for (const lane of lanes) advance(lane);
  for (let head = heads.first; head; head = heads.first) {
    heads.remove(head);
    yield head.call;
    advance(head.lane);
  }
}
