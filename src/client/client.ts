import { setImmediate as immediate } from "node:timers/promises";
import { Backlog, type Cancelled, hashOf, MemoryStore, type Which } from "../backlog";
import { DeadlineError } from "./classify";
import { cancelled, dropped, notSent, TenantError } from "./errors";
import type { Guarded } from "./guard/number-guard";
import type { Job, JobResult, Unfinished } from "./job";
import { JobRun, type ProgressHooks } from "./job-run";
import type { CallOuts } from "./queue/call-outs";
import type { ClientOptions, ClientState, RestoreHandler } from "./queue/client-state";
import { Dispatcher } from "./queue/dispatcher";
import { serviceFails } from "./queue/refusals";
import { nameOf } from "./queue/stored-call-out";

/** The requests of a tenant that wait, and those in flight. */
export type Lanes = TenantClient["lanes"];

/**
 * Sends requests to one tenant: admits a job, and has it dispatched when its lane allows. A redeploy serves the same client with
 * other options. Knows nothing of Node-RED. Every accepted job ends exactly once.
 */
export class TenantClient implements ClientState {
  readonly #dispatcher: Dispatcher;
  readonly #followers = new Set<() => void>();
  options!: ClientOptions;
  /** Why every job is refused, now and later, if so. */
  refusal: TenantError | undefined;
  #opened!: Promise<TenantError | undefined>;
  restoreHandler: RestoreHandler | undefined;
  /** Called with each job that has ended. Must not throw. */
  onResult: ((job: Job, result: JobResult) => void) | undefined;
  /** Called with each job that waits for its date. Must not throw. */
  onDated: ((job: Job) => void) | undefined;

  /** @param backlog where call-outs wait; if it rejects, every job is refused */
  constructor(options: ClientOptions, backlog: Backlog | Promise<Backlog> = new Backlog(new MemoryStore())) {
    this.#dispatcher = new Dispatcher(backlog, this);
    this.serve(options);
  }

  /** Sends with these options from now on; what is in flight ends as it began. */
  serve(options: ClientOptions): void {
    this.options = options;
    this.refusal = undefined;
    this.#dispatcher.renew();
    this.callOuts.serve();
    this.#opened = this.#open(options);
    this.callOuts.whenOpen((backlog) => backlog.service.observe({ kind: "changed" }));
  }

  async #open(options: ClientOptions): Promise<TenantError | undefined> {
    try {
      // A known address takes effect synchronously.
      const address = options.address instanceof Promise ? await options.address : options.address;
      // Served again meanwhile, or given up.
      if (this.options !== options || this.refusal) return this.refusal;
      this.#dispatcher.open(address);
      await this.callOuts.ask(() => {});
      return undefined;
    } catch (error) {
      const problem = error instanceof TenantError ? error : notSent("ERR_CONFIG", "config");
      if (this.options === options) this.refuse(problem);
      return problem;
    }
  }

  /** Why call-outs wait for the service, while they do. */
  get trouble(): TenantError | undefined {
    const { service } = this.callOuts.backlog ?? {};
    return service?.isFailing ? serviceFails(service) : undefined;
  }

  /** Its requests, and what holds the call-outs, now. */
  get lanes() {
    const { callOuts, waiting, started } = this.#dispatcher;
    const { counts, failure } = callOuts;
    return {
      ...counts,
      waiting: { callOut: counts.waiting, other: waiting.waiting },
      callingHours: this.options.callingHours,
      /** Why the backlog fails, while it does. */
      failure,
      undecided: callOuts.backlog?.undecided.size,
      inFlight: started.size,
    };
  }

  get waiting(): number {
    const { callOut, other } = this.lanes.waiting;
    return callOut + other;
  }

  /** Resolves to the reason why nothing can be sent, or to `undefined` once it can. */
  get opened(): Promise<TenantError | undefined> {
    return this.#opened;
  }

  /** Goes on with a backlog that could not be opened before. */
  reopen(backlog: Backlog): void {
    this.callOuts.open(backlog);
    this.serve(this.options);
    this.notify();
  }

  /** Its call-outs, and the backlog in which they wait. */
  get callOuts(): CallOuts {
    return this.#dispatcher.callOuts;
  }

  /**
   * Calls back when call-outs are paused, held or resumed, waiting jobs are dropped, or their backlog fails. The listener must not
   * throw. Returns a function that unsubscribes it.
   */
  follow(listener: () => void): () => void {
    this.#followers.add(listener);
    return () => this.#followers.delete(listener);
  }

  notify(): void {
    for (const listener of this.#followers) listener();
  }

  /** Call when calling hours begin or end, or when something else of them changes. */
  hoursChanged(): void {
    this.callOuts.backlog?.hoursChanged();
    this.notify();
  }

  /**
   * Ends a call-out that has not left, by the id that its job gave. Its outcome comes with its result. Resolves to whether
   * there is one whose result is still to come, or was just reported.
   */
  async withdraw(entryId: string): Promise<boolean> {
    const ended = this.#dispatcher.end(({ job }) => job.entryId === entryId, dropped());
    return ended.length > 0 || this.callOuts.withdraw(entryId);
  }

  /**
   * Ends the call-outs that wait with a deduplication key, of all nodes and scopes. Resolves to how many, and how many were in
   * flight already.
   * @throws TenantError ERR_ENGINE if the backlog fails
   */
  async cancel(key: string): Promise<Cancelled> {
    const name = hashOf(key);
    const isMeant = ({ job }: JobRun) => job.lane === "callOut" && nameOf(job) === name;
    const { length: admitting } = this.#dispatcher.end(isMeant, cancelled("cancel"));
    const ended = await this.callOuts.ask((backlog) => backlog.cancel(name));
    this.notify();
    return { ...ended, cancelled: ended.cancelled + admitting };
  }

  /** Why a call-out would not be accepted now, if so: its number is blocked, or was called too often. */
  async tryGuard(job: Guarded): Promise<TenantError | undefined> {
    const { guard } = this.options;
    const blocked = await guard?.check(job);
    if (blocked) return blocked;
    const { callOuts } = this.#dispatcher;
    const refusals = await Promise.all((guard?.rateLimitKeys(job) ?? []).map((key) => callOuts.tryKey(key)));
    return refusals.find((refusal) => refusal !== undefined);
  }

  /** Holds the waiting call-outs, and those still to come, until `resume`. */
  pause(): void {
    this.callOuts.whenOpen((backlog) => backlog.pause());
  }

  /** Ends a pause and a hold, and lets go what is held back. */
  resume(): void {
    this.callOuts.whenOpen((backlog) => backlog.resume());
  }

  /** Sends a job's request. Never rejects: a failure is a result. */
  send(job: Job, hooks: Omit<ProgressHooks, "onEnd"> = {}): Promise<JobResult> {
    return new Promise((resolve) => this.start(job, { ...hooks, onEnd: resolve }));
  }

  /** Sends a job's request, and reports its end to the hooks. */
  start(job: Job, hooks: ProgressHooks): void {
    this.#dispatcher.admit(new JobRun(job, hooks, this.options.style.current));
  }

  end(job: Job, hooks: ProgressHooks | undefined, result: JobResult, kept?: unknown): void {
    this.onResult?.(job, result);
    hooks?.onEnd?.(result, kept);
  }

  /**
   * Fails the waiting jobs: all but those of alarms, or only those that are held back. Those in flight go on. Resolves to how
   * many were dropped.
   * @throws TenantError ERR_ENGINE if the backlog fails
   */
  async drop(which: Which = {}): Promise<number> {
    const others = this.#dispatcher.end(({ job }) => !which.only && !job.alarm, dropped());
    const callOuts = await this.callOuts.drop(which);
    this.notify();
    return others.length + callOuts;
  }

  /** Fails what waits for nodes that were deleted. What is in flight goes on. */
  dropDeleted(): void {
    const isDeleted = ({ job: { nodeId, action: nodeType } }: JobRun) =>
      nodeId !== "" && this.restoreHandler?.isDeleted({ nodeId, nodeType }) === true;
    const { length: ended } = this.#dispatcher.end(isDeleted, dropped());
    if (ended > 0) this.notify();
    this.callOuts.whenOpen((backlog) => backlog.dropDeleted());
  }

  /** Fails all waiting jobs, and those still to come, because the target is given up. Jobs in flight go on. */
  refuse(error: TenantError): void {
    this.refusal = error;
    this.#dispatcher.end(() => true, error);
    this.callOuts.failAll();
    this.#dispatcher.retire();
  }

  /** Starts nothing more, because the process stops. Returns all jobs that had not ended. */
  halt(): readonly Unfinished[] {
    const { callOuts, started } = this.#dispatcher;
    const unfinished = ({ job, hooks, summary, outcomeIfCutOff: outcome }: JobRun, isInFlight: boolean): Unfinished => {
      const isKept = isInFlight && job.lane === "callOut" && callOuts.backlog?.isDurable === true;
      return { hooks, summary, isInFlight, outcome, isKept };
    };
    this.refusal ??= dropped();
    const waiting = callOuts.stopDispatching();
    const others = this.#dispatcher.end(() => true, dropped());
    return [
      ...started.items.map((run) => unfinished(run, true)),
      ...others.map((run) => unfinished(run, false)),
      ...waiting,
    ];
  }

  /**
   * Ends for good, because the process stops: jobs in flight may end, waiting ones fail, but for call-outs in a backlog that
   * goes on with the next process.
   * @param withinMs jobs in flight for longer are abandoned
   */
  async stop(withinMs: number): Promise<void> {
    this.halt();
    const { callOuts } = this.#dispatcher;
    if (callOuts.backlog?.isDurable === false) callOuts.failAll();
    const abandonTimer = setTimeout(() => {
      for (const run of this.#dispatcher.started.items) run.abandon(new DeadlineError("stopped"));
    }, withinMs);
    await this.#dispatcher.idle();
    clearTimeout(abandonTimer);
    this.#dispatcher.retire();
    await callOuts.close();
    // The process may end when this resolves: let the results reach their callers first.
    await immediate();
  }
}
