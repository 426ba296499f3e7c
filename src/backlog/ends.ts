import type { Cut, Entry, Outcome, Settlement } from "./entry";
import type { Handlers } from "./handlers";
import type { Pacer } from "./pacer";
import { type MaybePromise, type Store, whenReady } from "./store";
import type { Turn, TurnState } from "./turn";
import type { Turns } from "./turns";

/** Ends that are given to the store without letting the process do anything else. */
const STORED_AT_ONCE = 200;
/** Ends that a slow store may have to store at the same time. */
const MOST_STORING = 5000;

/** Ends turns, each once: an end is stored before it is reported, since a crash in between must not report it twice. */
export class Ends {
  handlers: Handlers | undefined;
  readonly #store: Store;
  readonly #turns: Turns;
  readonly #pacer: Pacer;
  readonly #putBack: (turn: Turn) => void;
  #storing: Promise<unknown> = Promise.resolve();

  /** @param putBack lets a turn wait as before */
  constructor(store: Store, turns: Turns, pacer: Pacer, putBack: (turn: Turn) => void) {
    this.#store = store;
    this.#turns = turns;
    this.#pacer = pacer;
    this.#putBack = putBack;
  }

  /** Resolves when all ends by `cutAll` are stored. */
  get stored(): Promise<unknown> {
    return this.#storing;
  }

  /** @param mayFail rejects if the store cannot write it down: then the turn, which has not begun, waits as before */
  settle(turn: Turn, outcome: Outcome, settlement: Settlement, mayFail = false): MaybePromise<boolean> {
    // Another instance has restored it, and reports it.
    if (!this.#turns.has(turn)) return false;
    this.#pacer.stopped(turn);
    this.leave(turn, "settled");
    return this.#write(turn, outcome, settlement, mayFail);
  }

  /** Ends a turn that has not begun. Resolves to whether it ends so. With `mayFail`, rejects as `settle` does. */
  cut(turn: Turn, cut: Cut, mayFail = false): MaybePromise<boolean> {
    if (turn.isAtRest) return this.settle(turn, "not-applied", { cut }, mayFail);
    return turn.state === "begun" || turn.state === "settled" ? false : turn.endLater(cut, mayFail);
  }

  /** Ends a turn that was to be ended while the store was being asked about it. Returns whether it was. */
  endIfAsked(turn: Turn): boolean {
    const { ending, state } = turn;
    if (!ending) return false;
    // No later process begins one that may start.
    const ended = this.settle(turn, "not-applied", { cut: ending.cut }, ending.mayFail && state !== "starting");
    if (ended instanceof Promise) ended.catch(() => ending.resolve(ended));
    return true;
  }

  /** Ends those that have not begun. Resolves to how many. With `mayFail`, rejects if one of them rejects as `settle` does. */
  cutAll(cut: Cut, isMeant: (turn: Turn) => boolean = () => true, mayFail = false): Promise<number> {
    const cutting = this.#cutInSteps(cut, isMeant, mayFail);
    this.#storing = Promise.allSettled([this.#storing, cutting]);
    return cutting;
  }

  /** None of them begins after this was called, but the process answers while their ends are stored. */
  async #cutInSteps(cut: Cut, isMeant: (turn: Turn) => boolean, mayFail: boolean): Promise<number> {
    const waiting: Turn[] = [];
    const others: Promise<boolean>[] = [];
    for (const turn of this.#turns.filter(isMeant)) {
      if (turn.isAtRest) {
        this.leave(turn, "settled");
        waiting.push(turn);
      } else others.push(Promise.resolve(this.cut(turn, cut, mayFail)));
    }
    const storing: Promise<boolean>[] = [];
    for (const turn of waiting) {
      storing.push(Promise.resolve(this.#write(turn, "not-applied", { cut }, mayFail)));
      if (storing.length % MOST_STORING === 0) await Promise.allSettled(storing);
      else if (storing.length % STORED_AT_ONCE === 0) await new Promise(setImmediate);
    }
    const ended = await allOf([...storing, ...others]);
    this.handlers?.onChange();
    return ended.filter(Boolean).length;
  }

  #write(turn: Turn, outcome: Outcome, settlement: Settlement, mayFail: boolean): MaybePromise<boolean> {
    return whenReady(this.#store.settle(turn.entry, outcome, mayFail), (error) => {
      if (!this.#turns.has(turn)) return true;
      if (mayFail && error instanceof Error) {
        turn.ending = undefined;
        this.#putBack(turn);
        throw error;
      }
      this.finish(turn, settlement);
      return true;
    });
  }

  /** Takes a turn out of where it waits. */
  leave(turn: Turn, state: TurnState): void {
    turn.leaveHeap();
    this.#turns.to(turn, state);
  }

  /** Removes a turn from this backlog without a notification. */
  letGo(turn: Turn): void {
    turn.leaveHeap();
    this.#turns.remove(turn);
    turn.ending?.resolve(true);
  }

  /** Another instance has restored it, and reports how it ends. */
  inherited(turn: Turn): void {
    this.letGo(turn);
    this.handlers?.onInherited(turn.entry, turn.sender);
  }

  /** Its end is stored. */
  finish(turn: Turn, settlement: Settlement): void {
    this.letGo(turn);
    this.report(turn.entry, settlement, turn.sender);
  }

  report(entry: Entry, settlement: Settlement, sender?: unknown): void {
    const reported = () => this.#store.forget(entry);
    if (this.handlers?.onSettled(entry, settlement, sender, reported) !== true) reported();
  }
}

/** Waits for all of them, also if one rejects. */
export async function allOf<T>(promises: readonly MaybePromise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
