import { performance } from "node:perf_hooks";
import type { Backlog } from "../../backlog";
import { AttemptLoop, type AttemptOptions } from "../attempt-loop";
import { dropped, type TenantError } from "../errors";
import { type JobResult, outcomeOf } from "../job";
import { JobRun } from "../job-run";
import type { Address } from "../transport/address";
import { CallOuts } from "./call-outs";
import type { ClientState } from "./client-state";
import { backlogFull } from "./refusals";
import { type LaneLimits, Scheduler } from "./scheduler";
import { PROBE } from "./trouble";

/** Lets jobs wait for their places, has them performed, and settles them. */
export class Dispatcher {
  readonly callOuts: CallOuts;
  readonly #state: ClientState;
  readonly #scheduler: Scheduler<JobRun>;
  readonly #idle: (() => void)[] = [];
  /** There once the address is known; the lanes are shut until then. */
  #loop: AttemptLoop | undefined;
  /** With those of earlier options that still have requests in flight. */
  readonly #loops = new Set<AttemptLoop>();
  /** Jobs that were started, with any options, and have not ended. */
  #inFlight = 0;

  constructor(backlog: Backlog | Promise<Backlog>, state: ClientState) {
    this.#state = state;
    this.#scheduler = new Scheduler(this);
    this.callOuts = new CallOuts(backlog, state, this);
  }

  /** The jobs that wait here: all but call-outs. */
  get waiting() {
    return this.#scheduler.waiting;
  }

  get callOutPlaces(): number {
    return this.#scheduler.callOutPlaces;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** The jobs that are being sent, or that pause between two attempts. */
  get underWay(): JobRun[] {
    return [...this.#loops].flatMap(({ inFlight }) => inFlight);
  }

  /** Begins anew with other limits and every place free. What is in flight ends as it began, and nothing starts before `open`. */
  renew(limits: LaneLimits): void {
    this.#scheduler.renew(limits);
    this.retire();
  }

  open(options: AttemptOptions, address: Address): void {
    this.#loop = new AttemptLoop(options, address, this.#state.style);
    this.#loops.add(this.#loop);
    this.#scheduler.open();
  }

  /** Sends nothing more; connections close when nothing is in flight. */
  retire(): void {
    this.#loop?.retire();
    this.#loop = undefined;
    for (const loop of this.#loops) if (loop.inFlight.length === 0) this.#loops.delete(loop);
  }

  /** Starts a job that is no call-out, or lets it wait. */
  add(run: JobRun): void {
    const { lane } = run.job;
    if (lane === "callOut") return;
    const { refusal } = this.#state;
    if (refusal) this.#settle(run, run.failure(refusal));
    else if (!this.#scheduler.add(lane, run)) this.#settle(run, run.failure(backlogFull(this.#state)));
    else if (run.startedAt === undefined) run.hooks.onQueued?.();
  }

  /** Starts a job that has left the queue. */
  start(run: JobRun): void {
    if (run.turn) this.#scheduler.beginCallOut();
    run.startedAt = performance.now();
    run.hooks.onStart?.();
    this.#inFlight += 1;
    const loop = this.#loop;
    const reason = run.reasonNotToSend();
    if (reason) this.#finish(run, run.failure(reason), loop);
    else void this.perform(run).then((result) => this.#finish(run, result, loop));
  }

  /** Sends a job past the lanes. Resolves to `undefined` if a call-out may not leave now. */
  perform(run: JobRun): Promise<JobResult | undefined> {
    // A turn may have been granted just before the target was given up.
    return this.#loop?.perform(run) ?? Promise.resolve(run.failure(this.#state.refusal ?? dropped()));
  }

  /** Asks the service for something small, past the lanes. */
  async probe(): Promise<JobResult> {
    const run = new JobRun(PROBE, {}, this.#state.style.current);
    const problem = await this.#state.opened;
    const result = problem ? run.failure(problem) : ((await this.perform(run)) ?? run.failure(dropped()));
    this.callOuts.performed(run, result);
    return result;
  }

  bytesOf({ bytes }: JobRun): number {
    return bytes;
  }

  others() {
    return this.callOuts.counts;
  }

  freed(): void {
    this.callOuts.backlog?.dispatch();
  }

  /** Ends the jobs that wait here and are meant. Returns them. */
  end(isMeant: (run: JobRun) => boolean, why: TenantError): readonly JobRun[] {
    const ended = this.#scheduler.take(isMeant);
    for (const run of ended) this.#settle(run, run.failure(why));
    return ended;
  }

  /** Resolves when no job is in flight. */
  idle(): Promise<void> {
    return this.#inFlight === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Settles a job that was started, or lets it wait again, and frees its place, unless other options have given all places anew since. */
  #finish(run: JobRun, result: JobResult | undefined, loop: AttemptLoop | undefined): void {
    this.#inFlight -= 1;
    const waitsAgain = !result || this.callOuts.performed(run, result);
    const ended = waitsAgain ? run.withdrawn && run.failure(run.withdrawn) : result;
    if (ended) this.#settle(run, ended);
    else this.callOuts.requeue(run);
    if (loop === this.#loop) this.#scheduler.finish(run.job.lane);
    if (this.#inFlight > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #settle(run: JobRun, result: JobResult): void {
    if (run.turn) run.turn.settle(outcomeOf(result), result);
    else {
      if (run.heldKey) this.callOuts.backlog?.keys.settle(run.heldKey, outcomeOf(result));
      this.#state.end(run.job, run.hooks, result);
    }
  }
}
