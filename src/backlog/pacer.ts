/** The time by which a request may leave too early: otherwise most would wait for a timer again. Milliseconds. */
const SLACK_MS = 1;
/** A request whose connection takes longer does not delay those behind it. Milliseconds. */
const LONGEST_WAIT_MS = 500;
/** A request asks again after this pause while an earlier one connects. Milliseconds. */
const ASK_AGAIN_MS = 5;

/** Spaces starts evenly, and lets requests leave in their order. All instants are milliseconds on one monotonic clock. */
export class Pacer {
  #interval = 0;
  /** The latest start that was planned or has happened. */
  #last = -Infinity;
  /** The time at which the next request may leave. */
  #slot = -Infinity;
  /** Runs that have started but not sent a byte yet, in order. */
  #connecting: { readonly run: object; readonly since: number }[] = [];

  /** @param rate starts per second; 0 = no limit */
  constructor(rate: number) {
    this.rate = rate;
  }

  set rate(perSecond: number) {
    this.#interval = perSecond > 0 ? 1000 / perSecond : 0;
    if (!this.#isLimited) this.#connecting = [];
  }

  get #isLimited(): boolean {
    return this.#interval > 0;
  }

  next(now: number): number {
    return Math.max(now, this.#last + this.#interval);
  }

  plan(now: number): number {
    const at = this.next(now);
    if (this.#isLimited) this.#last = at;
    return at;
  }

  /** Gives back the start that was planned last. */
  giveBack(at: number): void {
    if (this.#isLimited && this.#last === at) this.#last = at - this.#interval;
  }

  /** A start happened, perhaps later than it was planned: those after it keep their distance. */
  started(at: number, run: object): void {
    if (!this.#isLimited) return;
    this.#last = Math.max(this.#last, at);
    this.#connecting.push({ run, since: at });
  }

  /** A run that has started ends, or waits again. */
  stopped(run: object): void {
    if (this.#connecting.length > 0) this.#connecting = this.#connecting.filter((each) => each.run !== run);
  }

  /**
   * Takes the slot of a request that is to leave: those that started before it come first, each at a distance.
   * @returns when to ask again, or `undefined`: it leaves now
   */
  acquireSendSlot(now: number, run: object): number | undefined {
    if (!this.#isLimited) return undefined;
    while (this.#connecting[0] && now - this.#connecting[0].since > LONGEST_WAIT_MS) this.#connecting.shift();
    // Repeated attempts, and those whose connection took too long, have no place in the order any more.
    const index = this.#connecting.findIndex((each) => each.run === run);
    if (index > 0) return Math.max(this.#slot + index * this.#interval, now + ASK_AGAIN_MS);
    if (now < this.#slot - SLACK_MS) return this.#slot;
    this.#slot = Math.max(this.#slot, now) + this.#interval;
    if (index === 0) this.#connecting.shift();
    return undefined;
  }
}
