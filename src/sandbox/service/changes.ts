/** Followers are notified at most four times a second. Milliseconds. */
const INTERVAL_MS = 250;

/** Numbers the changes of what a sandbox shows, so that a page asks only for what is new. */
export class Changes {
  #revision = 0;
  /** A page may outlive a sandbox, and must notice that it shows another one. */
  #epoch = Date.now();
  readonly #followers = new Set<() => void>();
  #notifiedAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  /** The number of the last change. */
  get revision(): number {
    return this.#revision;
  }

  /** Differs when everything was cleared: what was shown before is gone. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Counts a change. Returns its number. */
  next(): number {
    this.#revision += 1;
    if (this.#followers.size > 0 && !this.#timer) this.#notifyLater();
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

  #notifyLater(): void {
    const wait = Math.max(0, this.#notifiedAt + INTERVAL_MS - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#notifiedAt = performance.now();
      for (const follower of [...this.#followers]) follower();
    }, wait).unref();
  }
}
