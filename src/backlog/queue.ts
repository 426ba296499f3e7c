import type { Entry } from "./entry";
import { Pacer } from "./pacer";
import type { StartClock } from "./start-clock";
import { type Turn, TurnHeap, type TurnState } from "./turn";

/** The longest time between two looks at a clock, which may be set. Milliseconds. */
const LONGEST_SLEEP_MS = 5000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What decides, besides the queue itself, what may begin at an instant. */
export interface Conditions {
  /** Milliseconds of `performance.now()`. */
  readonly now: number;
  /** Epoch milliseconds, on a clock that may be set. */
  readonly date: number;
  /** How long before its start an entry begins, milliseconds. */
  readonly leadMs: number;
  /** How many runs may begin. */
  readonly places: number;
  /** Whether starts are open, for entries that do not begin at any time. */
  readonly isOpen: boolean;
}

/** What is to be done next: with a turn, or again after a while, if there is something to wait for. */
export type Step =
  | { readonly kind: "due" | "expired" | "begin"; readonly turn: Turn }
  | { readonly kind: "wait"; readonly ms: number | undefined };

/** The turns of a backlog that have not ended, and what decides which one begins next. Changed in place, and does nothing else. */
export class Queue {
  readonly pacer = new Pacer(0);
  paused = false;
  /** Epoch milliseconds. */
  heldUntil: number | undefined;
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
  readonly #turns = new Set<Turn>();
  readonly #named = new Map<string, readonly Turn[]>();
  readonly #ordinary = new TurnHeap(byTurn);
  readonly #anytime = new TurnHeap(byTurn);
  /** Those that wait until the clock is known to be right. */
  readonly #untilClock = new TurnHeap(byTurn);
  readonly #dated = new TurnHeap(byDate);
  /** Those that wait until somebody resumes, in order. */
  readonly #heldBack = new Set<Turn>();

  add(turn: Turn): void {
    this.#turns.add(turn);
    this.#count(turn, turn.state, 1);
    if (turn.isRestored) this.restored += 1;
    const { name } = turn.entry;
    if (name !== undefined) this.#named.set(name, [...this.named(name), turn]);
  }

  /** Lets a turn wait: until somebody resumes, for its date, or for its turn. */
  wait(turn: Turn): void {
    const state = this.#heldBack.has(turn) ? "heldBack" : turn.isDated ? "dated" : "waiting";
    this.to(turn, state);
    if (state === "dated") this.#dated.add(turn);
    else if (state === "waiting" && turn.isLeft && this.clock?.isUnsure) this.#untilClock.add(turn);
    else if (state === "waiting") (turn.entry.anytime ? this.#anytime : this.#ordinary).add(turn);
  }

  /** The clock is right, as far as is known. */
  trustClock(): void {
    for (const turn of this.#untilClock.inOrder()) this.wait(turn);
  }

  /** Lets a turn wait from its next `wait` on until somebody resumes. */
  holdBack(turn: Turn): void {
    this.#heldBack.add(turn);
  }

  /** All that are held back wait as the others do. */
  release(): void {
    const turns = [...this.#heldBack];
    this.#heldBack.clear();
    for (const turn of turns) if (turn.state === "heldBack") this.wait(turn);
  }

  /** Takes a turn out of where it waits. */
  to(turn: Turn, state: TurnState): void {
    turn.leaveHeap();
    const before = turn.state;
    turn.state = state;
    this.#count(turn, state, 1);
    this.#count(turn, before, -1);
    const { onChange } = turn;
    turn.onChange = undefined;
    onChange?.();
  }

  remove(turn: Turn): void {
    this.to(turn, "settled");
    if (!this.#turns.delete(turn)) return;
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
    return this.#turns.has(turn);
  }

  find(id: string): Turn | undefined {
    return [...this.#turns].find(({ entry }) => entry.id === id);
  }

  /** The turns of a name. */
  named(name: string | undefined): readonly Turn[] {
    return (name === undefined ? undefined : this.#named.get(name)) ?? [];
  }

  /** In the order of their places. */
  filter(isMeant: (turn: Turn) => boolean): Turn[] {
    return [...this.#turns].filter(isMeant).sort(byPlace);
  }

  /** The turns that wait, and for what, in the order in which they will begin if starts stay as they are. */
  *inOrder(isOpen: boolean): Generator<readonly ["turn" | "date" | "held-back", Turn]> {
    const ordinary = this.#ordinary.inOrder();
    let late = ordinary.next();
    for (const turn of this.#anytime.inOrder()) {
      for (; isOpen && !late.done && byTurn(late.value, turn) < 0; late = ordinary.next()) yield ["turn", late.value];
      yield ["turn", turn];
    }
    for (; !late.done; late = ordinary.next()) yield ["turn", late.value];
    for (const turn of this.#untilClock.inOrder()) yield ["turn", turn];
    for (const turn of this.#dated.inOrder()) yield ["date", turn];
    for (const turn of this.#heldBack) if (turn.state === "heldBack") yield ["held-back", turn];
  }

  /** The earliest date, epoch milliseconds. */
  get nextDate(): number | undefined {
    return this.#dated.first?.date;
  }

  /** Decides what is to be done now. A turn of the answer has to leave where it waits before this is called again. */
  next(conditions: Conditions): Step {
    const { now, date, leadMs } = conditions;
    const dated = this.#dated.first;
    const dateMs = dated && Math.ceil(dated.date - date);
    if (dated && dated.date <= date) return { kind: "due", turn: dated };
    const turn = this.#first(conditions.isOpen);
    const at = turn && this.#mayBegin(conditions) ? Math.max(this.pacer.next(now) - leadMs, this.retryAt) : Infinity;
    if (turn && at <= now) {
      const { notAfter = Infinity } = turn.entry;
      return { kind: date > notAfter ? "expired" : "begin", turn };
    }
    const waits = [
      ...(dateMs === undefined ? [] : [Math.min(dateMs, LONGEST_SLEEP_MS)]),
      ...(this.clock ? [LONGEST_SLEEP_MS] : []),
      ...(at === Infinity ? [] : [Math.min(Math.ceil(at - now), LONGEST_TIMER_MS)]),
    ];
    return { kind: "wait", ms: waits.length > 0 ? Math.min(...waits) : undefined };
  }

  /** Whether an entry that has just come can begin at once, because nothing else waits. */
  canBegin(entry: Entry, conditions: Conditions): boolean {
    const { anytime, urgent, notAfter = Infinity, notBefore } = entry;
    if (this.queued > 0 || notBefore !== undefined || entry.heldBack || (this.paused && !urgent)) return false;
    if (entry.ofRestored && this.clock) return false;
    const { now, date, isOpen } = conditions;
    if (!(anytime ?? isOpen) || date > notAfter || !this.#mayBegin(conditions)) return false;
    return now >= this.retryAt && this.pacer.next(now) <= now;
  }

  /** Whether an entry may begin, apart from a pause, the rate and its time. */
  #mayBegin({ places }: Conditions): boolean {
    return this.heldUntil === undefined && places > this.beginning;
  }

  /** The turn that begins next. Those that may begin at any time overtake the others while starts are closed, urgent ones always. */
  #first(isOpen: boolean): Turn | undefined {
    const { first: anytime } = this.#anytime;
    const ordinary = isOpen ? this.#ordinary.first : undefined;
    const first = anytime && (!ordinary || byTurn(anytime, ordinary) < 0) ? anytime : ordinary;
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
