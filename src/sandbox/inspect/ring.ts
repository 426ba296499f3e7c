/** The last `size` items put in. Adding costs the same however many are kept. */
export class Ring<T> {
  readonly #slots: T[] = [];
  #oldest = 0;

  constructor(readonly size: number) {}

  /** Returns the item that had to make room, if one had to. */
  push(item: T): T | undefined {
    if (this.#slots.length < this.size) {
      this.#slots.push(item);
      return undefined;
    }
    const dropped = this.#slots[this.#oldest];
    this.#slots[this.#oldest] = item;
    this.#oldest = (this.#oldest + 1) % this.size;
    return dropped;
  }

  /** The newest `count` items, oldest of them first. */
  newest(count = this.size): T[] {
    const inOrder = [...this.#slots.slice(this.#oldest), ...this.#slots.slice(0, this.#oldest)];
    return inOrder.slice(Math.max(0, inOrder.length - count));
  }
}
