import { performance } from "node:perf_hooks";
import type { Backlog, Call, Key } from "../../backlog";
import { DeadlineError, type UnknownOutcome } from "../classify";
import type { Envelope } from "../envelope";
import { expired, type Outcome, TenantError } from "../errors";
import type { Answered, Failed, Job, Timings } from "../job";
import { type RequestSummary, type Style, summaryOf, wireBody } from "../request";
import { type History, untried } from "../retry-policy";
import type { Exchange } from "../transport/exchange";

/** The state of a job while it is in flight, beside the job, which stays plain data. A waiting call-out has none: it is its entry. */
export class JobRun {
  /** Monotonic milliseconds. */
  startedAt: number | undefined;
  deadlineAt = Number.POSITIVE_INFINITY;
  history: History = untried;
  lastFailure: TenantError | undefined;
  /** Epoch milliseconds of the last attempt that may have left. */
  lastSentAt: number | undefined;
  exchange: Exchange | undefined;
  /** Whether the deadline has passed or the client stops: no further attempt is made. */
  abandoned = false;
  /** The reason why it must not be sent any more, if there is one. */
  withdrawn: TenantError | undefined;
  /** The deduplication key that was taken for the job, unless its entry in the backlog holds it. */
  heldKey: Key | undefined;
  /** Set once it has started. */
  call: Call | undefined;
  /** The one in which a call-out has begun. */
  backlog: Backlog | undefined;
  /** The slots among which it has one, and its own among those in flight. */
  slots: object | undefined;
  slot = -1;
  #endPause: (() => void) | undefined;
  #deadline: NodeJS.Timeout | undefined;
  #firstRefusal: { readonly error: TenantError; readonly summary: RequestSummary } | undefined;

  /** The JSON text to send. Made now, because a flow may change its message later. */
  body: string | null;
  summary: RequestSummary;
  style: Style;
  /** The size of the body when it was accepted; another style has about the same. */
  readonly bytes: number;
  /** Monotonic milliseconds. */
  readonly #acceptedAt: number;

  /**
   * @param at when it was accepted, epoch milliseconds
   * @param kept what the backlog has kept beside the job
   * @param text the JSON text of the request with dotted fields, if it is at hand
   */
  constructor(
    readonly job: Job,
    style: Style,
    readonly at = Date.now(),
    readonly kept?: unknown,
    text?: string,
  ) {
    const { request } = job;
    if (text !== undefined && style.partyFields === "dotted") this.body = text;
    else this.body = request.method === "POST" ? JSON.stringify(wireBody(request.body, style.partyFields)) : null;
    this.bytes = this.body === null ? 0 : Buffer.byteLength(this.body);
    this.summary = summaryOf(request, style);
    this.style = style;
    this.#acceptedAt = performance.now() - Math.max(Date.now() - at, 0);
  }

  /** Writes the request in another style; from its text, because a flow may have changed its message. */
  restyle(style: Style): void {
    const { request } = this.job;
    if (request.method !== "POST" || this.body === null) this.summary = summaryOf(request, style);
    else if (this.style.partyFields === "dotted" && style.partyFields === "nested") {
      this.summary = wireBody(JSON.parse(this.body), style.partyFields);
      this.body = JSON.stringify(this.summary);
    }
    this.style = style;
  }

  /** Sends the request again in another style, after this refusal. */
  restyleAfter(refusal: TenantError, style: Style): void {
    this.#firstRefusal = { error: refusal, summary: this.summary };
    this.restyle(style);
  }

  /** Outcome and retryability of a failure, if it is unknown whether the request was applied. */
  get ifUnknown(): UnknownOutcome {
    const { request, repeat } = this.job;
    return { outcome: request.method === "GET" ? "not-applied" : "unknown", retryable: repeat !== "never" };
  }

  /** The outcome if nothing more is learned of this request, because the process ends. */
  get outcomeIfCutOff(): Outcome {
    if (this.history.unknown) return "unknown";
    if (this.exchange?.started) return this.ifUnknown.outcome;
    return this.lastFailure?.outcome ?? "not-applied";
  }

  /** Waits between two attempts, unless the run is abandoned meanwhile. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(ms, 0));
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Resolves when the run is abandoned, unless it pauses before. */
  abandonment(): Promise<undefined> {
    return new Promise((resolve) => {
      this.#endPause = () => resolve(undefined);
    });
  }

  /** Gives up at the deadline, unless `stopWatching` is called before. */
  watchDeadline(): void {
    const left = this.deadlineAt - performance.now();
    if (left > 0) this.#deadline = setTimeout(() => this.watchDeadline(), left);
    // After a blocked event loop the answer may be waiting in its socket: let sockets be read before giving up.
    else setImmediate(() => setImmediate(() => this.abandon(new DeadlineError("deadline"))));
  }

  stopWatching(): void {
    clearTimeout(this.#deadline);
  }

  countAttempt(): void {
    this.history = { ...this.history, attempts: this.history.attempts + 1 };
  }

  /** Gives up the current attempt, or the pause before the next one. */
  abandon(why: DeadlineError): void {
    this.abandoned = true;
    this.exchange?.abandon(why);
    this.#endPause?.();
  }

  /** Returns the reason why the job must not be sent any more: it was withdrawn, or its `notAfter` has passed. */
  reasonNotToSend(): TenantError | undefined {
    if (this.withdrawn) return this.withdrawn;
    const { notAfter } = this.job;
    const now = this.backlog?.loop.now() ?? Date.now();
    return notAfter === undefined || now <= notAfter ? undefined : expired(notAfter);
  }

  success(status: number, envelope: Envelope | null): Answered {
    const data = status === 404 ? null : (envelope?.data ?? null);
    return { ok: true, status, envelope, data, summary: this.summary, timings: this.#timings() };
  }

  /** The failure of all attempts together: once the outcome of one is unknown, no later refusal makes it known. */
  failure(last: TenantError): Failed {
    const refusal = this.#refusalInTheRightStyle(last);
    const { code, phase, retryable, details, key, params } = refusal?.error ?? last;
    const { history, lastSentAt } = this;
    // The sentence of the last attempt says that nothing was done, or sent: of the earlier ones that is not known.
    const isRepetition = history.unknown && last.outcome !== "unknown";
    const repetition = last.outcome === "rejected" ? "repetitionRefused" : "repetitionNotSent";
    const sent = history.sent === "no" ? last.sent : history.sent;
    const error = new TenantError(code, phase, {
      ...details,
      ...(sent !== "no" && lastSentAt !== undefined && { sentAt: new Date(lastSentAt).toISOString() }),
      sent,
      outcome: history.unknown ? "unknown" : last.outcome,
      retryable,
      key: isRepetition ? repetition : key,
      params,
    });
    return { ok: false, error, summary: refusal?.summary ?? this.summary, timings: this.#timings() };
  }

  /**
   * The first refusal of a request that was refused in both styles, if it describes the request: in a style that the tenant
   * does not read, the refusal names more fields, since it misses all of them.
   */
  #refusalInTheRightStyle(last: TenantError) {
    const first = this.#firstRefusal;
    if (!first || last === first.error) return first;
    return last.named.length >= first.error.named.length ? first : undefined;
  }

  #timings(): Timings {
    const now = performance.now();
    return {
      attempts: this.history.attempts,
      waitedMs: Math.round((this.startedAt ?? now) - this.#acceptedAt),
      elapsedMs: this.startedAt === undefined ? 0 : Math.round(now - this.startedAt),
    };
  }
}
