import { performance } from "node:perf_hooks";
import { Heap } from "../../backlog";
import { AttemptLoop } from "../attempt-loop";
import { DeadlineError } from "../classify";
import { dropped, type TenantError } from "../errors";
import type { JobResult, Unfinished } from "../job";
import type { Address } from "../transport/address";
import type { JobRun } from "./job-run";
import type { ClientOptions } from "./options";

/** Returns how many of the requests in flight at once may be call-outs. */
export function callOutShare(concurrency: number): number {
  return concurrency - Math.floor(concurrency / 4);
}

/** The requests in flight, and the slots that they share. */
export class InFlight {
  /** The runs that were started, with any options, and have not ended. */
  readonly runs = new Heap<JobRun>();
  /** The number of them that have a slot of the present options, and of the call-outs among these. */
  #taken = { all: 0, callOuts: 0 };
  #slots = { all: 0, callOuts: 0 };
  /** There once the address is known; nothing starts before. */
  #loop: AttemptLoop | undefined;
  readonly #idle: (() => void)[] = [];

  /** Begins anew with every slot free. What is in flight ends as it began, and nothing starts before `open`. */
  renew(concurrency: number): void {
    this.retire();
    this.#taken = { all: 0, callOuts: 0 };
    this.#slots = { all: concurrency, callOuts: callOutShare(concurrency) };
  }

  open(options: ClientOptions, address: Address): void {
    this.#loop = new AttemptLoop(options, address);
  }

  /** Sends nothing more; connections close when nothing is in flight. */
  retire(): void {
    this.#loop?.retire();
    this.#loop = undefined;
  }

  get hasSlot(): boolean {
    return this.#loop !== undefined && this.#taken.all < this.#slots.all;
  }

  /** The number of call-outs that may start now, unless others wait. */
  get callOutSlots(): number {
    const [taken, slots] = [this.#taken, this.#slots];
    return this.#loop ? Math.min(slots.all - taken.all, slots.callOuts - taken.callOuts) : 0;
  }

  /** Takes a slot, and sends. Resolves to `undefined` if a call-out may not leave now. Call `end` then. */
  start(run: JobRun, refusal: TenantError | undefined): Promise<JobResult | undefined> {
    this.#taken.all += 1;
    if (run.backlog) this.#taken.callOuts += 1;
    run.slots = this.#taken;
    this.runs.add(run);
    run.startedAt = performance.now();
    const reason = run.reasonNotToSend();
    return reason ? Promise.resolve(run.failure(reason)) : this.perform(run, refusal);
  }

  /** Sends past the lanes. @param refusal the target was given up just before */
  perform(run: JobRun, refusal: TenantError | undefined): Promise<JobResult | undefined> {
    return this.#loop?.perform(run) ?? Promise.resolve(run.failure(refusal ?? dropped()));
  }

  /** Removes a run that is not in flight any more. Returns whether its slot is free for another one. */
  end(run: JobRun): boolean {
    const taken = this.#taken;
    // Other options have given all slots anew since.
    const isFree = run.slots === taken;
    if (isFree) taken.all -= 1;
    if (isFree && run.backlog) taken.callOuts -= 1;
    this.runs.remove(run);
    if (this.runs.items.length === 0) for (const resolve of this.#idle.splice(0)) resolve();
    return isFree;
  }

  /** @param isDurable the next process reports what is known of a call-out */
  unfinished(isDurable: boolean): Unfinished[] {
    return this.runs.items.map(({ call, backlog, summary, outcomeIfCutOff: outcome }) => {
      return { owner: call?.owner, summary, isInFlight: true, isKept: isDurable && backlog !== undefined, outcome };
    });
  }

  /** Withdraws what was started, unless its first byte has left. Returns whether anything was. */
  forbid(isMeant: (run: JobRun) => boolean): boolean {
    const meant = this.runs.items.filter(isMeant);
    for (const run of meant) run.withdrawn = dropped();
    return meant.length > 0;
  }

  /** Resolves when nothing is in flight. @param withinMs what is for longer is abandoned */
  async idle(withinMs: number): Promise<void> {
    const abandonTimer = setTimeout(() => {
      for (const run of this.runs.items) run.abandon(new DeadlineError("stopped"));
    }, withinMs);
    if (this.runs.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
    clearTimeout(abandonTimer);
  }
}
