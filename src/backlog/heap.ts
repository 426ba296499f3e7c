/** A binary heap: adding and removing take logarithmic time. */
export class Heap<T> {
  /** In no order a caller may rely on. */
  readonly items: T[] = [];
  readonly #compare: (a: T, b: T) => number;
  readonly #moved: (item: T, slot: number) => void;

  /**
   * @param compare less than 0 if the first one comes before the second
   * @param moved called with the slot of an item, by which it can be removed
   */
  constructor(compare: (a: T, b: T) => number, moved: (item: T, slot: number) => void = () => {}) {
    this.#compare = compare;
    this.#moved = moved;
  }

  get first(): T | undefined {
    return this.items[0];
  }

  /** As they are now, in their order. Taking the first few of many is quick: what comes next is below what has come before. */
  *inOrder(): Generator<T> {
    const items = [...this.items];
    const next = new Heap<number>((a, b) => this.#compare(items[a] as T, items[b] as T));
    if (items.length > 0) next.add(0);
    for (let slot = next.remove(); slot !== undefined; slot = next.remove()) {
      yield items[slot] as T;
      for (const below of [2 * slot + 1, 2 * slot + 2]) if (below < items.length) next.add(below);
    }
  }

  add(item: T): void {
    this.#up(this.items.length, item);
  }

  /** Removes and returns what is in a slot. */
  remove(slot = 0): T | undefined {
    const item = this.items[slot];
    const last = this.items.pop() as T;
    if (slot >= this.items.length) return item;
    this.#down(this.#up(slot, last), last);
    return item;
  }

  #up(from: number, item: T): number {
    let slot = from;
    while (slot > 0) {
      const above = (slot - 1) >> 1;
      const parent = this.items[above] as T;
      if (this.#compare(parent, item) <= 0) break;
      this.#put(slot, parent);
      slot = above;
    }
    this.#put(slot, item);
    return slot;
  }

  #down(from: number, item: T): void {
    let slot = from;
    for (;;) {
      let below = 2 * slot + 1;
      if (below >= this.items.length) break;
      const right = below + 1;
      if (right < this.items.length && this.#compare(this.items[right] as T, this.items[below] as T) < 0) below = right;
      const child = this.items[below] as T;
      if (this.#compare(item, child) <= 0) break;
      this.#put(slot, child);
      slot = below;
    }
    this.#put(slot, item);
  }

  #put(slot: number, item: T): void {
    this.items[slot] = item;
    this.#moved(item, slot);
  }
}
