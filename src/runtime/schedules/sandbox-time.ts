import type { SandboxClock } from "../../sandbox";
import { type Clock, type ClockChange, realClock } from "./clock";

/** The clock of a sandbox tenant: the one of its sandbox, while there is one. It stays the same across redeploys. */
export class SandboxTime implements Clock {
  readonly #followers = new Set<(change: ClockChange) => void>();
  #clock: SandboxClock | undefined;
  #unfollow: (() => void) | undefined;

  now(): number {
    return (this.#clock ?? realClock).now();
  }

  get speed(): number {
    return this.#clock?.speed ?? 1;
  }

  follow(changed: (change: ClockChange) => void): () => void {
    this.#followers.add(changed);
    return () => this.#followers.delete(changed);
  }

  /** The sandbox has started, or has another state. `undefined`: it is gone. */
  use(clock: SandboxClock | undefined): void {
    if (clock === this.#clock) return;
    const before = this.now();
    const isChanged = (this.#clock?.isPretending ?? false) || (clock?.isPretending ?? false);
    this.#unfollow?.();
    this.#clock = clock;
    this.#unfollow = clock?.follow((was) => this.#notify(was));
    if (isChanged) this.#notify(before);
  }

  #notify(before: number): void {
    const change = { before, now: this.now() };
    for (const changed of [...this.#followers]) changed(change);
  }
}
