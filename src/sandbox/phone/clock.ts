/** What a sandbox pretends the time to be. */
interface PretendedTime {
  /** Epoch milliseconds at which it began. */
  readonly from: number;
  /** How many seconds pass in a real one. */
  readonly speed: number;
}

/** The clock of a sandbox: the real one, unless it pretends another time. */
export class SandboxClock {
  #pretended: PretendedTime | undefined;
  #since = 0;
  readonly #followers = new Set<(before: number) => void>();

  /** What it pretends, from now on; `undefined` returns to the real time. */
  pretend(time: PretendedTime | undefined): void {
    if (!time && !this.#pretended) return;
    const before = this.now();
    this.#pretended = time;
    this.#since = performance.now();
    for (const follower of [...this.#followers]) follower(before);
  }

  /** Calls back when it is set, with what it showed before. Returns a function that ends this. */
  follow(follower: (before: number) => void): () => void {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }

  get speed(): number {
    return this.#pretended?.speed ?? 1;
  }

  get isPretending(): boolean {
    return this.#pretended !== undefined;
  }

  /** Epoch milliseconds, a whole number. */
  now(): number {
    const time = this.#pretended;
    return time ? Math.floor(time.from + (performance.now() - this.#since) * time.speed) : Date.now();
  }
}
