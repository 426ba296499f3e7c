import { performance } from "node:perf_hooks";
import { setImmediate as immediate } from "node:timers/promises";
import { AttemptLoop, type AttemptOptions } from "./attempt-loop";
import { DeadlineError } from "./classify";
import { notSent, TenantError } from "./errors";
import { type Job, type JobResult, outcomeOf, type Unfinished } from "./job";
import { JobRun, type ProgressHooks } from "./job-run";
import { admit } from "./queue/admission";
import { CircuitBreaker } from "./queue/circuit-breaker";
import { DeduplicationKeys } from "./queue/deduplication";
import { type CallOutHold, type LaneLimits, Scheduler } from "./queue/scheduler";
import { RequestStyle, type StyleSetting } from "./request-style";
import type { Address } from "./transport/address";

export interface ClientOptions extends LaneLimits, AttemptOptions {
  /** The tenant's address. A sandbox has one once it listens. */
  readonly address: Address | Promise<Address>;
  readonly partyFields: StyleSetting;
  /** If the tenant refuses or cannot be reached: `fail` fails each job, `wait` holds the call-outs. Default: `fail`. */
  readonly onTrouble?: "fail" | "wait";
}

/**
 * Sends requests to one tenant: admits a job, queues it, and performs it when its lane allows. Knows nothing of Node-RED.
 * Every accepted job ends exactly once.
 */
export class TenantClient {
  readonly #options: ClientOptions;
  readonly #lanes: Scheduler<JobRun>;
  readonly #breaker: CircuitBreaker | undefined;
  readonly #idle: (() => void)[] = [];
  readonly #followers = new Set<() => void>();
  /** There once the address is known; the lanes are shut until then. */
  #loop: AttemptLoop | undefined;
  #unusable: TenantError | undefined;
  #successor: TenantClient | undefined;
  #retired = false;
  /** Outlives the client if its successor sends to the same target. */
  readonly deduplicationKeys: DeduplicationKeys;
  /** As the deduplication keys: what was found out holds for the target. */
  readonly style: RequestStyle;
  /** Resolves to the reason why there is no address, or to `undefined` once there is one. */
  readonly opened: Promise<TenantError | undefined>;

  /** @param style what an earlier client has found out; ignored if the options fix the style */
  constructor(options: ClientOptions, deduplicationKeys = new DeduplicationKeys(), style?: RequestStyle) {
    this.#options = options;
    this.deduplicationKeys = deduplicationKeys;
    this.style = options.partyFields === "auto" && style ? style : new RequestStyle(options.partyFields);
    this.#lanes = new Scheduler(
      options,
      (run) => this.#start(run),
      (run) => run.bytes,
    );
    if (options.onTrouble === "wait") {
      const hold = (untilMs: number) => this.#change(() => this.#lanes.hold(untilMs));
      const release = () => this.#change(() => this.#lanes.release());
      this.#breaker = new CircuitBreaker({ hold, release }, (job) => this.#probe(job));
    }
    this.opened = this.#open(options.address);
  }

  async #open(address: Address | Promise<Address>): Promise<TenantError | undefined> {
    this.#lanes.shut();
    try {
      // A known address takes effect synchronously.
      const known = address instanceof Promise ? await address : address;
      this.#loop = new AttemptLoop(this.#options, known, this.style, ({ lane }, earliest, latest) =>
        this.#lanes.reserve(lane, earliest, latest),
      );
      this.#lanes.open();
      return undefined;
    } catch (error) {
      const problem = error instanceof TenantError ? error : notSent("ERR_CONFIG", "config");
      this.refuse(problem);
      return problem;
    }
  }

  /** Whether every job is refused, now and later. */
  get unusable(): boolean {
    return this.#unusable !== undefined;
  }

  get lanes(): Pick<Scheduler<JobRun>, "waiting" | "inFlight"> & CallOutHold {
    return this.#lanes;
  }

  /**
   * Calls back when call-outs are paused, held or resumed, or waiting jobs are dropped, whoever does it. The listener must
   * not throw. Returns a function that ends this.
   */
  follow(listener: () => void): () => void {
    this.#followers.add(listener);
    return () => this.#followers.delete(listener);
  }

  #change(change: () => void): void {
    change();
    for (const listener of this.#followers) listener();
  }

  /** Holds the waiting call-outs, and those still to come, until `resume`. */
  pause(): void {
    this.#change(() => this.#lanes.pause());
  }

  /** Ends a pause, and a hold of the circuit breaker. */
  resume(): void {
    this.#breaker?.end();
    this.#change(() => this.#lanes.resume());
  }

  /** Sends a job's request. Never rejects: a failure is a result. */
  send(job: Job, hooks: ProgressHooks = {}): Promise<JobResult> {
    if (this.#successor) return this.#successor.send(job, hooks);
    return new Promise((resolve) => this.#accept(new JobRun(job, hooks, resolve, this.style.current)));
  }

  #accept(run: JobRun): void {
    const { onlyLog } = this.#options;
    const refusal = this.#unusable ?? admit(run, onlyLog ? undefined : this.deduplicationKeys);
    if (refusal) this.#settle(run, run.failure(refusal));
    else if (!this.#lanes.add(run.job.lane, run)) this.#settle(run, run.failure(this.#full()));
    else if (run.startedAt === undefined) run.hooks.onQueued?.();
  }

  /** Why no further job may wait. */
  #full(): TenantError {
    const { backlog } = this.#options;
    const { callOut, other } = this.#lanes.waiting;
    const isLarge = callOut + other < backlog;
    return notSent("ERR_BACKLOG_FULL", "queue", {
      retryable: true,
      params: { backlog },
      ...(isLarge && { key: "backlogTooLarge" }),
    });
  }

  /** Starts a job that has left the queue. Returns `false` if it ended with nothing to send. */
  #start(run: JobRun): boolean {
    run.startedAt = performance.now();
    run.hooks.onStart?.();
    const expired = run.expired();
    if (expired) this.#finish(run, run.failure(expired));
    else void this.#perform(run).then((result) => this.#finish(run, result));
    return !expired;
  }

  #perform(run: JobRun): Promise<JobResult> {
    return (this.#loop as AttemptLoop).perform(run);
  }

  /** Sends a job past the lanes. */
  async #probe(job: Job): Promise<JobResult> {
    const run = new JobRun(job, {}, () => {}, this.style.current);
    // A hold that was handed over may be older than this client's address.
    const problem = await this.opened;
    return problem ? run.failure(problem) : this.#perform(run);
  }

  /** Settles a job that was started, and frees its place. */
  #finish(run: JobRun, result: JobResult): void {
    this.#settle(run, result);
    this.#lanes.finish(run.job.lane);
    if (this.#lanes.inFlight > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
    if (this.#retired) this.#loop?.close();
  }

  #settle(run: JobRun, result: JobResult): void {
    const { deduplication } = run.job;
    if (deduplication && run.holdsKey) this.deduplicationKeys.settle(deduplication.key, outcomeOf(result));
    this.#breaker?.observe(result);
    run.onEnd(result);
  }

  /** Fails the waiting jobs, of one node or of all; those in flight go on. Returns how many were dropped. */
  drop(nodeId?: string): number {
    let count = 0;
    this.#change(() => {
      for (const run of this.#lanes.drain()) {
        if (nodeId !== undefined && run.job.nodeId !== nodeId) this.#lanes.readmit(run.job.lane, run);
        else {
          this.#settle(run, run.failure(dropped()));
          count += 1;
        }
      }
    });
    return count;
  }

  /** Moves all waiting jobs, and those still to come, to another client, with a pause and a hold. Jobs in flight end here. */
  handOver(successor: TenantClient): void {
    const waiting = this.#lanes.drain();
    if (this.#lanes.paused) successor.pause();
    this.#breaker?.handOver(successor.#breaker);
    this.#successor = successor;
    for (const run of waiting) successor.#takeOver(run);
    this.#closeWhenIdle();
  }

  #takeOver({ job, hooks, onEnd, acceptedAt, holdsKey }: JobRun): void {
    const run = new JobRun(job, hooks, onEnd, this.style.current, acceptedAt);
    run.holdsKey = holdsKey;
    this.#lanes.readmit(job.lane, run);
  }

  /** Fails all waiting jobs, and those still to come. Jobs in flight go on. */
  refuse(error: TenantError): void {
    this.#unusable = error;
    for (const run of this.#lanes.drain()) this.#settle(run, run.failure(error));
    this.#closeWhenIdle();
  }

  #closeWhenIdle(): void {
    this.#retired = true;
    this.#breaker?.stop();
    if (this.#lanes.inFlight === 0) this.#loop?.close();
  }

  /** Resolves when no job is in flight. */
  idle(): Promise<void> {
    return this.#lanes.inFlight === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }

  /**
   * Ends for good, because the process stops: waiting jobs fail, those in flight may end.
   * @param withinMs jobs in flight for longer are abandoned
   */
  async stop(withinMs: number): Promise<void> {
    this.refuse(dropped());
    const abandonTimer = setTimeout(() => {
      for (const run of this.#loop?.inFlight ?? []) run.abandon(new DeadlineError("stopped"));
    }, withinMs);
    await this.idle();
    clearTimeout(abandonTimer);
    // The process may end when this resolves: let the results reach their callers first.
    await immediate();
  }

  /** Starts nothing more, because the process stops: waiting jobs fail. Returns all jobs that had not ended. */
  halt(): readonly Unfinished[] {
    const unfinished = (run: JobRun, isInFlight: boolean): Unfinished => {
      const { job, summary, outcomeIfCutOff: outcome } = run;
      return { job, summary, isInFlight, outcome };
    };
    const inFlight = (this.#loop?.inFlight ?? []).map((run) => unfinished(run, true));
    const waiting = this.#lanes.drain();
    const all = [...inFlight, ...waiting.map((run) => unfinished(run, false))];
    this.refuse(dropped());
    for (const run of waiting) this.#settle(run, run.failure(dropped()));
    return all;
  }
}

function dropped(): TenantError {
  return notSent("ERR_DROPPED", "queue", { retryable: true });
}
