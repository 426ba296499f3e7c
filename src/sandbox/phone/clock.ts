/** What a sandbox pretends the time to be. */
export interface PretendedTime {
  /** Epoch milliseconds at which it began. */
  readonly from: number;
  /** How many seconds pass in a real one. */
  readonly speed: number;
}

/** The clock of a sandbox: the real one, unless it pretends another time. */
export class SandboxClock {
  #pretended: PretendedTime | undefined;
  #since = 0;

  /** What it pretends, from now on; `undefined` returns to the real time. */
  pretend(time: PretendedTime | undefined): void {
    this.#pretended = time;
    this.#since = performance.now();
  }

  get speed(): number {
    return this.#pretended?.speed ?? 1;
  }

  get isPretending(): boolean {
    return this.#pretended !== undefined;
  }

  /** Epoch milliseconds. */
  now(): number {
    const time = this.#pretended;
    return time ? time.from + (performance.now() - this.#since) * time.speed : Date.now();
  }
}
