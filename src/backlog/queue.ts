/** A first-in, first-out queue whose operations take constant time. */
export class Queue<T> {
  #items: (T | undefined)[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  /** Puts an item back to the front. */
  unshift(item: T): void {
    if (this.#head > 0) {
      this.#head -= 1;
      this.#items[this.#head] = item;
    } else this.#items.unshift(item);
  }

  /** The oldest item, which stays. */
  peek(): T | undefined {
    return this.#items[this.#head];
  }

  /** The newest item, which stays. */
  last(): T | undefined {
    return this.length > 0 ? this.#items.at(-1) : undefined;
  }

  shift(): T | undefined {
    if (this.#head === this.#items.length) return undefined;
    const item = this.#items[this.#head];
    this.#items[this.#head] = undefined;
    this.#head += 1;
    // Taken items are removed in batches, not at every step.
    if (this.#head > 1024 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  /** Oldest first. They stay. */
  *values(): Generator<T> {
    for (let index = this.#head; index < this.#items.length; index += 1) yield this.#items[index] as T;
  }

  /** Removes and returns everything, oldest first. */
  drain(): T[] {
    const items = this.#items.slice(this.#head) as T[];
    this.#items = [];
    this.#head = 0;
    return items;
  }
}
