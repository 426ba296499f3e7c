import { type Turn, TurnHeap } from "./turn";

/** The turns that wait, in their order, though those that may begin at any time overtake the others while starts are closed. */
export class Waiting {
  readonly #ordinary = new TurnHeap(byPlace);
  readonly #anytime = new TurnHeap(byPlace);

  insert(turn: Turn): void {
    (turn.entry.anytime ? this.#anytime : this.#ordinary).add(turn);
  }

  /** All that wait, in the order in which they will begin if starts stay as they are. */
  *inOrder(isOpen: boolean): Generator<Turn> {
    const ordinary = this.#ordinary.inOrder();
    let late = ordinary.next();
    for (const turn of this.#anytime.inOrder()) {
      for (; isOpen && !late.done && byPlace(late.value, turn) < 0; late = ordinary.next()) yield late.value;
      yield turn;
    }
    for (; !late.done; late = ordinary.next()) yield late.value;
  }

  /** The next one, which stays. */
  peek(isOpen: boolean): Turn | undefined {
    const { first: anytime } = this.#anytime;
    const ordinary = isOpen ? this.#ordinary.first : undefined;
    return anytime && (!ordinary || byPlace(anytime, ordinary) < 0) ? anytime : ordinary;
  }
}

function byPlace(a: Turn, b: Turn): number {
  return a.place - b.place;
}
