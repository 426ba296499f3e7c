import type { Key } from "../../backlog";
import { dropped, type TenantError } from "../errors";
import type { Job } from "../job";
import { JobRun, type ProgressHooks } from "../job-run";
import type { ClientState } from "./client-state";
import type { Dispatcher } from "./dispatcher";
import { tooLarge } from "./refusals";
import { keyOf } from "./stored-call-out";

type Refusal = TenantError | undefined;

/** Admits jobs to their lanes, if the guard, the backlog and their deduplication keys allow. */
export class Admission {
  readonly #state: ClientState;
  readonly #dispatcher: Dispatcher;
  /** Jobs that the guard is checking, or whose backlog is not open yet. */
  readonly #waiting = new Set<JobRun>();

  constructor(state: ClientState, dispatcher: Dispatcher) {
    this.#state = state;
    this.#dispatcher = dispatcher;
  }

  /** The jobs that are being admitted. */
  get runs(): readonly JobRun[] {
    return [...this.#waiting];
  }

  /** The end of the job may be reported before this returns. */
  start(job: Job, hooks: ProgressHooks): void {
    const { options, style } = this.#state;
    const run = new JobRun(job, hooks, style.current);
    const blocked = options.guard?.check(job);
    const { backlog, opened } = this.#dispatcher.callOuts;
    const isOpen = job.lane !== "callOut" || backlog !== undefined;
    if (blocked instanceof Promise || !isOpen) void this.#admitLater(run, blocked, isOpen ? undefined : opened);
    else this.#admit(run, blocked);
  }

  /** Ends the jobs that are being admitted and are meant. Returns how many. */
  withdraw(isMeant: (run: JobRun) => boolean, why: TenantError): number {
    const runs = this.runs.filter(isMeant);
    for (const run of runs) run.withdrawn = why;
    return runs.length;
  }

  async #admitLater(run: JobRun, blocked: Refusal | Promise<Refusal>, unopened?: Promise<Refusal>): Promise<void> {
    this.#waiting.add(run);
    const refusal = (await blocked) ?? (await unopened);
    this.#waiting.delete(run);
    this.#admit(run, refusal);
  }

  /** @param blocked why it is not admitted */
  #admit(run: JobRun, blocked: Refusal): void {
    const { onlyLog, guard, callingHours } = this.#state.options;
    const { job } = run;
    const hourless = job.lane === "callOut" && !job.anytime ? callingHours?.refusal : undefined;
    const refusal = this.#state.refusal ?? run.withdrawn ?? blocked ?? hourless ?? tooLarge(job.request, run.bytes);
    // What is not sent cannot be sent twice.
    const key = onlyLog ? undefined : keyOf(job);
    if (refusal) this.#refuse(run, refusal);
    else if (job.lane === "callOut") void this.#dispatcher.callOuts.accept(run, key, guard?.rateLimitKeys(job) ?? []);
    else if (key) void this.#addWithKey(run, key);
    else this.#dispatcher.add(run);
  }

  async #addWithKey(run: JobRun, key: Key): Promise<void> {
    const refusal = await this.#dispatcher.callOuts.takeKey(key).catch(() => this.#state.refusal ?? dropped());
    if (refusal) this.#refuse(run, refusal);
    else {
      run.heldKey = key;
      this.#dispatcher.add(run);
    }
  }

  #refuse(run: JobRun, refusal: TenantError): void {
    this.#state.end(run.job, run.hooks, run.failure(refusal));
  }
}
