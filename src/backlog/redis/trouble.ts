/** Tells that Redis fails, once, until it works again: a Redis that is away or full makes an error at each attempt. */
export class Trouble {
  #reason: string | undefined;
  readonly #tell: (reason: string | undefined) => void;

  constructor(tell: (reason: string | undefined) => void) {
    this.#tell = tell;
  }

  get reason(): string | undefined {
    return this.#reason;
  }

  fails(reason: string): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#tell(reason);
  }

  works(): void {
    if (this.#reason === undefined) return;
    this.#reason = undefined;
    this.#tell(undefined);
  }
}
