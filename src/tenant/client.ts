import type { Address } from "./address";
import { admit } from "./admission";
import { type AttemptOptions, Attempts } from "./attempts";
import { CircuitBreaker } from "./circuit-breaker";
import { notSent, TenantError } from "./errors";
import { type Job, type JobResult, outcomeOf } from "./job";
import { type JobListener, JobRun } from "./job-run";
import { DeduplicationKeys } from "./queue/deduplication";
import { type LaneLimits, Scheduler } from "./queue/scheduler";
import { redactor } from "./redact";
import type { PartyFields } from "./request";

export interface ClientOptions extends LaneLimits, Omit<AttemptOptions, "connections" | "redact"> {
  /** Where the tenant is; a simulated one is only known once it listens. */
  readonly address: Address | Promise<Address>;
  readonly partyFields: PartyFields;
  /** What to do when the tenant refuses or cannot be reached: let each job fail, or hold what waits. */
  readonly onTrouble?: "fail" | "wait";
}

/**
 * Talks to one tenant: takes jobs in, gives each its turn, hands on what waits. Knows nothing of Node-RED.
 * Every accepted job ends exactly once.
 */
export class TenantClient {
  readonly #options: ClientOptions;
  #unusable: TenantError | undefined;
  #successor: TenantClient | undefined;
  #retired = false;
  readonly #idle: (() => void)[] = [];
  readonly #lanes: Scheduler<JobRun>;
  readonly #trouble: CircuitBreaker | undefined;
  readonly #attempts: Attempts;
  /** Outlives the client where its successor serves the same target. */
  readonly once: DeduplicationKeys;
  /** Resolves to why there will be no address, or to nothing once there is one. */
  readonly opened: Promise<TenantError | undefined>;

  constructor(options: ClientOptions, once = new DeduplicationKeys()) {
    this.#options = options;
    this.once = once;
    this.#attempts = new Attempts(
      { ...options, connections: options.concurrency, redact: redactor(options.token) },
      {
        reserve: ({ lane }, earliest, latest) => this.#lanes.reserve(lane, earliest, latest),
        ended: (turn, end) => this.#ended(turn, end),
      },
    );
    this.#lanes = new Scheduler(options, (turn) => this.#begin(turn));
    if (options.onTrouble === "wait") this.#trouble = new CircuitBreaker(this.#lanes, (job) => this.#ask(job));
    this.opened = this.#opening(options.address);
  }

  async #opening(address: Address | Promise<Address>): Promise<TenantError | undefined> {
    this.#lanes.hold();
    try {
      // One that is known counts before the constructor returns.
      this.#attempts.open(address instanceof Promise ? await address : address);
      this.#lanes.release();
      return undefined;
    } catch (error) {
      const problem = error instanceof TenantError ? error : notSent("ERR_CONFIG", "config");
      this.#giveUp(problem);
      return problem;
    }
  }

  /** Whether what comes is refused for good. */
  get unusable(): boolean {
    return this.#unusable !== undefined;
  }

  /** There will be no address: what waits and what comes fails alike. */
  #giveUp(error: TenantError): void {
    this.#unusable = error;
    for (const { entry } of this.#lanes.drain()) this.#refuse(entry, error);
  }

  get lanes(): Pick<Scheduler<JobRun>, "waiting" | "underWay" | "paused" | "pause" | "resume"> {
    return this.#lanes;
  }

  /**
   * Accepts a job, or refuses it at once; the listener hears of its end, exactly once and possibly before this returns.
   */
  submit(job: Job, listener: JobListener): void {
    if (this.#successor) {
      this.#successor.submit(job, listener);
      return;
    }
    const { backlog, onlyLog, partyFields } = this.#options;
    const turn = new JobRun(job, listener, partyFields);
    const refusal = this.#unusable ?? admit(turn, onlyLog ? undefined : this.once);
    if (refusal) this.#refuse(turn, refusal);
    else if (!this.#lanes.add(job.lane, turn)) {
      this.#refuse(turn, notSent("ERR_BACKLOG_FULL", "queue", { retryable: true, params: { backlog } }));
    }
  }

  /** Returns whether anything was attempted. */
  #begin(turn: JobRun): boolean {
    turn.hasPlace = true;
    this.#attempts.begin(turn);
    return !turn.over || turn.history.attempts > 0;
  }

  /** Ends a turn that was never begun. */
  #refuse(turn: JobRun, error: TenantError): void {
    this.#ended(turn, turn.failure(error));
  }

  #ended(turn: JobRun, end: JobResult): void {
    const { once, lane } = turn.job;
    if (once && turn.holdsKey) this.once.settle(once.key, outcomeOf(end));
    this.#trouble?.heard(end);
    turn.listener.ended(end);
    if (!turn.hasPlace) return;
    this.#lanes.finish(lane);
    if (this.#lanes.underWay > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
    if (this.#retired) this.#attempts.close();
  }

  /** Does a job beside all turns. */
  #ask(job: Job): Promise<TenantError | undefined> {
    return new Promise((resolve) => {
      const listener = { ended: (end: JobResult) => resolve(end.ok ? undefined : end.error) };
      this.#attempts.begin(new JobRun(job, listener, this.#options.partyFields));
    });
  }

  /**
   * Ends for good, since the process will: nothing that waits is started, what is under way is waited for.
   * @param withinMs what is under way for longer is given up
   */
  async stop(withinMs: number): Promise<void> {
    this.refuse(dropped());
    const patience = setTimeout(() => this.abort(), withinMs);
    await this.idle();
    clearTimeout(patience);
  }

  /** Ends for good at once: what is under way is given up, and every job has ended when this returns. */
  abort(): void {
    this.refuse(dropped());
    this.#attempts.giveUp();
  }

  /** Fails what waits, in both lanes; what is under way goes on. Returns how many that were. */
  drop(): number {
    const waiting = this.#lanes.drain();
    for (const { entry } of waiting) this.#refuse(entry, dropped());
    return waiting.length;
  }

  /** Fails what waits for one node: it was deleted, and whoever deletes a node wants its calls to stop. */
  dropOf(nodeId: string): void {
    for (const { lane, entry } of this.#lanes.drain()) {
      if (entry.job.nodeId === nodeId) this.#refuse(entry, dropped());
      else this.#lanes.readmit(lane, entry);
    }
  }

  /** Lets another client do what still waits here, and finishes only what is under way. */
  handOver(successor: TenantClient): void {
    const waiting = this.#lanes.drain();
    if (this.#lanes.paused) successor.lanes.pause();
    this.#successor = successor;
    for (const { entry } of waiting) successor.#takeOver(entry);
    this.#closeWhenIdle();
  }

  #takeOver({ job, listener, accepted, holdsKey }: JobRun): void {
    const mine = new JobRun(job, listener, this.#options.partyFields, accepted);
    mine.holdsKey = holdsKey;
    this.#lanes.readmit(job.lane, mine);
  }

  /** Fails what waits and what may still come; finishes only what is under way. */
  refuse(error: TenantError): void {
    this.#giveUp(error);
    this.#closeWhenIdle();
  }

  #closeWhenIdle(): void {
    this.#retired = true;
    this.#trouble?.close();
    if (this.#lanes.underWay === 0) this.#attempts.close();
  }

  /** Resolves when nothing is under way any more. */
  idle(): Promise<void> {
    return this.#lanes.underWay === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }
}

function dropped(): TenantError {
  return notSent("ERR_DROPPED", "queue", { retryable: true });
}
