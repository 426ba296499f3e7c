/**
 * A binary heap of items that know their slots, by which they can be removed: adding and removing take logarithmic time. Also
 * for what comes and goes quickly: V8 keeps the earlier tables of a `Set`, with all that was in them, for a long time.
 */
export class Heap<Item extends { slot: number }> {
  /** In no order a caller may rely on. */
  readonly items: Item[] = [];

  /** @param compare less than 0 if the first one comes before the second; without it, the items are in no order */
  constructor(private readonly compare?: (a: Item, b: Item) => number) {}

  get first(): Item | undefined {
    return this.items[0];
  }

  get size(): number {
    return this.items.length;
  }

  has(item: Item): boolean {
    return this.items[item.slot] === item;
  }

  /** Lists the items as they are now, in their order. Taking the first few of many is quick: each is a child of one before it. */
  *inOrder(): Generator<Item> {
    const items = [...this.items];
    const { compare = () => 0 } = this;
    const next = new Heap<{ readonly item: Item; readonly at: number; slot: number }>((a, b) =>
      compare(a.item, b.item),
    );
    const add = (at: number) => {
      const item = items[at];
      if (item) next.add({ item, at, slot: 0 });
    };
    add(0);
    for (let one = next.first; one; one = next.first) {
      next.remove(one);
      yield one.item;
      add(2 * one.at + 1);
      add(2 * one.at + 2);
    }
  }

  add(item: Item): void {
    item.slot = this.items.push(item) - 1;
    if (this.compare && item.slot > 0) this.#up(item.slot, item, this.compare);
  }

  /** Does nothing if it is not there. */
  remove(item: Item): void {
    const { slot } = item;
    if (this.items[slot] !== item) return;
    const last = this.items.pop() as Item;
    if (last === item) return;
    if (this.compare) this.#down(this.#up(slot, last, this.compare), last, this.compare);
    else this.#put(slot, last);
  }

  #up(from: number, item: Item, compare: (a: Item, b: Item) => number): number {
    let slot = from;
    while (slot > 0) {
      const above = (slot - 1) >> 1;
      const parent = this.items[above] as Item;
      if (compare(parent, item) <= 0) break;
      this.#put(slot, parent);
      slot = above;
    }
    this.#put(slot, item);
    return slot;
  }

  #down(from: number, item: Item, compare: (a: Item, b: Item) => number): void {
    let slot = from;
    for (;;) {
      let below = 2 * slot + 1;
      if (below >= this.items.length) break;
      const right = below + 1;
      if (right < this.items.length && compare(this.items[right] as Item, this.items[below] as Item) < 0) below = right;
      const child = this.items[below] as Item;
      if (compare(item, child) <= 0) break;
      this.#put(slot, child);
      slot = below;
    }
    this.#put(slot, item);
  }

  #put(slot: number, item: Item): void {
    this.items[slot] = item;
    item.slot = slot;
  }
}
