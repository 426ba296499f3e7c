import { dropped, notSent, type TenantError } from "../../../client";
import type { Pending } from "../../delivery/pending";
import type { StoppedBy } from "./list-file";

/** The pause after something that is wrong for the moment. Milliseconds. */
export const PAUSE_MS = 5000;

/** The rows of a list in the order in which they are fed to the backlog: in its own, those that wait again first. */
export class Feed {
  /** Rows in the backlog or in flight; without a message if an earlier process has left them. */
  readonly #fed = new Map<number, Pending | undefined>();
  readonly #again: number[] = [];
  /** Rows that have waited again. */
  readonly #waited = new Set<number>();
  #next = 0;
  /** Until then, no row begins, milliseconds of `performance.now()`: one of them waits again. */
  #againAt = 0;

  /** @param isOpen whether the end of a row is not yet known */
  constructor(
    private readonly total: number,
    private readonly isOpen: (index: number) => boolean,
  ) {}

  /** The number of rows that are in the backlog or in flight. */
  get size(): number {
    return this.#fed.size;
  }

  get inFlight(): number {
    return [...this.#fed.values()].filter((pending) => pending?.sending?.call?.stage === "begun").length;
  }

  get pauses(): boolean {
    return performance.now() < this.#againAt;
  }

  has(index: number): boolean {
    return this.#fed.has(index);
  }

  begin(index: number, pending?: Pending): void {
    this.#fed.set(index, pending);
  }

  end(index: number): void {
    this.#fed.delete(index);
  }

  hasWaited(index: number): boolean {
    return this.#waited.has(index);
  }

  waitAgain(index: number): void {
    this.end(index);
    this.#waited.add(index);
    this.#again.push(index);
    this.#againAt = performance.now() + PAUSE_MS;
  }

  /** Ends the pause. */
  goOn(): void {
    this.#againAt = 0;
  }

  /** The next row whose end is not known, and which is not fed. */
  next(): number | undefined {
    const mayBegin = (index: number) => this.isOpen(index) && !this.#fed.has(index);
    for (let again = this.#again.shift(); again !== undefined; again = this.#again.shift())
      if (mayBegin(again)) return again;
    while (this.#next < this.total) {
      const index = this.#next;
      this.#next += 1;
      if (mayBegin(index)) return index;
    }
    return undefined;
  }
}

/** The error with which the rows of a stopped list end that have not begun. */
export function restOf(by: StoppedBy): TenantError {
  return by === "tenant" ? notSent("ERR_CONFIG", "config", { key: "config.tenantChanged" }) : dropped();
}
