import { setImmediate as immediate } from "node:timers/promises";
import { Backlog, type Cancelled, hashOf, type Key, MemoryStore, type Records, type Which } from "../backlog";
import type { AttemptOptions } from "./attempt-loop";
import { DeadlineError } from "./classify";
import { cancelled, dropped, notSent, TenantError } from "./errors";
import type { Guarded } from "./guard/guard";
import type { Job, JobResult, Unfinished } from "./job";
import { JobRun, type ProgressHooks } from "./job-run";
import { keyOf, nameOf, tooLarge } from "./queue/admission";
import type { Engine } from "./queue/call-outs";
import { CircuitBreaker } from "./queue/circuit-breaker";
import type { ClientState, RestoreHandler } from "./queue/client-state";
import { Dispatcher } from "./queue/dispatcher";
import { type Lanes, lanesOf } from "./queue/lanes";
import { callOutShare, type LaneLimits, MAX_WAITING_BYTES } from "./queue/scheduler";
import type { WaitingCall } from "./queue/waiting-call";
import { RequestStyle, type StyleSetting } from "./request-style";
import type { Address } from "./transport/address";

export interface ClientOptions extends LaneLimits, AttemptOptions {
  /** The tenant's address. A sandbox has one once it listens. */
  readonly address: Address | Promise<Address>;
  /** Starts of call-outs per second, evenly spaced; 0 = no limit. */
  readonly rate: number;
  readonly partyFields: StyleSetting;
  /** What was found out before; ignored if `partyFields` fixes the style. */
  readonly style?: RequestStyle;
  /** If the tenant refuses or cannot be reached: `fail` fails each job, `wait` holds the call-outs. Default: `fail`. */
  readonly onTrouble?: "fail" | "wait";
}

/**
 * Sends requests to one tenant: admits a job, and has it dispatched when its lane allows. A redeploy serves the same client with
 * other options. Knows nothing of Node-RED. Every accepted job ends exactly once.
 */
export class TenantClient implements ClientState {
  readonly #dispatcher: Dispatcher;
  readonly #followers = new Set<() => void>();
  /** Jobs that the guard is checking. */
  readonly #checked = new Set<JobRun>();
  #options: ClientOptions;
  #style: RequestStyle;
  #breaker: CircuitBreaker | undefined;
  #refusal: TenantError | undefined;
  #opened: Promise<TenantError | undefined>;
  restoreHandler: RestoreHandler | undefined;
  onResult: ((job: Job, result: JobResult) => void) | undefined;
  /** Called with each job that waits for its date. Must not throw. */
  onDated: ((job: Job) => void) | undefined;

  /** @param backlog where call-outs wait; if it rejects, every job is refused */
  constructor(options: ClientOptions, backlog: Backlog | Promise<Backlog> = new Backlog(new MemoryStore())) {
    this.#options = options;
    this.#style = styleOf(options);
    this.#dispatcher = new Dispatcher(backlog, this);
    this.#opened = this.#serve(options);
  }

  /** Sends with these options from now on; what is in flight ends as it began. */
  serve(options: ClientOptions): void {
    this.#options = options;
    this.#style = styleOf(options);
    this.#refusal = undefined;
    this.#opened = this.#serve(options);
  }

  async #serve(options: ClientOptions): Promise<TenantError | undefined> {
    const { concurrency, rate, backlog, address, onTrouble } = options;
    const dispatcher = this.#dispatcher;
    dispatcher.renew({ concurrency, backlog });
    if (onTrouble === "wait") this.#breaker ??= this.#newBreaker();
    else this.#endHold();
    dispatcher.callOuts.serve({ rate, entries: backlog, bytes: MAX_WAITING_BYTES, places: callOutShare(concurrency) });
    try {
      // A known address takes effect synchronously.
      const known = address instanceof Promise ? await address : address;
      // Served again meanwhile, or given up.
      if (this.#options !== options || this.#refusal) return this.#refusal;
      dispatcher.open(options, known);
      const problem = await dispatcher.callOuts.opened;
      if (problem && this.#options === options) this.refuse(problem);
      return problem;
    } catch (error) {
      const problem = error instanceof TenantError ? error : notSent("ERR_CONFIG", "config");
      if (this.#options === options) this.refuse(problem);
      return problem;
    }
  }

  get options(): ClientOptions {
    return this.#options;
  }

  /** How its requests are written. */
  get style(): RequestStyle {
    return this.#style;
  }

  get breaker(): CircuitBreaker | undefined {
    return this.#breaker;
  }

  /** Why every job is refused, now and later, if so. */
  get refusal(): TenantError | undefined {
    return this.#refusal;
  }

  /** Its requests, and what holds the call-outs, now. */
  get lanes(): Lanes {
    return lanesOf(this.#dispatcher, this);
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
    this.#dispatcher.callOuts.reopen(backlog);
    this.serve(this.#options);
    this.notify();
  }

  /** What kind of backlog it has. */
  get engine(): Engine {
    return this.#dispatcher.callOuts.engine;
  }

  /** Whether waiting call-outs outlive the process; `undefined` unless their backlog is open. */
  get isDurable(): boolean | undefined {
    return this.#dispatcher.callOuts.backlog?.isDurable;
  }

  /** Whether several processes use the backlog at the same time; `undefined` unless it is open. */
  get isShared(): boolean | undefined {
    return this.#dispatcher.callOuts.backlog?.isShared;
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

  #newBreaker(): CircuitBreaker {
    const hold = (until: number | undefined) => this.#dispatcher.callOuts.whenOpen((backlog) => backlog.hold(until));
    return new CircuitBreaker({ hold, release: () => hold(undefined) }, (job) => this.#probe(job));
  }

  #endHold(): void {
    this.#breaker?.end();
    this.#breaker?.stop();
    this.#breaker = undefined;
  }

  /** Call when calling hours begin or end, or when something else of them changes. */
  hoursChanged(): void {
    this.#dispatcher.callOuts.backlog?.dispatch();
    this.notify();
  }

  /** Work that goes on over many call-outs, kept as they are. Rejects with ERR_ENGINE if the backlog fails. */
  readonly records: Pick<Records, "create" | "update" | "remove" | "note"> = {
    create: (name, value) => this.#dispatcher.callOuts.ask(({ records }) => records.create(name, value)),
    update: (name, value) => this.#dispatcher.callOuts.ask(({ records }) => records.update(name, value)),
    remove: (name) => this.#dispatcher.callOuts.ask(({ records }) => records.remove(name)),
    note: (name, note) => this.#dispatcher.callOuts.ask(({ records }) => records.note(name, note)),
  };

  /**
   * Ends a call-out that has not left, by the id that its job gave. Its outcome comes with its result. Resolves to whether
   * there is one whose result is still to come, or was just reported.
   */
  withdraw(entryId: string): Promise<boolean> {
    const run = [...this.#checked].find(({ job }) => job.entryId === entryId);
    if (!run) return this.#dispatcher.callOuts.withdraw(entryId);
    run.withdrawn = dropped();
    return Promise.resolve(true);
  }

  /**
   * Ends the call-outs that wait with a deduplication key, of all nodes and scopes. Resolves to how many, and how many were in
   * flight already.
   * @throws TenantError ERR_ENGINE if the backlog fails
   */
  async cancel(key: string): Promise<Cancelled> {
    const name = hashOf(key);
    const checked = [...this.#checked].filter(({ job }) => job.lane === "callOut" && nameOf(job) === name);
    for (const run of checked) run.withdrawn = cancelled("cancel");
    const ended = await this.#dispatcher.callOuts.cancel(name);
    this.notify();
    return { ...ended, cancelled: ended.cancelled + checked.length };
  }

  /**
   * The call-outs that wait, in the order in which they will leave.
   * @throws TenantError ERR_ENGINE if the backlog fails
   */
  list({ limit, offset }: { readonly limit: number; readonly offset: number }): Promise<readonly WaitingCall[]> {
    return this.#dispatcher.callOuts.list(offset, limit);
  }

  /** Why a call-out would not be accepted now, if so: its number is blocked, or was called too often. */
  async tryGuard(job: Guarded): Promise<TenantError | undefined> {
    const { guard } = this.#options;
    const blocked = await guard?.check(job);
    if (blocked) return blocked;
    const { callOuts } = this.#dispatcher;
    const refusals = await Promise.all((guard?.rateLimitKeys(job) ?? []).map((key) => callOuts.tryKey(key)));
    return refusals.find((refusal) => refusal !== undefined);
  }

  /** Holds the waiting call-outs, and those still to come, until `resume`. */
  pause(): void {
    this.#dispatcher.callOuts.whenOpen((backlog) => backlog.pause());
  }

  /** Ends a pause, and a hold of the circuit breaker, and lets go what is held back. */
  resume(): void {
    this.#breaker?.end();
    this.#dispatcher.callOuts.whenOpen((backlog) => backlog.resume());
  }

  /** Sends a job's request. Never rejects: a failure is a result. */
  send(job: Job, hooks: Omit<ProgressHooks, "onEnd"> = {}): Promise<JobResult> {
    return new Promise((resolve) => this.start(job, { ...hooks, onEnd: resolve }));
  }

  /** Sends a job's request. Its end may be reported before this returns. */
  start(job: Job, hooks: ProgressHooks): void {
    this.#accept(new JobRun(job, hooks, this.#ended, this.#style.current));
  }

  readonly #ended = ({ job, hooks }: JobRun, result: JobResult): void => {
    this.onResult?.(job, result);
    hooks.onEnd?.(result);
  };

  #accept(run: JobRun): void {
    const blocked = this.#options.guard?.check(run.job);
    if (!(blocked instanceof Promise)) {
      this.#admit(run, blocked);
      return;
    }
    this.#checked.add(run);
    void blocked.then((problem) => {
      this.#checked.delete(run);
      this.#admit(run, problem);
    });
  }

  /** @param blocked why the guard does not let it pass */
  #admit(run: JobRun, blocked: TenantError | undefined): void {
    const { onlyLog, guard, callingHours } = this.#options;
    const { lane, anytime } = run.job;
    const hourless = lane === "callOut" && !anytime ? callingHours?.refusal : undefined;
    const refusal = this.#refusal ?? run.withdrawn ?? blocked ?? hourless ?? tooLarge(run);
    // What is not sent cannot be sent twice.
    const key = onlyLog ? undefined : keyOf(run.job);
    if (refusal) run.settle(run.failure(refusal));
    else if (run.job.lane === "callOut")
      this.#dispatcher.callOuts.accept(run, key, guard?.rateLimitKeys(run.job) ?? []);
    else if (key) void this.#addWithKey(run, key);
    else this.#dispatcher.add(run);
  }

  async #addWithKey(run: JobRun, key: Key): Promise<void> {
    const refusal = await this.#dispatcher.callOuts.takeKey(key).catch(() => this.#refusal ?? dropped());
    if (!refusal) run.heldKey = key;
    if (refusal) run.settle(run.failure(refusal));
    else this.#dispatcher.add(run);
  }

  /** Sends a job past the lanes. */
  async #probe(job: Job): Promise<JobResult> {
    const run = new JobRun(job, {}, () => {}, this.#style.current);
    const problem = await this.#opened;
    return problem ? run.failure(problem) : ((await this.#dispatcher.perform(run)) ?? run.failure(dropped()));
  }

  /**
   * Fails the waiting jobs, of a node that is gone or of all, or only those that are held back; those in flight go on. Resolves
   * to how many were dropped.
   * @throws TenantError ERR_ENGINE if the backlog fails
   */
  async drop(which: Which = {}): Promise<number> {
    const { nodeId, only } = which;
    const isMeant = ({ job }: JobRun) => !only && (nodeId === undefined || job.nodeId === nodeId);
    const checked = [...this.#checked].filter(isMeant);
    for (const run of checked) run.withdrawn = dropped();
    const others = this.#dispatcher.end(isMeant, (run) => run.failure(dropped()));
    const callOuts = await this.#dispatcher.callOuts.drop(which);
    this.notify();
    return checked.length + others.length + callOuts;
  }

  /** Fails all waiting jobs, and those still to come, because the target is given up. Jobs in flight go on. */
  refuse(error: TenantError): void {
    this.#refusal = error;
    this.#endOthers(error);
    this.#dispatcher.callOuts.failAll();
    this.#endHold();
    this.#dispatcher.retire();
  }

  #endOthers(error: TenantError): readonly JobRun[] {
    return this.#dispatcher.end(
      () => true,
      (run) => run.failure(error),
    );
  }

  /** Starts nothing more, because the process stops. Returns all jobs that had not ended. */
  halt(): readonly Unfinished[] {
    const { callOuts, underWay } = this.#dispatcher;
    const unfinished = (run: JobRun, isInFlight: boolean): Unfinished => {
      const { job, summary, outcomeIfCutOff: outcome } = run;
      return {
        job,
        summary,
        isInFlight,
        outcome,
        isKept: callOuts.backlog?.isDurable === true && job.lane === "callOut",
      };
    };
    this.#refusal ??= dropped();
    const waiting = callOuts.stopDispatching();
    const others = this.#endOthers(dropped());
    this.#breaker?.stop();
    return [
      ...underWay.map((run) => unfinished(run, true)),
      ...[...others, ...waiting].map((run) => unfinished(run, false)),
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
    if (this.isDurable === false) callOuts.failAll();
    const abandonTimer = setTimeout(() => {
      for (const run of this.#dispatcher.underWay) run.abandon(new DeadlineError("stopped"));
    }, withinMs);
    await this.#dispatcher.idle();
    clearTimeout(abandonTimer);
    this.#dispatcher.retire();
    await callOuts.close();
    // The process may end when this resolves: let the results reach their callers first.
    await immediate();
  }
}

function styleOf({ partyFields, style }: ClientOptions): RequestStyle {
  return partyFields === "auto" && style ? style : new RequestStyle(partyFields);
}
