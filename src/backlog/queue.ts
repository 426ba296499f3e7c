import { performance } from "node:perf_hooks";
import type { Entry } from "./entry";
import { Heap } from "./heap";
import { Pacer } from "./pacer";
import type { StartClock } from "./start-clock";
import { isFailing } from "./trouble/machine";
import { type Conditions, Trials } from "./trouble/trials";
import { type Turn, type TurnState, UNDER_WAY } from "./turn";

/** The longest time between two looks at a clock, which may be set. Milliseconds. */
const LONGEST_SLEEP_MS = 5000;
/** Node would call back at once for a longer one. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What is to be done next: with a turn, because of trouble, or again after a while, if there is something to wait for. */
export type Step =
  | { readonly kind: "due" | "expired" | "begin"; readonly turn: Turn }
  | { readonly kind: "hurry" | "over" | "probe" | "sweep"; readonly isUrgent: boolean }
  | { readonly kind: "wait"; readonly ms: number | undefined };

/** The turns of a backlog that have not ended, and what decides which one begins next. Changed in place, and does nothing else. */
export class Queue {
  readonly pacer = new Pacer(0);
  paused = false;
  readonly trials = new Trials();
  /** The store is not asked before, milliseconds of `performance.now()`. */
  retryAt = -Infinity;
  /** Turns that have not begun, and their bytes. */
  waiting = 0;
  bytes = 0;
  /** Of these, those in the queue, or on their way there. */
  queued = 0;
  dated = 0;
  heldBack = 0;
  /** Turns that the store was asked about, or that start in a moment. */
  beginning = 0;
  restored = 0;
  /** Soon after a start from a file. While it is not known to be right, nothing begins that is left from before the start. */
  clock: StartClock | undefined;
  onNoneBeginning: (() => void) | undefined;
  readonly #named = new Map<string, readonly Turn[]>();
  /** Those that wait for their turn. */
  readonly #lanes = [false, true].flatMap((anytime) =>
    [false, true].map((isPatient) => ({ anytime, isPatient, heap: new Heap<Turn>(byTurn) })),
  );
  /** Those that wait until the clock is known to be right. */
  readonly #untilClock = new Heap<Turn>(byTurn);
  readonly #dated = new Heap<Turn>(byDate);
  /** Those that the service has refused, and told to wait. */
  readonly #refused = new Heap<Turn>((a, b) => a.retryAt - b.retryAt);
  /** All others. */
  readonly #elsewhere = new Heap<Turn>();
  /** Those that wait until somebody resumes, in order. */
  readonly #heldBack = new Set<Turn>();

  add(turn: Turn): void {
    turn.moveTo(this.#elsewhere);
    this.#count(turn, turn.state, 1);
    if (turn.isRestored) this.restored += 1;
    const { name } = turn.entry;
    if (name !== undefined) this.#named.set(name, [...this.named(name), turn]);
  }

  /** Lets a turn wait: until somebody resumes, for its date, or for its turn. */
  wait(turn: Turn): void {
    const state = this.#heldBack.has(turn) ? "heldBack" : turn.isDated ? "dated" : "waiting";
    if (state === "waiting" && !UNDER_WAY.has(turn.state)) {
      turn.since = performance.now();
      this.trials.look();
    }
    this.to(turn, state);
    if (state === "dated") turn.moveTo(this.#dated);
    else if (state === "waiting") turn.moveTo(this.#placeOf(turn));
  }

  #placeOf(turn: Turn): Heap<Turn> | undefined {
    if (turn.isLeft && this.clock?.isUnsure) return this.#untilClock;
    return turn.retryAt > -Infinity ? this.#refused : this.#laneOf(turn);
  }

  #laneOf({ entry: { anytime }, isPatient }: Turn): Heap<Turn> | undefined {
    return this.#lanes.find((lane) => lane.anytime === (anytime ?? false) && lane.isPatient === isPatient)?.heap;
  }

  /** The clock is right, as far as is known. */
  trustClock(): void {
    for (const turn of this.#untilClock.inOrder()) this.wait(turn);
  }

  /** Lets a turn wait from its next `wait` on until somebody resumes. */
  holdBack(turn: Turn): void {
    this.#heldBack.add(turn);
  }

  /** Those that are held back wait as the others do: all, or some. */
  release(turns: readonly Turn[] = [...this.#heldBack]): void {
    for (const turn of turns) this.#heldBack.delete(turn);
    for (const turn of turns) if (turn.state === "heldBack") this.wait(turn);
    this.retry(Infinity);
  }

  /** What was told to wait until an instant may try again. */
  retry(until: number): void {
    for (let first = this.#refused.first; first && first.retryAt <= until; first = this.#refused.first) {
      first.retryAt = -Infinity;
      first.moveTo(this.#laneOf(first));
    }
  }

  /** Ids of what the service has told to wait. */
  get refused(): ReadonlySet<string> {
    return new Set(this.#refused.items.map(({ entry }) => entry.id));
  }

  /** Takes a turn out of where it waits. */
  take(turn: Turn): void {
    turn.moveTo(this.#elsewhere);
  }

  /** Takes a turn out of where it waits, because its state has changed. */
  to(turn: Turn, state: TurnState): void {
    turn.moveTo(this.#elsewhere);
    const before = turn.state;
    turn.state = state;
    this.#count(turn, state, 1);
    this.#count(turn, before, -1);
    const { onChange } = turn;
    turn.onChange = undefined;
    onChange?.();
  }

  remove(turn: Turn): void {
    if (!this.has(turn)) return;
    this.to(turn, "settled");
    turn.moveTo(undefined);
    this.#heldBack.delete(turn);
    if (turn.isRestored) this.restored -= 1;
    const { name } = turn.entry;
    if (name === undefined) return;
    const others = this.named(name).filter((one) => one !== turn);
    if (others.length > 0) this.#named.set(name, others);
    else this.#named.delete(name);
  }

  /** Whether a turn has not been removed. */
  has(turn: Turn): boolean {
    return turn.heap !== undefined;
  }

  find(id: string): Turn | undefined {
    return this.filter(({ entry }) => entry.id === id)[0];
  }

  /** The turns of a name. */
  named(name: string | undefined): readonly Turn[] {
    return (name === undefined ? undefined : this.#named.get(name)) ?? [];
  }

  /** In the order of their places. */
  filter(isMeant: (turn: Turn) => boolean): Turn[] {
    const waiting = [...this.#lanes.map(({ heap }) => heap), this.#untilClock, this.#refused, this.#dated];
    return [...waiting, this.#elsewhere].flatMap(({ items }) => items.filter(isMeant)).sort(byPlace);
  }

  /** The turns that wait, and for what, in the order in which they will begin if starts stay as they are. */
  *inOrder(isOpen: boolean): Generator<readonly ["turn" | "trouble" | "date" | "held-back", Turn]> {
    for (const isLate of [false, true]) {
      const lanes = this.#lanes.filter(({ anytime }) => !(anytime || isOpen) === isLate);
      for (const turn of merged(lanes.map(({ heap }) => heap.inOrder()))) yield ["turn", turn];
    }
    for (const turn of this.#untilClock.inOrder()) yield ["turn", turn];
    for (const turn of this.#refused.inOrder()) yield ["trouble", turn];
    for (const turn of this.#dated.inOrder()) yield ["date", turn];
    for (const turn of this.#heldBack) if (turn.state === "heldBack") yield ["held-back", turn];
  }

  /** When the service is probed or tried, if call-outs are held until then, or what alone waits may try again; on the clock of trouble. */
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

  /** The turns that trouble ends, and why. */
  sweep(conditions: Conditions) {
    const waiting = [...this.#lanes.flatMap(({ heap }) => [...heap.items]), ...this.#refused.items];
    return [...this.trials.sweep(waiting, conditions)];
  }

  /** The earliest date, epoch milliseconds. */
  get nextDate(): number | undefined {
    return this.#dated.first?.date;
  }

  /** Decides what is to be done now. A turn of the answer has to leave where it waits before this is called again. */
  next(conditions: Conditions): Step {
    const { now, date, steady, leadMs, places, isOpen } = conditions;
    if (this.#refused.items.length > 0) this.retry(steady);
    const [refused] = this.#refused.items;
    const dated = this.#dated.first;
    const dateMs = dated && Math.ceil(dated.date - date);
    if (dated && dated.date <= date) return { kind: "due", turn: dated };
    const isAny = this.queued > 0;
    const isUrgent =
      isAny && this.#lanes.some(({ anytime, heap }) => (anytime || isOpen) && heap.first?.entry.urgent === true);
    const waiting = { isAny, isUrgent, hasPatient: this.#hasPatient, hasRefused: refused !== undefined };
    const trial = this.trials.next(conditions, this.paused, waiting);
    if (typeof trial !== "number") return { kind: trial, isUrgent };
    const turn = isAny ? this.#first(conditions) : undefined;
    const at = turn && places > this.beginning ? Math.max(this.pacer.next(now) - leadMs, this.retryAt) : Infinity;
    if (turn && at <= now) {
      const { notAfter = Infinity } = turn.entry;
      return { kind: date > notAfter ? "expired" : "begin", turn };
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
  canBegin(entry: Entry, { now, date, places, isOpen }: Conditions): boolean {
    const { anytime, urgent, alarm = false, notAfter = Infinity, notBefore } = entry;
    if (this.queued > 0 || notBefore !== undefined || entry.heldBack || (this.paused && !urgent)) return false;
    if (entry.ofRestored && this.clock) return false;
    if (this.trials.hold(alarm) && !this.trials.mayTry(now)) return false;
    if (!(anytime ?? isOpen) || date > notAfter || places <= this.beginning) return false;
    return now >= this.retryAt && this.pacer.next(now) <= now;
  }

  /** The turn that begins next. Those that may begin overtake the others while starts are closed or the service fails, urgent ones always. */
  #first({ isOpen, now }: Conditions): Turn | undefined {
    const mayTry = this.trials.mayTry(now);
    let first: Turn | undefined;
    for (const { anytime, isPatient, heap } of this.#lanes)
      if (heap.first && (anytime || isOpen) && (mayTry || !this.trials.hold(isPatient)))
        if (!first || byTurn(heap.first, first) < 0) first = heap.first;
    return this.paused && !first?.entry.urgent ? undefined : first;
  }

  #count({ entry }: Turn, state: TurnState, change: 1 | -1): void {
    if (state === "begun" || state === "settled") return;
    if (state === "beginning" || state === "starting") {
      this.beginning += change;
      if (this.beginning === 0) this.onNoneBeginning?.();
      return;
    }
    this.waiting += change;
    this.bytes += change * entry.size;
    if (state === "dated") this.dated += change;
    else if (state === "heldBack") this.heldBack += change;
    else if (state !== "replacing") this.queued += change;
  }
}

/** Turns in their order, of several iterators in that order. */
function* merged(lanes: Iterator<Turn>[]): Generator<Turn> {
  const heads = new Heap<{ readonly turn: Turn; readonly lane: Iterator<Turn>; slot: number }>((a, b) =>
    byTurn(a.turn, b.turn),
  );
  const advance = (lane: Iterator<Turn>) => {
    const { value, done } = lane.next();
    if (!done) heads.add({ turn: value, lane, slot: 0 });
  };
  for (const lane of lanes) advance(lane);
  for (let head = heads.first; head; head = heads.first) {
    heads.remove(head);
    yield head.turn;
    advance(head.lane);
  }
}

function byPlace(a: Turn, b: Turn): number {
  return a.place - b.place;
}

/** Urgent ones first, each in the order of their places. */
function byTurn(a: Turn, b: Turn): number {
  return Number(b.entry.urgent ?? 0) - Number(a.entry.urgent ?? 0) || byPlace(a, b);
}

/** Earlier dates first. */
export function byDate(a: Turn, b: Turn): number {
  return a.date === b.date ? a.place - b.place : a.date - b.date;
}
