import { performance } from "node:perf_hooks";
import type { Envelope } from "./envelope";
import { notSent, TenantError } from "./errors";
import type { Job, JobResult, RequestSummary, Timings } from "./job";
import { asked, type PartyFields, wireBody } from "./request";
import { begin, type History } from "./retry-policy";
import type { Exchange } from "./transport/exchange";

/** What a job needs while it waits and while it is under way; beside the job, which stays plain data. */
export class JobRun {
  started: number | undefined;
  deadlineAt = Number.POSITIVE_INFINITY;
  history: History = begin;
  lastFailure: TenantError | undefined;
  /** Epoch milliseconds of the last attempt that may have left. */
  lastSentAt: number | undefined;
  exchange: Exchange | undefined;
  pause: NodeJS.Timeout | undefined;
  /** It takes one of the tenant's places for what is under way. */
  hasPlace = false;
  /** In the roster of those under way. */
  place = 0;
  over = false;
  /** The job's once key was taken for it. */
  holdsKey = false;

  /** JSON text as it goes out, kept from now on: whatever a flow does to its message later changes no request. */
  readonly body: string | null;
  readonly asked: RequestSummary;

  constructor(
    readonly job: Job,
    readonly listener: JobListener,
    partyFields: PartyFields,
    readonly accepted = performance.now(),
  ) {
    const { request } = job;
    this.body = request.method === "POST" ? JSON.stringify(wireBody(request.body, partyFields)) : null;
    this.asked = asked(request, partyFields);
  }

  countAttempt(): void {
    this.history = { ...this.history, attempts: this.history.attempts + 1 };
  }

  /** Why the job must not be sent any more, when its time is over. */
  expired(): TenantError | undefined {
    const { notAfter } = this.job;
    if (notAfter === undefined || Date.now() <= notAfter) return undefined;
    return notSent("ERR_EXPIRED", "queue", { params: { notAfter: new Date(notAfter).toISOString() } });
  }

  success(status: number, envelope: Envelope | null): JobResult {
    const data = status === 404 ? null : (envelope?.data ?? null);
    return { ok: true, status, envelope, data, asked: this.asked, tally: this.#tally() };
  }

  /** What the attempts add up to: once one of them was doubtful, no later refusal takes the doubt away. */
  failure({ code, phase, sent, outcome, retryable, details, key, params }: TenantError): JobResult {
    const { history, lastSentAt } = this;
    const left = history.sent === "no" ? sent : history.sent;
    const known = history.doubtful ? "unknown" : outcome;
    const sentAt = left !== "no" && lastSentAt !== undefined && { sentAt: new Date(lastSentAt).toISOString() };
    const error = new TenantError(code, phase, left, known, retryable, { ...details, ...sentAt }, key, params);
    return { ok: false, error, asked: this.asked, tally: this.#tally() };
  }

  #tally(): Timings {
    const now = performance.now();
    const started = this.started ?? now;
    return {
      attempts: this.history.attempts,
      waitedMs: Math.round(started - this.accepted),
      elapsedMs: this.started === undefined ? 0 : Math.round(now - started),
    };
  }
}

/** Whoever wants to know what becomes of a job. */
export interface JobListener {
  /** Its turn has come. */
  started?(): void;
  /** Called exactly once. */
  ended(end: JobResult): void;
}
