import { performance } from "node:perf_hooks";
import type { Address } from "./address";
import { type Circumstances, DeadlineError, judge, judgeBroken, type UnknownOutcome } from "./classify";
import type { Envelope } from "./envelope";
import { notSent, TenantError } from "./errors";
import type { Job, JobResult, RequestSummary } from "./job";
import type { JobRun } from "./job-run";
import { loggedEnvelope } from "./log-mode";
import { Deadlines } from "./queue/deadlines";
import { InFlightSet } from "./queue/in-flight-set";
import type { Redact } from "./redact";
import { headers, type RequestHeaders, target } from "./request";
import { afterFailure } from "./retry-policy";
import { type Answer, type Broken, type Exchange, Wire, type WireOptions } from "./transport/exchange";

export interface AttemptOptions extends Omit<WireOptions, "origin"> {
  /** Checked; never logged. */
  readonly token: string;
  readonly authHeader: string;
  readonly redact: Redact;
  /** Milliseconds for a request with all its attempts, from its turn on. */
  readonly timeoutMs: number;
  /** What would be sent is told here and not sent; reads go out. */
  readonly onlyLog?: (job: Job, asked: RequestSummary) => void;
}

export interface AttemptHands {
  /**
   * Finds a place for another attempt of a job, monotonic milliseconds; `undefined` when there is none.
   * @param earliest no earlier than this
   * @param latest before this
   */
  reserve(job: Job, earliest: number, latest: number): number | undefined;
  /** A turn is over; called exactly once. */
  ended(turn: JobRun, end: JobResult): void;
}

/** Does what has its turn: sends, judges, tries again as long as the retry law and the deadline allow. */
export class Attempts {
  readonly #options: AttemptOptions;
  readonly #hands: AttemptHands;
  readonly #headers: RequestHeaders;
  readonly #underWay = new InFlightSet<JobRun>();
  readonly #deadlines = new Deadlines<JobRun>(
    () => this.#underWay.list(),
    (turn) => this.#overdue(turn),
  );
  #address: Address | undefined;
  #wire: Wire | undefined;

  constructor(options: AttemptOptions, hands: AttemptHands) {
    this.#options = options;
    this.#hands = hands;
    this.#headers = headers(options.authHeader, options.token);
  }

  /** The address is known: from now on turns may begin. */
  open(address: Address): void {
    this.#address = address;
    this.#wire = new Wire({ ...this.#options, origin: address.origin });
  }

  /** Gives up what is under way, and closes its connections. */
  close(): void {
    this.#deadlines.close();
    void this.#wire?.close();
  }

  begin(turn: JobRun): void {
    this.#underWay.add(turn);
    turn.started = performance.now();
    turn.deadlineAt = turn.started + this.#options.timeoutMs;
    this.#deadlines.watch(turn);
    turn.listener.started?.();
    this.#attempt(turn);
  }

  /** Ends all that is under way, since the process will. */
  giveUp(): void {
    for (const turn of this.#underWay.list()) this.#abandon(turn, new DeadlineError("stopped"));
  }

  /** A loop that was blocked may have the answer at hand: sockets get their turn before a request is called overdue. */
  #overdue(turn: JobRun): void {
    setImmediate(() => setImmediate(() => this.#abandon(turn, new DeadlineError("deadline"))));
  }

  #abandon(turn: JobRun, why: DeadlineError): void {
    if (turn.over) return;
    turn.exchange?.abandon(why);
    if (!turn.over) this.#fail(turn, this.#failureBefore(turn));
  }

  /** Nothing of the last attempt can have left: the failure before it says more than the clock. */
  #failureBefore(turn: JobRun): TenantError {
    const host = this.#host;
    return turn.lastFailure ?? notSent("ERR_CONNECT_TIMEOUT", "connect", { retryable: true, host, params: { host } });
  }

  get #host(): string {
    return this.#address?.hostname ?? "";
  }

  #attempt(turn: JobRun): void {
    const { job } = turn;
    const { onlyLog } = this.#options;
    const expired = turn.expired();
    if (expired) this.#fail(turn, expired);
    else if (onlyLog && job.request.method !== "GET") {
      onlyLog(job, turn.asked);
      this.#succeed(turn, 200, loggedEnvelope(job));
    } else turn.exchange = this.#send(turn);
  }

  #send(turn: JobRun): Exchange | undefined {
    const { job, body } = turn;
    return this.#wire?.exchange(
      {
        method: job.request.method,
        path: (this.#address?.prefix ?? "") + target(job.request),
        headers: body === null ? this.#headers.bodiless : this.#headers.json,
        body,
      },
      {
        objection: () => {
          // After a blocked event loop a connection may come with the deadline behind it: provably nothing has left yet.
          if (performance.now() >= turn.deadlineAt) return new DeadlineError("deadline");
          const tooLate = turn.expired();
          if (!tooLate) turn.lastSentAt = Date.now();
          return tooLate;
        },
        answered: (answer) => this.#answered(turn, answer),
        broken: (broken) => this.#broken(turn, broken),
      },
    );
  }

  #answered(turn: JobRun, answer: Answer): void {
    const verdict = judge(answer, this.#circumstances(turn.job));
    if (!(verdict instanceof TenantError)) this.#succeed(turn, verdict.status, verdict.envelope);
    else if (answer.status === 404 && turn.job.request.method === "DELETE" && turn.history.doubtful) {
      // The first attempt's answer was lost, and what it was to delete is gone.
      this.#succeed(turn, 404, verdict.envelope ?? null);
    } else this.#failed(turn, verdict);
  }

  #broken(turn: JobRun, broken: Broken): void {
    if (broken.error instanceof DeadlineError && !broken.started) {
      turn.countAttempt();
      this.#fail(turn, this.#failureBefore(turn));
    } else this.#failed(turn, judgeBroken(broken, this.#circumstances(turn.job)));
  }

  #circumstances(job: Job): Circumstances {
    return { doubt: doubtOf(job), redact: this.#options.redact, host: this.#host, now: Date.now() };
  }

  /** One attempt failed: another one, or the end. */
  #failed(turn: JobRun, failure: TenantError): void {
    turn.exchange = undefined;
    const { job } = turn;
    const rules = { repeat: job.repeat, reads: job.request.method === "GET" };
    const { history, againAfterMs } = afterFailure(turn.history, failure, rules, Math.random());
    turn.history = history;
    const now = performance.now();
    const at =
      againAfterMs === undefined || turn.over
        ? undefined
        : this.#hands.reserve(job, now + againAfterMs, turn.deadlineAt);
    if (at === undefined) {
      this.#fail(turn, failure);
      return;
    }
    turn.lastFailure = failure;
    turn.pause = setTimeout(() => this.#attempt(turn), at - now);
  }

  #succeed(turn: JobRun, status: number, envelope: Envelope | null): void {
    turn.countAttempt();
    this.#end(turn, turn.success(status, envelope));
  }

  #fail(turn: JobRun, failure: TenantError): void {
    this.#end(turn, turn.failure(failure));
  }

  #end(turn: JobRun, end: JobResult): void {
    if (turn.over) return;
    turn.over = true;
    turn.exchange = undefined;
    if (turn.pause) clearTimeout(turn.pause);
    this.#underWay.remove(turn);
    this.#hands.ended(turn, end);
  }
}

function doubtOf({ request, repeat }: Job): UnknownOutcome {
  return { outcome: request.method === "GET" ? "not-applied" : "unknown", retryable: repeat !== "never" };
}
