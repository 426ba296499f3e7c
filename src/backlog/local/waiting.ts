import type { Entry } from "../backlog";
import { Queue } from "./queue";

interface Item {
  readonly entry: Entry;
  /** Its place in the order of all entries. */
  readonly place: number;
}

/** What waits: first in, first out, though entries that may begin at any time overtake the others while starts are closed. */
export class Waiting {
  readonly #ordinary = new Queue<Item>();
  readonly #anytime = new Queue<Item>();
  #last = 0;
  #first = 0;
  #bytes = 0;

  get length(): number {
    return this.#ordinary.length + this.#anytime.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  push(entry: Entry): void {
    this.#last += 1;
    this.#queueOf(entry).push({ entry, place: this.#last });
    this.#bytes += entry.size;
  }

  /** Puts an entry back to the front. */
  unshift(entry: Entry): void {
    this.#first -= 1;
    this.#queueOf(entry).unshift({ entry, place: this.#first });
    this.#bytes += entry.size;
  }

  /** Whether an entry could be taken. */
  has(isOpen: boolean): boolean {
    return isOpen ? this.length > 0 : this.#anytime.length > 0;
  }

  shift(isOpen: boolean): Entry | undefined {
    const [ordinary, anytime] = [isOpen ? this.#ordinary.peek() : undefined, this.#anytime.peek()];
    const isAnytime = anytime !== undefined && (ordinary === undefined || anytime.place < ordinary.place);
    const entry = (isAnytime ? this.#anytime : this.#ordinary).shift()?.entry;
    if (entry) this.#bytes -= entry.size;
    return entry;
  }

  /** Removes and returns the entries that match, oldest first. */
  take(matches: (entry: Entry) => boolean): Entry[] {
    const items = [...this.#ordinary.drain(), ...this.#anytime.drain()].sort((a, b) => a.place - b.place);
    const taken: Entry[] = [];
    for (const item of items) {
      if (!matches(item.entry)) this.#queueOf(item.entry).push(item);
      else {
        taken.push(item.entry);
        this.#bytes -= item.entry.size;
      }
    }
    return taken;
  }

  #queueOf({ anytime }: Entry): Queue<Item> {
    return anytime ? this.#anytime : this.#ordinary;
  }
}
