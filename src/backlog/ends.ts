import type { Cut, Entry, Outcome, Settlement } from "./entry";
import type { Handlers } from "./handlers";
import type { Queue } from "./queue";
import type { Store } from "./store";
import type { Turn } from "./turn";

/** Ends that are given to the store without letting the process do anything else. */
const STORED_AT_ONCE = 200;
/** Ends that a slow store may have to store at the same time. */
const MOST_STORING = 5000;

/** Ends turns, each once: an end is stored before it is reported, since a crash in between must not report it twice. */
export class Ends {
  handlers: Handlers | undefined;
  /** Resolves when all ends by `cutAll` are stored. */
  stored: Promise<unknown> = Promise.resolve();

  /** @param waitsAgain called when a turn waits as before, because its end could not be stored */
  constructor(
    private readonly store: Store,
    private readonly queue: Queue,
    private readonly waitsAgain: () => void,
  ) {}

  /** @param mayFail rejects if the store cannot write it down: then the turn, which has not begun, waits as before */
  async settle(turn: Turn, outcome: Outcome, settlement: Settlement, mayFail = false): Promise<boolean> {
    // Another instance has restored it, and reports it.
    if (turn.state === "settled") return false;
    this.queue.pacer.stopped(turn);
    this.queue.to(turn, "settled");
    return this.#write(turn, outcome, settlement, mayFail);
  }

  /** Ends a turn that has not begun. Resolves to whether it ends so. With `mayFail`, rejects as `settle` does. */
  async cut(turn: Turn, cut: Cut, mayFail = false): Promise<boolean> {
    if (turn.isAtRest) return this.settle(turn, "not-applied", { cut }, mayFail);
    // If nothing comes of its request, it does not wait again.
    if (turn.state === "begun") void turn.endLater(cut);
    return turn.state !== "begun" && turn.state !== "settled" && turn.endLater(cut, mayFail);
  }

  /** Ends those that have not begun. Resolves to how many. With `mayFail`, rejects if one of them rejects as `settle` does. */
  cutAll(cut: Cut, isMeant: (turn: Turn) => boolean = () => true, mayFail = false): Promise<number> {
    const cutting = this.#cutInSteps(cut, isMeant, mayFail);
    this.stored = Promise.allSettled([this.stored, cutting]);
    return cutting;
  }

  /** Ends what waits for nodes that were deleted: a store that fails writes that down when it works again. */
  dropDeleted(): Promise<number> {
    const { restored } = this.handlers ?? {};
    /** By type and id: thousands may wait for one node. */
    const known = new Map<string, boolean>();
    return this.cutAll("dropped", ({ entry }) => {
      const key = `${entry.nodeType} ${entry.nodeId}`;
      const isDeleted = known.get(key) ?? restored?.isDeleted(entry) === true;
      known.set(key, isDeleted);
      return isDeleted;
    });
  }

  /** Ends a turn that was to be ended while the store was being asked about it. Returns whether it was. */
  endIfAsked(turn: Turn): boolean {
    const { ending, state } = turn;
    if (!ending) return false;
    // No later process begins one that may start.
    const ended = this.settle(turn, "not-applied", { cut: ending.cut }, ending.mayFail && state !== "starting");
    ended.catch(() => ending.resolve(ended));
    return true;
  }

  /** Removes a turn from this backlog without a notification. */
  remove(turn: Turn, isEnded = true): void {
    this.queue.remove(turn);
    turn.ending?.resolve(isEnded);
  }

  /** Another instance has restored it, and reports how it ends. */
  inherited(turn: Turn): void {
    this.remove(turn);
    this.handlers?.onInherited(turn.entry, turn.sender);
  }

  /** Its end is stored. */
  finish(turn: Turn, settlement: Settlement): void {
    this.remove(turn);
    this.report(turn.entry, settlement, turn.sender);
  }

  report(entry: Entry, settlement: Settlement, sender?: unknown): void {
    const reported = () => this.store.forget(entry);
    if (this.handlers?.onSettled(entry, settlement, sender, reported) !== true) reported();
  }

  /** None of them begins after this was called, but the process answers while their ends are stored. */
  async #cutInSteps(cut: Cut, isMeant: (turn: Turn) => boolean, mayFail: boolean): Promise<number> {
    const waiting: Turn[] = [];
    const ends: Promise<boolean>[] = [];
    const add = (end: Promise<boolean>) => {
      // A rejection before the last one is stored is handled below.
      end.catch(() => {});
      ends.push(end);
    };
    for (const turn of this.queue.filter(isMeant)) {
      if (turn.isAtRest) {
        this.queue.to(turn, "settled");
        waiting.push(turn);
      } else add(this.cut(turn, cut, mayFail));
    }
    for (const [n, turn] of waiting.entries()) {
      if (n > 0 && n % MOST_STORING === 0) await Promise.allSettled(ends);
      else if (n > 0 && n % STORED_AT_ONCE === 0) await new Promise(setImmediate);
      add(this.#write(turn, "not-applied", { cut }, mayFail));
    }
    const ended = await allOf(ends);
    if (ended.length > 0) this.handlers?.onChange();
    return ended.filter(Boolean).length;
  }

  async #write(turn: Turn, outcome: Outcome, settlement: Settlement, mayFail: boolean): Promise<boolean> {
    const error = await this.store.settle(turn.entry, outcome, mayFail);
    if (!this.queue.has(turn)) return true;
    if (mayFail && error) {
      turn.ending = undefined;
      this.queue.wait(turn);
      this.waitsAgain();
      throw error;
    }
    this.finish(turn, settlement);
    return true;
  }
}

/** Waits for all of them, also if one rejects. */
export async function allOf<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
