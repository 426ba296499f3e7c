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

  /** The next one, which stays. */
  peek(isOpen: boolean): Turn | undefined {
    const anytime = first(this.#anytime);
    const ordinary = isOpen ? first(this.#ordinary) : undefined;
    return anytime && (!ordinary || anytime.place < ordinary.place) ? anytime : ordinary;
  }

  /** Removes what `peek` has returned. */
  remove(turn: Turn): void {
    this.#queueOf(turn).shift();
  }

  #queueOf({ entry }: Turn): Queue<Turn> {
    return entry.anytime ? this.#anytime : this.#ordinary;
  }
}

function first(queue: Queue<Turn>): Turn | undefined {
  let turn = queue.peek();
  while (turn && turn.state !== "waiting") {
    queue.shift();
    turn = queue.peek();
  }
  return turn;
}
