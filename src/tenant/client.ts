import { performance } from "node:perf_hooks";
import { setImmediate as immediate } from "node:timers/promises";
import { type Backlog, LocalBacklog, memory, type Outcome, type Records } from "../backlog";
import { AttemptLoop, type AttemptOptions } from "./attempt-loop";
import { DeadlineError } from "./classify";
import { dropped, notSent, TenantError } from "./errors";
import type { Guarded } from "./guard/guard";
import { type Job, type JobResult, outcomeOf, type Unfinished } from "./job";
import { JobRun, type ProgressHooks } from "./job-run";
import { keyOf, tooLarge } from "./queue/admission";
import { CallOuts, type Engine } from "./queue/call-outs";
import { CircuitBreaker } from "./queue/circuit-breaker";
import { type Lanes, lanesOf } from "./queue/lanes";
import { callOutShare, type LaneLimits, MAX_WAITING_BYTES, Scheduler } from "./queue/scheduler";
import type { Orphan } from "./queue/stored-call-out";
import { RequestStyle, type StyleSetting } from "./request-style";
import type { Address } from "./transport/address";

export interface ClientOptions extends LaneLimits, AttemptOptions {
  /** The tenant's address. A sandbox has one once it listens. */
  readonly address: Address | Promise<Address>;
  readonly partyFields: StyleSetting;
  /** What was found out before; ignored if `partyFields` fixes the style. */
  readonly style?: RequestStyle;
  /** If the tenant refuses or cannot be reached: `fail` fails each job, `wait` holds the call-outs. Default: `fail`. */
  readonly onTrouble?: "fail" | "wait";
}

/** Receives what becomes of call-outs that another process accepted. Must not throw. */
export interface Heir {
  /** Whether the node is still there: what it has not begun must not begin otherwise. */
  wants(nodeId: string): boolean;
  orphaned(orphan: Orphan, result: JobResult): void;
  /** The outcome is known, but it may have been told already. */
  untold(orphan: Orphan, outcome: Outcome): void;
  /** A record that an earlier process left is this one's now. */
  adopted?(name: string, value: unknown): void;
  /** Something was told about a record of this process. */
  noted?(name: string, note: unknown): void;
}

/**
 * Sends requests to one tenant: admits a job, queues it, and performs it when its lane allows. A redeploy serves the same
 * client with other options. Knows nothing of Node-RED. Every accepted job ends exactly once.
 */
export class TenantClient {
  #options: ClientOptions;
  readonly #lanes: Scheduler<JobRun>;
  readonly #callOuts: CallOuts;
  #breaker: CircuitBreaker | undefined;
  readonly #idle: (() => void)[] = [];
  readonly #followers = new Set<() => void>();
  /** There once the address is known; the lanes are shut until then. */
  #loop: AttemptLoop | undefined;
  /** With those of earlier options that still have requests in flight. */
  readonly #loops = new Set<AttemptLoop>();
  /** Call-outs that the guard is checking, by the ids that their jobs gave. */
  readonly #guarded = new Map<string, JobRun>();
  /** Jobs that were started, with any options, and have not ended. */
  #inFlight = 0;
  #unusable: TenantError | undefined;
  #style: RequestStyle;
  #opened: Promise<TenantError | undefined>;
  /** Receives what an earlier process left. */
  heir: Heir | undefined;
  /** Called with each job that has ended here, whoever sent it. Must not throw. */
  onEnd: ((job: Job, result: JobResult) => void) | undefined;
  /** As things stand whenever it is read. */
  readonly lanes: Lanes;

  /** @param backlog where call-outs wait; if it rejects, every job is refused */
  constructor(options: ClientOptions, backlog: Backlog | Promise<Backlog> = new LocalBacklog(memory)) {
    this.#lanes = new Scheduler({
      start: (run) => this.#start(run),
      bytesOf: (run) => run.bytes,
      others: () => this.#callOuts.counts,
      freed: () => this.#callOuts.look(),
    });
    const lanes = this.#lanes;
    this.#callOuts = new CallOuts(backlog, {
      style: () => this.#style,
      places: () => (this.#unusable ? 0 : lanes.callOutPlaces),
      isOpen: () => this.#options.callingHours?.isOpen ?? true,
      adopted: (name, value) => this.heir?.adopted?.(name, value),
      noted: (name, note) => this.heir?.noted?.(name, note),
      others: () => lanes.waiting,
      perform: (run) => {
        lanes.beginCallOut();
        this.#start(run);
      },
      givenUp: () => this.#unusable ?? dropped(),
      full: () => this.#full(),
      changed: () => this.#tell(),
      orphaned: (orphan, result) => {
        this.onEnd?.(orphan.job, result);
        this.heir?.orphaned(orphan, result);
      },
      wants: (nodeId) => this.heir?.wants(nodeId) ?? false,
      untold: (orphan, outcome) => this.heir?.untold(orphan, outcome),
      trouble: () => this.#tell(),
    });
    this.lanes = lanesOf(
      () => this.#lanes.waiting.waiting,
      this.#callOuts,
      () => this.#options.callingHours,
      () => this.#inFlight,
    );
    this.#options = options;
    this.#style = styleOf(options);
    this.#opened = this.#serve(options);
  }

  /** Sends with these options from now on; what is in flight ends as it began. */
  serve(options: ClientOptions): void {
    this.#options = options;
    this.#style = styleOf(options);
    this.#unusable = undefined;
    this.#opened = this.#serve(options);
  }

  async #serve(options: ClientOptions): Promise<TenantError | undefined> {
    const { concurrency, rate, backlog, address, onTrouble } = options;
    this.#lanes.renew({ concurrency, backlog });
    if (onTrouble === "wait") this.#breaker ??= this.#newBreaker();
    else this.#endHold();
    this.#retire();
    this.#callOuts.serve({ rate, entries: backlog, bytes: MAX_WAITING_BYTES, places: callOutShare(concurrency) });
    try {
      // A known address takes effect synchronously.
      const known = address instanceof Promise ? await address : address;
      // Served again meanwhile, or given up.
      if (this.#options !== options || this.#unusable) return this.#unusable;
      this.#loop = new AttemptLoop(options, known, this.#style);
      this.#loops.add(this.#loop);
      this.#lanes.open();
      const problem = await this.#callOuts.opened;
      if (problem && this.#options === options) void this.refuse(problem);
      return problem;
    } catch (error) {
      const problem = error instanceof TenantError ? error : notSent("ERR_CONFIG", "config");
      if (this.#options === options) void this.refuse(problem);
      return problem;
    }
  }

  /** How its requests are written. */
  get style(): RequestStyle {
    return this.#style;
  }

  /** Resolves to the reason why nothing can be sent, or to `undefined` once it can. */
  get opened(): Promise<TenantError | undefined> {
    return this.#opened;
  }

  /** Whether every job is refused, now and later. */
  get unusable(): boolean {
    return this.#unusable !== undefined;
  }

  /** What kind of backlog it has. */
  get engine(): Engine {
    return this.#callOuts.engine;
  }

  /**
   * Calls back when call-outs are paused, held or resumed, waiting jobs are dropped, or their backlog fails, whoever does it.
   * The listener must not throw. Returns a function that ends this.
   */
  follow(listener: () => void): () => void {
    this.#followers.add(listener);
    return () => this.#followers.delete(listener);
  }

  #tell(): void {
    for (const listener of this.#followers) listener();
  }

  #newBreaker(): CircuitBreaker {
    const lane = {
      hold: (until: number) => this.#callOuts.hold(until),
      release: () => this.#callOuts.hold(undefined),
    };
    return new CircuitBreaker(lane, (job) => this.#probe(job));
  }

  #endHold(): void {
    this.#breaker?.end();
    this.#breaker?.stop();
    this.#breaker = undefined;
  }

  /** Call when calling hours begin or end, or when something else of them changes. */
  hoursChanged(): void {
    this.#callOuts.look();
    this.#tell();
  }

  /** Work that goes on over many call-outs, kept as they are. */
  get records(): Records {
    return this.#callOuts.records;
  }

  /**
   * Ends a call-out that has not left, by the id that its job gave. Its result tells what became of it. Resolves to whether
   * there is one whose result is still to come, or has just been told.
   */
  withdraw(entryId: string): Promise<boolean> {
    const run = this.#guarded.get(entryId);
    if (!run) return this.#callOuts.withdraw(entryId);
    run.withdrawn = true;
    return Promise.resolve(true);
  }

  /** Why a call-out would not be accepted now, if so: its number is blocked, or was called too often. */
  async tryGuard(job: Guarded): Promise<TenantError | undefined> {
    const { guard } = this.#options;
    const blocked = await guard?.check(job);
    if (blocked) return blocked;
    const refusals = await Promise.all((guard?.rateLimitKeys(job) ?? []).map((key) => this.#callOuts.tryKey(key)));
    return refusals.find((refusal) => refusal !== undefined);
  }

  /** Holds the waiting call-outs, and those still to come, until `resume`. */
  pause(): void {
    this.#callOuts.pause();
  }

  /** Ends a pause, and a hold of the circuit breaker. */
  resume(): void {
    this.#breaker?.end();
    this.#callOuts.resume();
  }

  /** Sends a job's request. Never rejects: a failure is a result. */
  send(job: Job, hooks: ProgressHooks = {}): Promise<JobResult> {
    return new Promise((resolve) => {
      const end = (result: JobResult) => {
        this.onEnd?.(job, result);
        resolve(result);
      };
      this.#accept(new JobRun(job, hooks, end, this.#style.current));
    });
  }

  #accept(run: JobRun): void {
    const blocked = this.#options.guard?.check(run.job);
    if (!(blocked instanceof Promise)) {
      this.#admit(run, blocked);
      return;
    }
    const { entryId } = run.job;
    if (entryId !== undefined) this.#guarded.set(entryId, run);
    void blocked.then((problem) => {
      if (entryId !== undefined) this.#guarded.delete(entryId);
      this.#admit(run, problem);
    });
  }

  /** @param blocked why the guard does not let it pass */
  #admit(run: JobRun, blocked: TenantError | undefined): void {
    const refusal = this.#unusable ?? (run.withdrawn ? dropped() : blocked) ?? tooLarge(run);
    const { onlyLog, guard } = this.#options;
    // What is not sent cannot be sent twice.
    const key = onlyLog ? undefined : keyOf(run.job);
    if (refusal) run.onEnd(run.failure(refusal));
    else if (run.job.lane === "callOut")
      this.#callOuts.accept(run, [...(key ? [key] : []), ...(guard?.rateLimitKeys(run.job) ?? [])]);
    else if (key) void this.#acceptWithKey(run);
    else this.#queue(run);
  }

  async #acceptWithKey(run: JobRun): Promise<void> {
    const refusal = await this.#callOuts.takeKey(run).catch(() => this.#unusable ?? dropped());
    if (refusal) run.onEnd(run.failure(refusal));
    else this.#queue(run);
  }

  #queue(run: JobRun): void {
    const { lane } = run.job;
    if (lane === "callOut") return;
    if (this.#unusable) this.#settle(run, run.failure(this.#unusable));
    else if (!this.#lanes.add(lane, run)) this.#settle(run, run.failure(this.#full()));
    else if (run.startedAt === undefined) run.hooks.onQueued?.();
  }

  /** Why no further job may wait. */
  #full(): TenantError {
    const { backlog } = this.#options;
    const { callOut, other } = this.lanes.waiting;
    const isLarge = callOut + other < backlog;
    return notSent("ERR_BACKLOG_FULL", "queue", {
      retryable: true,
      params: { backlog },
      ...(isLarge && { key: "backlogTooLarge" }),
    });
  }

  /** Starts a job that has left the queue. */
  #start(run: JobRun): void {
    run.startedAt = performance.now();
    run.hooks.onStart?.();
    this.#inFlight += 1;
    const loop = this.#loop;
    const reason = run.reasonNotToSend();
    if (reason) this.#finish(run, run.failure(reason), loop);
    else void this.#perform(run).then((result) => this.#finish(run, result, loop));
  }

  #perform(run: JobRun): Promise<JobResult | undefined> {
    // A turn may have been promised just before the target was given up.
    return this.#loop?.perform(run) ?? Promise.resolve(run.failure(this.#unusable ?? dropped()));
  }

  /** Sends a job past the lanes. */
  async #probe(job: Job): Promise<JobResult> {
    const run = new JobRun(job, {}, () => {}, this.#style.current);
    const problem = await this.#opened;
    return problem ? run.failure(problem) : ((await this.#perform(run)) ?? run.failure(dropped()));
  }

  /** Settles a job that was started, or lets it wait again, and frees its place, unless other options have given all places anew since. */
  #finish(run: JobRun, result: JobResult | undefined, loop: AttemptLoop | undefined): void {
    this.#inFlight -= 1;
    if (result) this.#settle(run, result);
    else this.#callOuts.putBack(run);
    if (loop === this.#loop) this.#lanes.finish(run.job.lane);
    if (this.#inFlight > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #settle(run: JobRun, result: JobResult): void {
    this.#breaker?.observe(result);
    if (run.turn) {
      this.#callOuts.settle(run, result);
      return;
    }
    this.#callOuts.settleKey(run, outcomeOf(result));
    run.onEnd(result);
  }

  /**
   * Fails the waiting jobs, of a node that is gone or of all; those in flight go on. Resolves to how many were dropped.
   * @throws TenantError ERR_ENGINE if the backlog fails
   */
  async drop(nodeId?: string): Promise<number> {
    const others = this.#lanes.take(({ job }) => nodeId === undefined || job.nodeId === nodeId);
    for (const run of others) this.#settle(run, run.failure(dropped()));
    const callOuts = await (nodeId === undefined ? this.#callOuts.drop() : this.#callOuts.dropOf(nodeId));
    this.#tell();
    return others.length + callOuts;
  }

  /**
   * Fails all waiting jobs, and those still to come, because the target is given up. Jobs in flight go on. Resolves when none
   * waits.
   */
  async refuse(error: TenantError): Promise<void> {
    this.#unusable = error;
    this.#endOthers(error);
    const ended = this.#callOuts.giveUp();
    this.#endHold();
    this.#retire();
    await ended;
  }

  #retire(): void {
    this.#loop?.retire();
    this.#loop = undefined;
    for (const loop of this.#loops) if (loop.inFlight.length === 0) this.#loops.delete(loop);
  }

  #endOthers(error: TenantError): readonly JobRun[] {
    const waiting = this.#lanes.drain();
    for (const run of waiting) this.#settle(run, run.failure(error));
    return waiting;
  }

  /** Resolves when no job is in flight. */
  idle(): Promise<void> {
    return this.#inFlight === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Starts nothing more, because the process stops. Returns all jobs that had not ended. */
  halt(): readonly Unfinished[] {
    const isDurable = this.#callOuts.isDurable;
    const unfinished = (run: JobRun, isInFlight: boolean): Unfinished => {
      const { job, summary, outcomeIfCutOff: outcome } = run;
      return { job, summary, isInFlight, outcome, isKept: isDurable && job.lane === "callOut" };
    };
    this.#unusable ??= dropped();
    const callOuts = this.#callOuts.rest();
    const others = this.#endOthers(dropped());
    this.#breaker?.stop();
    return [
      ...this.#underWay().map((run) => unfinished(run, true)),
      ...[...others, ...callOuts].map((run) => unfinished(run, false)),
    ];
  }

  #underWay(): JobRun[] {
    return [...this.#loops].flatMap(({ inFlight }) => inFlight);
  }

  /**
   * Ends for good, because the process stops: jobs in flight may end, waiting ones fail, but for call-outs in a backlog that
   * goes on with the next process.
   * @param withinMs jobs in flight for longer are abandoned
   */
  async stop(withinMs: number): Promise<void> {
    this.halt();
    if (this.engine === "memory") void this.#callOuts.giveUp();
    const abandonTimer = setTimeout(() => {
      for (const run of this.#underWay()) run.abandon(new DeadlineError("stopped"));
    }, withinMs);
    await this.idle();
    clearTimeout(abandonTimer);
    this.#retire();
    await this.#callOuts.close();
    // The process may end when this resolves: let the results reach their callers first.
    await immediate();
  }
}

function styleOf({ partyFields, style }: ClientOptions): RequestStyle {
  return partyFields === "auto" && style ? style : new RequestStyle(partyFields);
}
