import { setImmediate as immediate } from "node:timers/promises";
import { Backlog, type Cancelled, Heap, hashOf, type Key, MemoryStore, type Which } from "../backlog";
import { Call } from "../backlog/call";
import { cancelled, dropped, notSent, TenantError } from "./errors";
import type { Job, JobResult, Owner, Unfinished } from "./job";
import { JobRun } from "./queue/job-run";
import type { CallOfJob } from "./queue/lane";
import { LineUp } from "./queue/line-up";
import type { ClientOptions, Follower, Owned, RestoreHandler } from "./queue/options";
import { refusalOf, tooLarge } from "./queue/refusals";
import { keyOf, nameOf } from "./queue/stored-call-out";

/** The requests of a tenant that wait, those in flight, and what holds the call-outs. */
export type Lanes = TenantClient["lanes"];

/**
 * Selects waiting requests: all but those of alarms, held-back ones, of a deduplication key, the rows of a list in this process, of
 * deleted nodes, or one call-out by its id.
 */
export type Ending =
  | Which
  | { readonly key: string }
  | { readonly list: string }
  | { readonly entryId: string }
  | { readonly deleted: true };

/** Of a backlog that is not open. */
const NO_COUNTS = new Backlog(new MemoryStore()).counts;

/**
 * Sends requests to one tenant: admits a job, and has it wait and sent in its lane. A redeploy serves the same client with other
 * options. Knows nothing of Node-RED. Every accepted job ends exactly once.
 */
export class TenantClient {
  readonly #lineUp: LineUp;
  readonly #followers = new Set<Follower>();
  #opened!: Promise<TenantError | undefined>;
  /** The calls that are being admitted: they wait for the guard, the backlog, their key, or the call whose place they take. */
  readonly #admitting = new Heap<Call>();
  /** Resolves when the guard has answered for all that have come; absent while it answers at once. */
  #checked: Promise<void> | undefined;

  /**
   * @param backlog where call-outs wait; if it rejects, every job is refused
   * @param restored makes what handles the calls that earlier processes have left
   */
  constructor(
    options: ClientOptions,
    backlog: Backlog | Promise<Backlog> = new Backlog(new MemoryStore()),
    restored?: (client: TenantClient) => RestoreHandler,
  ) {
    this.#lineUp = new LineUp(this.#followers, restored?.(this));
    this.serve(options, backlog);
  }

  get options(): ClientOptions {
    return this.#lineUp.options;
  }

  /**
   * Sends with these options from now on; what is in flight ends as it began.
   * @param backlog where call-outs wait from now on: the earlier one could not be opened
   */
  serve(options: ClientOptions, backlog?: Backlog | Promise<Backlog>): void {
    const lineUp = this.#lineUp;
    if (backlog) lineUp.keepIn(backlog);
    lineUp.serve(options);
    this.#opened = this.#open(options);
    lineUp.whenOpen(({ service }) => service.observe({ kind: "changed" }));
    if (backlog) lineUp.onChange();
  }

  /** Resolves to the reason why nothing can be sent, or to `undefined` once it can. */
  get opened(): Promise<TenantError | undefined> {
    return this.#opened;
  }

  async #open(options: ClientOptions): Promise<TenantError | undefined> {
    try {
      // A known address takes effect synchronously.
      const address = options.address instanceof Promise ? await options.address : options.address;
      const { refusal } = this.#lineUp;
      // Served again meanwhile, or given up.
      if (this.options !== options || refusal) return refusal;
      this.#lineUp.open(address);
      await this.ask(() => {});
      return undefined;
    } catch (error) {
      const problem = error instanceof TenantError ? error : notSent("ERR_CONFIG", "config");
      if (this.options === options) this.refuse(problem);
      return problem;
    }
  }

  get lanes() {
    const { backlog, failure, refusal, cannotOpen, options, inFlight } = this.#lineUp;
    const counts = backlog?.counts ?? NO_COUNTS;
    return {
      callingHours: options.callingHours,
      /** The reason why the backlog fails, while it does; and that for which every job is refused, if so. */
      failure,
      refusal,
      /** Of the backlog: `undefined` until it is open. */
      isDurable: backlog?.isDurable,
      isShared: backlog?.isShared,
      undecided: backlog?.left.undecided.size,
      cannotOpen,
      inFlight: inFlight.runs.size,
      // No spread: Node 20 gives each object that begins with this one a hidden class of its own.
      own: counts.own,
      notHeldBack: counts.notHeldBack,
      bytes: counts.bytes,
      restored: counts.restored,
      dated: counts.dated,
      heldBack: counts.heldBack,
      nextDate: counts.nextDate,
      paused: counts.paused,
      unknown: counts.unknown,
      heldUntil: counts.heldUntil,
      reason: counts.reason,
      reasonSince: counts.reasonSince,
      waiting: { callOut: counts.waiting, other: this.#lineUp.others().waiting },
    };
  }

  /** Returns a function that ends this. */
  follow(follower: Follower): () => void {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }

  /** Takes note that calling hours begin or end, or that something else of them changes. */
  hoursChanged(): void {
    this.#lineUp.backlog?.hoursChanged();
    this.#lineUp.onChange();
  }

  /** Uses the backlog: at once if it is open. Rejects with ERR_ENGINE if it fails. */
  ask<T>(question: (backlog: Backlog) => T | Promise<T>): Promise<T> {
    return this.#lineUp.ask(question);
  }

  /** Sends a job's request. Never rejects: a failure is a result. */
  send(job: Job): Promise<JobResult> {
    return new Promise((ended) => this.submit(job, { ended }));
  }

  /** Sends a job's request for its owner. Jobs are admitted in the order in which they come, and not before this returns. */
  submit(job: Job, owner: Owner): void {
    const call: CallOfJob = new Call(owner);
    const run = new JobRun(job, this.#lineUp.options.style.current);
    call.run = run;
    call.moveTo(this.#admitting);
    queueMicrotask(() => this.#check(call, run));
  }

  #check(call: CallOfJob, run: JobRun): void {
    const asked = this.#lineUp.options.guard?.check(run.job);
    if (!(asked instanceof Promise) && !this.#checked) {
      this.#admit(call, run, asked);
      return;
    }
    const checked = Promise.all([asked, this.#checked]).then(([blocked]) => {
      if (this.#checked === checked) this.#checked = undefined;
      this.#admit(call, run, blocked);
    });
    this.#checked = checked;
  }

  /** @param blocked why the guard refuses it, if it does */
  #admit(call: CallOfJob, run: JobRun, blocked: TenantError | undefined): void {
    const { job } = run;
    const { backlog, refusal: given, options } = this.#lineUp;
    const isCallOut = job.lane === "callOut";
    if (isCallOut && !backlog && !given) {
      // The client may be served again meanwhile.
      void this.#opened.then(() => this.#admit(call, run, blocked));
      return;
    }
    const { onlyLog, guard, callingHours } = options;
    const hourless = isCallOut && !job.anytime ? callingHours?.refusal : undefined;
    const refusal = given ?? run.withdrawn ?? blocked ?? hourless ?? tooLarge(job.request, run.bytes);
    // What is not sent cannot be sent twice.
    const key = onlyLog ? undefined : keyOf(job);
    if (!refusal && !isCallOut && key) {
      void this.#takeKey(call, run, key);
      return;
    }
    if (refusal) this.#lineUp.endUnstored(call, run, run.failure(refusal));
    else if (isCallOut) void this.#lineUp.accept(call, run, key, guard?.rateLimitKeys(job) ?? []);
    else this.#lineUp.add(call, run);
  }

  async #takeKey(call: CallOfJob, run: JobRun, key: Key): Promise<void> {
    const taken = this.ask((backlog) => backlog.keys.take(key)).then((answer) => refusalOf(answer, this.#lineUp));
    const refusal = await taken.catch(() => this.#lineUp.refusal ?? dropped());
    if (refusal) return this.#lineUp.endUnstored(call, run, run.failure(refusal));
    run.heldKey = key;
    this.#lineUp.add(call, run);
  }

  /** Holds the waiting call-outs, and those still to come; or ends that and a hold, and lets go what is held back. */
  hold(isPaused: boolean): void {
    this.#lineUp.whenOpen((backlog) => (isPaused ? backlog.pause() : backlog.resume()));
  }

  /**
   * Ends requests that wait. Resolves to how many, and how many had begun before, where that is known. The result of a call-out
   * that was meant by its id is still to come, or was just reported.
   * @throws TenantError ERR_ENGINE if the backlog fails
   */
  async end(which: Ending): Promise<Cancelled> {
    const others = this.#endOthers(this.#meantBy(which), "key" in which ? cancelled("cancel") : dropped());
    const stored = "entryId" in which && others.length > 0 ? 0 : await this.#endStored(which);
    const { cancelled: own, tooLate } = typeof stored === "number" ? { cancelled: stored, tooLate: 0 } : stored;
    this.#lineUp.onChange();
    return { cancelled: own + others.length, tooLate };
  }

  #meantBy(which: Ending): (run: JobRun) => boolean {
    if ("key" in which) {
      const name = hashOf(which.key);
      return ({ job }) => job.lane === "callOut" && nameOf(job) === name;
    }
    if ("entryId" in which) return ({ job }) => job.entryId === which.entryId;
    if ("list" in which) return ({ job }) => job.list === which.list;
    if ("deleted" in which)
      return ({ job: { nodeId, action: nodeType } }) =>
        nodeId !== "" && this.#lineUp.restored?.isDeleted({ nodeId, nodeType }) === true;
    return ({ job }) => !which.only && !job.alarm;
  }

  /** Ends call-outs in the backlog. */
  async #endStored(which: Ending): Promise<Cancelled | number> {
    if ("key" in which) return this.ask((backlog) => backlog.cancel(hashOf(which.key)));
    if ("deleted" in which) return this.ask((backlog) => backlog.ends.dropDeleted()).catch(() => 0);
    if ("entryId" in which) {
      // One that has just begun is not sent any more, unless its first byte has left.
      this.#lineUp.inFlight.forbid(({ call }) => call?.entry.id === which.entryId);
      return Number(await this.ask((backlog) => backlog.withdraw(which.entryId)).catch(() => false));
    }
    try {
      return await this.ask<Cancelled | number>((backlog) =>
        "list" in which ? backlog.endList(which.list) : backlog.drop(which),
      );
    } catch (error) {
      // What could not be opened holds nothing.
      if (this.#lineUp.cannotOpen) return 0;
      throw error;
    }
  }

  /** Ends the jobs that are meant and have not begun, but for call-outs in their backlog. Returns them. */
  #endOthers(isMeant: (run: JobRun) => boolean, why: TenantError): readonly Owned[] {
    const admitting = (this.#admitting.items as readonly CallOfJob[]).flatMap(({ owner, run }) => {
      if (!run || !isMeant(run)) return [];
      run.withdrawn = why;
      return { owner, run };
    });
    return [...admitting, ...this.#lineUp.endOthers(isMeant, why)];
  }

  /** Fails all waiting jobs, and those still to come, because the target is given up. Jobs in flight go on. */
  refuse(error: TenantError): void {
    this.#lineUp.refusal = error;
    this.#endOthers(() => true, error);
    this.#lineUp.failAll();
    this.#lineUp.inFlight.retire();
  }

  /** Starts nothing more, because the process stops. Returns all jobs that had not ended. */
  halt(): readonly Unfinished[] {
    this.#lineUp.refusal ??= dropped();
    const inLine = this.#lineUp.halt();
    const others = this.#endOthers(() => true, dropped()).map(({ owner, run }): Unfinished => {
      const { summary, outcomeIfCutOff: outcome } = run;
      return { owner, summary, outcome, isInFlight: false, isKept: false };
    });
    return [...inLine, ...others];
  }

  /**
   * Ends for good, because the process stops: jobs in flight may end, waiting ones fail, but for call-outs in a backlog that
   * goes on with the next process.
   * @param withinMs jobs in flight for longer are abandoned
   */
  async stop(withinMs: number): Promise<void> {
    this.halt();
    const lineUp = this.#lineUp;
    if (lineUp.backlog?.isDurable === false) lineUp.failAll();
    await lineUp.inFlight.idle(withinMs);
    lineUp.inFlight.retire();
    const closed = this.ask((backlog) => backlog.close()).catch(() => {});
    // It may open only once the flows run, which they may never do.
    if (lineUp.backlog) await closed;
    // The process may end when this resolves: let the results reach their callers first.
    await immediate();
  }
}
