/** Reports that Redis fails, once, until it works again: a Redis that is away or full makes an error at each attempt. */
export class FailureReporter {
  #reason: string | undefined;
  readonly #report: (reason: string | undefined) => void;

  constructor(report: (reason: string | undefined) => void) {
    this.#report = report;
  }

  get reason(): string | undefined {
    return this.#reason;
  }

  fails(reason: string): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#report(reason);
  }

  works(): void {
    if (this.#reason === undefined) return;
    this.#reason = undefined;
    this.#report(undefined);
  }
}
