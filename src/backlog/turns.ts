import type { Turn, TurnState } from "./turn";

/**
 * The turns that have not ended, and counts of them. An unordered array: each table that a `Map` outgrows links to the next
 * one, so what comes and goes would survive into the old generation, and collecting it took a third of the processor time.
 */
export class Turns {
  readonly #turns: Turn[] = [];
  /** Turns that are accepted or wait, and their bytes. */
  waiting = 0;
  bytes = 0;
  /** Turns that the store was asked about, or that start in a moment. */
  beginning = 0;
  restored = 0;
  onNoneBeginning: (() => void) | undefined;

  add(turn: Turn): void {
    turn.index = this.#turns.push(turn) - 1;
    this.#count(turn, turn.state, 1);
    if (turn.isRestored) this.restored += 1;
  }

  to(turn: Turn, state: TurnState): void {
    const before = turn.state;
    turn.state = state;
    this.#count(turn, state, 1);
    this.#count(turn, before, -1);
  }

  remove(turn: Turn): void {
    this.to(turn, "settled");
    if (turn.isRestored) this.restored -= 1;
    const last = this.#turns.pop() as Turn;
    if (last !== turn) {
      this.#turns[turn.index] = last;
      last.index = turn.index;
    }
    turn.index = -1;
  }

  /** Whether a turn has not been removed. */
  has({ index }: Turn): boolean {
    return index >= 0;
  }

  find(id: string): Turn | undefined {
    return this.#turns.find(({ entry }) => entry.id === id);
  }

  /** In the order of their places. */
  filter(isMeant: (turn: Turn) => boolean): Turn[] {
    return this.#turns.filter(isMeant).sort((a, b) => a.place - b.place);
  }

  #count({ entry }: Turn, state: TurnState, change: 1 | -1): void {
    if (state === "accepting" || state === "waiting") {
      this.waiting += change;
      this.bytes += change * entry.size;
    } else if (state === "beginning" || state === "starting") {
      this.beginning += change;
      if (this.beginning === 0) this.onNoneBeginning?.();
    }
  }
}
