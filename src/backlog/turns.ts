import type { Turn, TurnState } from "./turn";

/**
 * The turns that have not ended, and counts of them. An unordered array: each table that a `Map` outgrows links to the next
 * one, so what comes and goes would survive into the old generation, and collecting it took a third of the processor time.
 */
export class Turns {
  readonly #turns: Turn[] = [];
  readonly #named = new Map<string, Turn>();
  /** Turns that have not begun, and their bytes. */
  waiting = 0;
  /** Of these, those in the queue, or on their way there. */
  queued = 0;
  dated = 0;
  heldBack = 0;
  bytes = 0;
  /** Turns that the store was asked about, or that start in a moment. */
  beginning = 0;
  restored = 0;
  onNoneBeginning: (() => void) | undefined;

  add(turn: Turn): void {
    turn.index = this.#turns.push(turn) - 1;
    this.#count(turn, turn.state, 1);
    if (turn.isRestored) this.restored += 1;
    this.#addToName(turn);
  }

  to(turn: Turn, state: TurnState): void {
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
    if (turn.isRestored) this.restored -= 1;
    const last = this.#turns.pop() as Turn;
    if (last !== turn) {
      this.#turns[turn.index] = last;
      last.index = turn.index;
    }
    turn.index = -1;
    const { name } = turn.entry;
    if (name === undefined) return;
    const alike = this.named(name).filter((one) => one !== turn);
    this.#named.delete(name);
    for (const one of alike.reverse()) this.#addToName(one);
  }

  /** The turns of a name. */
  named(name: string | undefined): readonly Turn[] {
    const found: Turn[] = [];
    for (let turn = name === undefined ? undefined : this.#named.get(name); turn; turn = turn.alike) found.push(turn);
    return found;
  }

  #addToName(turn: Turn): void {
    const { name } = turn.entry;
    if (name === undefined) return;
    turn.alike = this.#named.get(name);
    this.#named.set(name, turn);
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
