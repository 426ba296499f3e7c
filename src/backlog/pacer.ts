/** How much too early a request may leave. Milliseconds. */
const SLACK_MS = 5;

/** Spaces starts evenly. All instants are milliseconds on one monotonic clock. */
export class Pacer {
  #interval = 0;
  /** The latest start that was planned or has happened. */
  #last = -Infinity;
  /** When the last request left. */
  #left = -Infinity;
  /** Planned starts of repeated attempts, earliest first. */
  #reserved: number[] = [];

  /** @param rate starts per second; 0 = no limit */
  constructor(rate: number) {
    this.rate = rate;
  }

  set rate(perSecond: number) {
    this.#interval = perSecond > 0 ? 1000 / perSecond : 0;
  }

  get #isLimited(): boolean {
    return this.#interval > 0;
  }

  /** When the next entry may start. */
  next(now: number): number {
    return this.#free(now, now);
  }

  /** Plans the start of the next entry. */
  plan(now: number): number {
    const at = this.next(now);
    if (this.#isLimited) this.#last = at;
    return at;
  }

  /** Gives back the start that was planned last. */
  giveBack(at: number): void {
    if (this.#isLimited && this.#last === at) this.#last = at - this.#interval;
  }

  /** Plans a repeated attempt between the starts of entries. Returns `undefined` if there is none before `latest`. */
  reserve(now: number, earliest: number, latest: number): number | undefined {
    const at = this.#isLimited ? this.#free(now, earliest) : earliest;
    if (at >= latest) return undefined;
    if (this.#isLimited) this.#reserved = [...this.#reserved, at].sort((a, b) => a - b);
    return at;
  }

  /** A start happened later than it was planned: those after it keep their distance. */
  started(at: number): void {
    if (this.#isLimited) this.#last = Math.max(this.#last, at);
  }

  /**
   * Whether a request may leave, so soon after the one before. A little too early is no harm: otherwise each delay would
   * delay all that follow.
   * @returns when it may, or `undefined`: it leaves now
   */
  acquireSendSlot(now: number): number | undefined {
    const slack = Math.min(this.#interval / 4, SLACK_MS);
    const at = this.#left + this.#interval - slack;
    if (this.#isLimited && now < at) return at;
    this.#left = now;
    return undefined;
  }

  /** The first instant that is an interval away from the last start and from every reserved one. */
  #free(now: number, earliest: number): number {
    while (this.#reserved[0] !== undefined && this.#reserved[0] <= now) {
      this.#last = Math.max(this.#last, this.#reserved.shift() as number);
    }
    let at = Math.max(earliest, this.#last + this.#interval);
    for (const reserved of this.#reserved) if (Math.abs(reserved - at) < this.#interval) at = reserved + this.#interval;
    return at;
  }
}
