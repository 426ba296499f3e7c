/** Those who follow are told at most four times a second. Milliseconds. */
const INTERVAL_MS = 250;

/** Numbers the changes of what a sandbox shows, so that a page asks only for what is new. */
export class Changes {
  #revision = 0;
  /** A page may outlive a sandbox, and must notice that it looks at another one. */
  #epoch = Date.now();
  readonly #followers = new Set<() => void>();
  #toldAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  /** The number of the last change. */
  get revision(): number {
    return this.#revision;
  }

  /** Differs when everything was cleared: what was shown before is gone. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Something has changed. Returns the number of the change. */
  next(): number {
    this.#revision += 1;
    if (this.#followers.size > 0 && !this.#timer) this.#tellLater();
    return this.#revision;
  }

  clear(): void {
    this.#epoch += 1;
    this.next();
  }

  /** Calls back after changes. Returns a function that ends this. */
  follow(follower: () => void): () => void {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }

  #tellLater(): void {
    const wait = Math.max(0, this.#toldAt + INTERVAL_MS - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#toldAt = performance.now();
      for (const follower of [...this.#followers]) follower();
    }, wait).unref();
  }
}
