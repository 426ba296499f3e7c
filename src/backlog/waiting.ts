import { Queue } from "./queue";
import type { Turn } from "./turn";

/**
 * The turns that wait: first in, first out, though entries that may begin at any time overtake the others while starts are
 * closed. A turn that ended while it was waiting is skipped when its turn comes.
 */
export class Waiting {
  readonly #ordinary = new Queue<Turn>();
  readonly #anytime = new Queue<Turn>();

  /** Puts a turn to its place in the order of all, which is near the front, or the end. */
  insert(turn: Turn): void {
    turn.isQueued = true;
    const queue = this.#queueOf(turn);
    const last = queue.last();
    if (!last || last.place < turn.place) {
      queue.push(turn);
      return;
    }
    const ahead: Turn[] = [];
    for (let next = queue.peek(); next && next.place < turn.place; next = queue.peek())
      ahead.push(queue.shift() as Turn);
    queue.unshift(turn);
    for (const earlier of ahead.reverse()) queue.unshift(earlier);
  }

  /** Puts many turns to their places. */
  insertAll(turns: readonly Turn[]): void {
    for (const queue of [this.#ordinary, this.#anytime]) {
      const added = turns.filter((turn) => this.#queueOf(turn) === queue);
      for (const turn of added) turn.isQueued = true;
      // Two sorted runs, which are merged in linear time.
      for (const turn of [...queue.drain(), ...added].sort((a, b) => a.place - b.place)) queue.push(turn);
    }
  }

  /** All that wait, in the order in which they will begin if starts stay as they are. */
  *inOrder(isOpen: boolean): Generator<Turn> {
    const [anytime, ordinary] = [this.#anytime.values(), this.#ordinary.values()];
    let [early, late] = [anytime.next(), ordinary.next()];
    while (!early.done || !late.done) {
      const isEarly = !early.done && (late.done || !isOpen || early.value.place < late.value.place);
      const turn = (isEarly ? early.value : late.value) as Turn;
      if (isEarly) early = anytime.next();
      else late = ordinary.next();
      if (turn.state === "waiting") yield turn;
    }
  }

  /** The next one, which stays. */
  peek(isOpen: boolean): Turn | undefined {
    const anytime = first(this.#anytime);
    const ordinary = isOpen ? first(this.#ordinary) : undefined;
    return anytime && (!ordinary || anytime.place < ordinary.place) ? anytime : ordinary;
  }

  /** Removes what `peek` has returned. */
  remove(turn: Turn): void {
    this.#queueOf(turn).shift();
    turn.isQueued = false;
  }

  #queueOf({ entry }: Turn): Queue<Turn> {
    return entry.anytime ? this.#anytime : this.#ordinary;
  }
}

function first(queue: Queue<Turn>): Turn | undefined {
  let turn = queue.peek();
  while (turn && turn.state !== "waiting") {
    queue.shift();
    turn.isQueued = false;
    turn = queue.peek();
  }
  return turn;
}
