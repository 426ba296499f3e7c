import { performance } from "node:perf_hooks";
import { isShared, type SharedStore, type Store } from "../store";
import { afterEvent, isFailing, NO_TROUBLE, type Trouble, type TroubleEvent } from "./machine";

/** The known state of the service. In a group, an event counts here at once, and for the others as soon as it is written. */
export class Service {
  /** It has answered as it should once. */
  isProven = false;
  trouble = NO_TROUBLE;
  /** The last time at which a call met no trouble, as far as this process knows. */
  fineAt = -Infinity;
  /** The latest trouble that a call has met, also if it is over. */
  lastMet: Trouble | undefined;
  /** Epoch milliseconds when `performance.now()` was 0. */
  readonly #origin = Date.now() - performance.now();
  /** As the group has it, as far as this is known; empty: no trouble. */
  #written = "";
  #unwritten = 0;
  #writing = Promise.resolve(true);

  /** @param onChange `isLost`: the group does not know of the last change, because the store fails */
  constructor(
    private readonly store: Store,
    private readonly onChange: (trouble: Trouble, isLost: boolean) => void,
  ) {}

  /** The instants of trouble: milliseconds on a clock that never jumps, and that a group shares. */
  now(): number {
    return isShared(this.store) ? this.store.steady() : this.#origin + performance.now();
  }

  /** Such an instant on the clock of this process, which may have been set. */
  wall(instant: number): number {
    return Math.round(Date.now() + instant - this.now());
  }

  /** Whether call-outs wait because of what one of them has met. */
  get isFailing(): boolean {
    return isFailing(this.trouble);
  }

  prove(): void {
    if (!this.isProven) this.store.hold({ isProven: true });
    this.isProven = true;
  }

  /** Resolves to whether the group knows: not if the store fails. */
  observe(event: TroubleEvent): Promise<boolean> {
    const [store, at] = [this.store, this.now()];
    if (event.kind === "fine") this.fineAt = at;
    const next = afterEvent(this.trouble, event, at);
    if (next === this.trouble) return this.#writing;
    if (isShared(store)) {
      this.#unwritten += 1;
      this.#writing = this.#writing.then(() => this.#write(store, event, at));
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

  /** If another instance was quicker, the event happens to what that one has written. */
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
