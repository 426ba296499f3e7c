import { performance } from "node:perf_hooks";
import { type Backlog, type Counts, Heap, type Key } from "../../backlog";
import { AttemptLoop } from "../attempt-loop";
import { dropped, type TenantError } from "../errors";
import { type JobResult, outcomeOf } from "../job";
import { JobRun } from "../job-run";
import type { Address } from "../transport/address";
import { CallOuts } from "./call-outs";
import { type ClientState, callOutShare, type Ended, MAX_WAITING_BYTES } from "./client-state";
import { backlogFull, tooLarge } from "./refusals";
import { keyOf } from "./stored-call-out";
import { PROBE } from "./trouble";

type Taken = Record<"places" | "callOuts", number>;

/**
 * Admits jobs, if the guard, the backlog and their deduplication keys allow, has them performed, and settles them. Shares the
 * places of a tenant: everything else first, first in, first out, and call-outs from their backlog last.
 */
export class Dispatcher {
  readonly callOuts: CallOuts;
  readonly #state: ClientState;
  /** The jobs that are being admitted: the guard checks them, their backlog is not open yet, or their key is being taken. */
  readonly #admitting = new Heap<JobRun>();
  /** Resolves when the guard has answered for all that have come; absent while it answers at once. */
  #checked: Promise<void> | undefined;
  /** The jobs that wait here: all but call-outs. */
  readonly #waiting = new Heap<JobRun>(byTurn);
  /** The place of the last one that has come. */
  #last = 0;
  /** Bytes of their requests. */
  #bytes = 0;
  /** Jobs that were started, with any options, and have not ended. */
  readonly started = new Heap<JobRun>();
  /** How many of them have a place of the present options, and how many of these are call-outs. */
  #taken: Taken = { places: 0, callOuts: 0 };
  /** There once the address is known; the lanes are shut until then. */
  #loop: AttemptLoop | undefined;
  #isFilling = false;
  readonly #idle: (() => void)[] = [];

  constructor(backlog: Backlog | Promise<Backlog>, state: ClientState) {
    this.#state = state;
    this.callOuts = new CallOuts(backlog, state, this);
  }

  get waiting(): Pick<Counts, "waiting" | "bytes"> {
    return { waiting: this.#waiting.size, bytes: this.#bytes };
  }

  /** How many call-outs may start now. */
  get callOutPlaces(): number {
    const { concurrency } = this.#state.options;
    if (!this.#loop || this.#waiting.size > 0) return 0;
    return Math.min(concurrency - this.#taken.places, callOutShare(concurrency) - this.#taken.callOuts);
  }

  /** Begins anew with every place free. What is in flight ends as it began, and nothing starts before `open`. */
  renew(): void {
    this.retire();
    this.#taken = { places: 0, callOuts: 0 };
  }

  open(address: Address): void {
    this.#loop = new AttemptLoop(this.#state.options, address);
    this.#fill();
    this.callOuts.backlog?.dispatch();
  }

  /** Sends nothing more; connections close when nothing is in flight. */
  retire(): void {
    this.#loop?.retire();
    this.#loop = undefined;
  }

  /** Jobs are admitted in the order in which they come, and not before this returns. */
  admit(run: JobRun): void {
    this.#admitting.add(run);
    queueMicrotask(() => this.#check(run));
  }

  #check(run: JobRun): void {
    const asked = this.#state.options.guard?.check(run.job);
    if (!(asked instanceof Promise) && !this.#checked) {
      this.#take(run, asked);
      return;
    }
    const checked = Promise.all([asked, this.#checked]).then(([blocked]) => {
      if (this.#checked === checked) this.#checked = undefined;
      this.#take(run, blocked);
    });
    this.#checked = checked;
  }

  /** @param blocked why the guard refuses it, if it does */
  #take(run: JobRun, blocked: TenantError | undefined): void {
    const { job } = run;
    const [state, callOuts] = [this.#state, this.callOuts];
    const isCallOut = job.lane === "callOut";
    if (isCallOut && !callOuts.backlog && !state.refusal) {
      // The client may be served again meanwhile.
      void state.opened.then(() => this.#take(run, blocked));
      return;
    }
    const { onlyLog, guard, callingHours } = state.options;
    const hourless = isCallOut && !job.anytime ? callingHours?.refusal : undefined;
    // What is not sent cannot be sent twice.
    const key = onlyLog ? undefined : keyOf(job);
    const refusal = state.refusal ?? run.withdrawn ?? blocked ?? hourless ?? tooLarge(job.request, run.bytes);
    if (!refusal && !isCallOut && key) {
      void this.#takeKey(run, key);
      return;
    }
    this.#admitting.remove(run);
    if (refusal) this.#settle(run, run.failure(refusal));
    else if (isCallOut) void callOuts.accept(run, key, guard?.rateLimitKeys(job) ?? []);
    else this.#add(run);
  }

  async #takeKey(run: JobRun, key: Key): Promise<void> {
    const refusal = await this.callOuts.takeKey(key).catch(() => this.#state.refusal ?? dropped());
    if (!refusal) run.heldKey = key;
    this.#admitting.remove(run);
    if (refusal) this.#settle(run, run.failure(refusal));
    else this.#add(run);
  }

  /** Starts a job that has left the queue. */
  start(run: JobRun): void {
    const taken = this.#taken;
    taken.places += 1;
    if (run.turn) taken.callOuts += 1;
    this.started.add(run);
    run.startedAt = performance.now();
    run.hooks.onStart?.();
    const reason = run.reasonNotToSend();
    if (reason) this.#finish(run, run.failure(reason), taken);
    else void this.#perform(run).then((result) => this.#finish(run, result, taken));
  }

  /** Asks the service for something small, past the lanes. */
  async probe(): Promise<JobResult> {
    const run = new JobRun(PROBE, {}, this.#state.options.style.current);
    const problem = await this.#state.opened;
    const result = problem ? run.failure(problem) : ((await this.#perform(run)) ?? run.failure(dropped()));
    this.callOuts.performed(run, result);
    return result;
  }

  /** Ends the jobs that are meant and have not begun, but for call-outs in their backlog. Returns them. */
  end(isMeant: (run: JobRun) => boolean, why: TenantError): readonly JobRun[] {
    const admitting = this.#admitting.items.filter(isMeant);
    const waiting = this.#waiting.items.filter(isMeant).sort(byTurn);
    for (const run of admitting) run.withdrawn = why;
    for (const run of waiting) {
      this.#leave(run);
      this.#settle(run, run.failure(why));
    }
    return [...admitting, ...waiting];
  }

  /** Resolves when no job is in flight. */
  idle(): Promise<void> {
    return this.started.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Sends a job past the lanes. Resolves to `undefined` if a call-out may not leave now. */
  #perform(run: JobRun): Promise<JobResult | undefined> {
    // A turn may have been granted just before the target was given up.
    return this.#loop?.perform(run) ?? Promise.resolve(run.failure(this.#state.refusal ?? dropped()));
  }

  /** Settles a job that was started, or lets it wait again, and frees its place, unless other options have given all places anew since. */
  #finish(run: JobRun, result: JobResult | undefined, taken: Taken): void {
    this.started.remove(run);
    const waitsAgain = !result || this.callOuts.performed(run, result);
    const ended = waitsAgain ? run.withdrawn && run.failure(run.withdrawn) : result;
    if (ended) this.#settle(run, ended);
    else this.callOuts.requeue(run);
    if (taken === this.#taken) {
      taken.places -= 1;
      if (run.turn) taken.callOuts -= 1;
      this.#fill();
      if (!this.#isFilling) this.callOuts.backlog?.dispatch();
    }
    if (this.started.size > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #settle(run: JobRun, result: JobResult): void {
    if (run.turn) run.turn.settle(outcomeOf(result), { run, result } satisfies Ended);
    else {
      if (run.heldKey) this.callOuts.backlog?.keys.settle(run.heldKey, outcomeOf(result));
      this.#state.end(run.job, run.hooks, result);
    }
  }

  /** Starts a job that is no call-out, or lets it wait. */
  #add(run: JobRun): void {
    const full = this.#hasPlace || this.#hasRoomFor(run) ? undefined : backlogFull(this.#state);
    const refusal = this.#state.refusal ?? run.withdrawn ?? full;
    if (refusal) {
      this.#settle(run, run.failure(refusal));
      return;
    }
    this.#last += 1;
    run.place = this.#last;
    this.#waiting.add(run);
    this.#bytes += run.bytes;
    this.#fill();
    if (this.#waiting.has(run)) run.hooks.onQueued?.();
  }

  get #hasPlace(): boolean {
    return this.#loop !== undefined && this.#taken.places < this.#state.options.concurrency;
  }

  #hasRoomFor({ bytes }: JobRun): boolean {
    const { counts } = this.callOuts;
    const isFull = this.#waiting.size + counts.waiting >= this.#state.options.backlog;
    return !isFull && this.#bytes + counts.bytes + bytes <= MAX_WAITING_BYTES;
  }

  /** Starts what may start. Not reentrant: thousands of jobs may end while they start, because their time has passed. */
  #fill(): void {
    if (this.#isFilling) return;
    this.#isFilling = true;
    try {
      while (this.#hasPlace) {
        const { first: next } = this.#waiting;
        if (!next) break;
        this.#leave(next);
        this.start(next);
      }
    } finally {
      this.#isFilling = false;
    }
  }

  #leave(run: JobRun): void {
    this.#waiting.remove(run);
    this.#bytes -= run.bytes;
  }
}

/** Jobs on calls that are under way first, each in the order in which they came. */
function byTurn(a: JobRun, b: JobRun): number {
  return Number(b.job.lane === "live") - Number(a.job.lane === "live") || a.place - b.place;
}
