/** The least time between two reads, and the pause after a first failure. Milliseconds. */
export const SHORTEST_MS = 5000;
/** The pause doubles with each further failure, up to this. */
const LONGEST_PAUSE_MS = 3_600_000;

/** The last good copy of something, and why there is no newer one. */
export type Copy<T, Problem> = Readonly<Pick<Followed<T, Problem>, "value" | "problem">>;

/** A value that is read for all who follow it, and kept: at a deploy, at the shortest of their refreshes, and sooner after a failure. */
export abstract class Followed<T, Problem> {
  value: T | undefined;
  problem: Problem | undefined;
  readonly #followers = new Set<{ readonly refreshMs: number; readonly changed: () => void }>();
  /** The read that is under way. */
  renewal: Promise<void> | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  /** The number of reads in a row that have failed, and the least pause after the last one. */
  protected failures = 0;
  #pauseMs = 0;

  /**
   * Reads it, and notes what came of it. Must not reject.
   * @param isRefresh whether its time has come; not at a deploy, or after a change
   */
  protected abstract load(isRefresh: boolean): Promise<void>;

  /** Notes that a missing value may be there by now: who needs it waits for the next read. */
  protected abstract doubt(): void;

  protected succeed(value: T): void {
    this.value = value;
    this.problem = undefined;
    this.failures = 0;
  }

  protected fail(problem: Problem, pauseMs = 0): void {
    this.problem = problem;
    this.failures += 1;
    this.#pauseMs = pauseMs;
  }

  /** Whether one who follows it now needs no other read. */
  protected get isFresh(): boolean {
    return this.age < SHORTEST_MS;
  }

  get isFollowed(): boolean {
    return this.#followers.size > 0;
  }

  /** Milliseconds since the last read; infinite without one, or if the clock was set back. */
  get age(): number {
    const passed = Date.now() - this.#readAt;
    return passed >= 0 ? passed : Number.POSITIVE_INFINITY;
  }

  /** Reads it now, unless it was just read, and at each refresh. Calls back after each read. Returns a function that ends this. */
  follow(changed: () => void, refreshMs: number): () => void {
    const { isFresh } = this;
    const follower = { refreshMs, changed };
    this.#followers.add(follower);
    if (isFresh) this.#plan();
    else {
      this.doubt();
      void this.renew(false);
    }
    return () => {
      this.#followers.delete(follower);
      this.#plan();
    };
  }

  /** Removes all followers. */
  close(): void {
    this.#followers.clear();
    this.#plan();
  }

  /** Reads it, or waits for the read that is under way. Never rejects. */
  renew(isRefresh = true): Promise<void> {
    this.renewal ??= this.load(isRefresh).then(() => {
      this.renewal = undefined;
      this.#readAt = Date.now();
      for (const { changed } of [...this.#followers]) changed();
      this.#plan();
    });
    return this.renewal;
  }

  #plan(): void {
    clearTimeout(this.#timer);
    if (!this.isFollowed || this.renewal) return;
    const refresh = Math.min(...[...this.#followers].map(({ refreshMs }) => refreshMs));
    const growing = Math.min(LONGEST_PAUSE_MS, SHORTEST_MS * 2 ** (this.failures - 1));
    const wait = this.failures > 0 ? Math.min(refresh, Math.max(growing, this.#pauseMs)) : refresh;
    this.#timer = setTimeout(() => void this.renew(), Math.max(0, wait - this.age));
  }
}
