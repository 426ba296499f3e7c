import { performance } from "node:perf_hooks";
import { type SharedStore, type Store, sharedOf } from "../store";
import { afterEvent, isFailing, NO_TROUBLE, type Trouble, type TroubleEvent } from "./machine";

/** One clock counts whole milliseconds, the other parts of them. */
const JITTER_MS = 2;

/** The known state of the service. In a group, an event counts here at once, and for the others as soon as it is written. */
export class Service {
  /** Whether it has answered as it should once. */
  isProven = false;
  trouble = NO_TROUBLE;
  /** The last time at which a call met no trouble, as far as this process knows. */
  fineAt = -Infinity;
  /** The latest trouble that a call has met, also if it is over. */
  lastMet: Trouble | undefined;
  /** Epoch milliseconds when `performance.now()` was 0. */
  readonly #origin = Date.now() - performance.now();
  /** The milliseconds by which the clock of this process is ahead of that one. */
  #offset = 0;
  /** As the group has it, as far as this is known; empty: no trouble. */
  #written = "";
  #unwritten = 0;
  readonly #shared: SharedStore | undefined;
  #writing = Promise.resolve(true);

  /** @param onChange `isLost`: the group does not know of the last change, because the store fails */
  constructor(
    private readonly store: Store,
    private readonly onChange: (trouble: Trouble, isLost: boolean) => void,
  ) {
    this.#shared = sharedOf(store);
  }

  /** The instants of trouble: milliseconds on a clock that never jumps, and that a group shares. */
  now(): number {
    return this.#shared?.lease.steady() ?? this.#origin + performance.now();
  }

  /** Converts such an instant to the clock of this process: to the same milliseconds each time, until that clock is set. */
  wall(instant: number): number {
    const offset = Date.now() - this.now();
    if (Math.abs(offset - this.#offset) > JITTER_MS) this.#offset = offset;
    return Math.round(this.#offset + instant);
  }

  get isFailing(): boolean {
    return isFailing(this.trouble);
  }

  prove(): void {
    if (!this.isProven) this.store.hold({ isProven: true });
    this.isProven = true;
  }

  /** Resolves to whether the group knows: not if the store fails. */
  observe(event: TroubleEvent): Promise<boolean> {
    const [shared, at] = [this.#shared, this.now()];
    if (event.kind === "fine") this.fineAt = at;
    const next = afterEvent(this.trouble, event, at);
    if (next === this.trouble) return this.#writing;
    if (shared) {
      this.#unwritten += 1;
      this.#writing = this.#writing.then(() => this.#write(shared, event, at));
    }
    const written = this.#writing;
    // What follows from it at once, such as a probe, is written behind it.
    this.#become(next);
    return written;
  }

  /** @param written what the group has now */
  heard(written: string): void {
    if (this.#unwritten > 0 || written === this.#written) return;
    this.#written = written;
    const [{ phase, fineAt }, next] = [this.trouble, read(written)];
    if (phase !== "closed" && (next.phase === "closed" || next.fineAt > fineAt)) this.fineAt = this.now();
    this.#become(next);
  }

  /** Applies an event and writes the result. If another instance was quicker, the event is applied to the state that it wrote. */
  async #write(store: SharedStore, event: TroubleEvent, at: number): Promise<boolean> {
    let isWritten = true;
    try {
      for (let mine: string | undefined; mine !== this.#written; ) {
        const next = afterEvent(read(this.#written), event, at);
        mine = next.phase === "closed" ? "" : JSON.stringify(next);
        this.#written = await store.changeTrouble(this.#written, mine);
      }
    } catch {
      // What the group knows comes with the next news.
      isWritten = false;
    }
    this.#unwritten -= 1;
    if (this.#unwritten === 0) this.#become(read(this.#written), !isWritten);
    return isWritten;
  }

  #become(trouble: Trouble, isLost = false): void {
    this.trouble = trouble;
    if (this.isFailing) this.lastMet = trouble;
    this.onChange(trouble, isLost);
  }
}

function read(written: string): Trouble {
  return written === "" ? NO_TROUBLE : (JSON.parse(written) as Trouble);
}
