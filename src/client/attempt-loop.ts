import { performance } from "node:perf_hooks";
import { whyWaits } from "../backlog/reasons";
import { classifyAnswer, classifyBroken, DeadlineError, type Success } from "./classify";
import { notSent, TenantError } from "./errors";
import type { Guard } from "./guard/number-guard";
import type { Job, JobResult } from "./job";
import { namedFields } from "./named-fields";
import { missingOf } from "./operations";
import type { CallingHours } from "./queue/calling-hours";
import type { JobRun } from "./queue/job-run";
import { type Redact, redactor } from "./redact";
import { headers, type RequestSummary, type Style, target } from "./request";
import type { RequestStyle } from "./request-style";
import { afterFailure } from "./retry-policy";
import type { Address } from "./transport/address";
import { type Answer, type Broken, type Exchange, Wire, type WireOptions } from "./transport/exchange";

export interface AttemptOptions extends Omit<WireOptions, "origin"> {
  /** Checked; never logged. */
  readonly token: string;
  readonly authHeader: string;
  /** The style of requests: fixed, or found out, perhaps before. */
  readonly style: RequestStyle;
  /** Milliseconds for a request with all its attempts, from its start. */
  readonly timeoutMs: number;
  /** Log mode: called instead of sending, except for reads. */
  readonly onlyLog?: (job: Job, summary: RequestSummary) => void;
  /** Whether the id of the sending node is added, which the sandbox shows; other tenants do not receive it. */
  readonly namesNodes?: boolean;
  readonly guard?: Guard | undefined;
  /** Limit call-outs that do not leave at any time. */
  readonly callingHours?: CallingHours | undefined;
}

/** Calling hours have ended before the call-out could leave. */
class OutsideHours extends Error {}

/** The request may not leave yet: another call-out has just left. */
class TooEarly extends Error {
  /** @param until monotonic milliseconds */
  constructor(readonly until: number) {
    super("too early");
  }
}

/** Sends requests to one address, each with as many attempts as the retry policy and the deadline allow. */
export class AttemptLoop {
  readonly #options: AttemptOptions;
  readonly #address: Address;
  readonly #headers: ReturnType<typeof headers>;
  readonly #redact: Redact;
  readonly #wire: Wire;
  /** Jobs that are being sent, or that pause between two attempts. */
  #inFlight = 0;
  #retired = false;

  constructor(options: AttemptOptions, address: Address) {
    this.#options = options;
    this.#address = address;
    this.#headers = headers(options.authHeader, options.token);
    this.#redact = redactor(options.token);
    this.#wire = new Wire({ ...options, origin: address.origin });
  }

  /** Closes the connections once nothing is in flight. */
  retire(): void {
    this.#retired = true;
    if (this.#inFlight === 0) void this.#wire.close();
  }

  /**
   * Sends a job's request until it succeeds or its failure is final. Never rejects. Resolves to `undefined` if a call-out may
   * not leave now, and has to wait again.
   */
  async perform(run: JobRun): Promise<JobResult | undefined> {
    const { onlyLog, timeoutMs, guard } = this.#options;
    const blocked = guard && onlyLog && (await guard.check(run.job));
    if (blocked) return run.failure(blocked);
    if (onlyLog && run.job.request.method !== "GET") {
      onlyLog(run.job, run.summary);
      run.countAttempt();
      const data = run.job.loggedData ?? null;
      return run.success(200, { success: true, code: 200, locale: "en", message: "OK", data });
    }
    run.startedAt ??= performance.now();
    run.deadlineAt = run.startedAt + timeoutMs;
    run.watchDeadline();
    this.#inFlight += 1;
    try {
      for (;;) {
        const optOutsThen = guard?.optOuts?.changes;
        const asked = guard?.check(run.job);
        const blocked = asked instanceof Promise ? await Promise.race([asked, run.abandonment()]) : asked;
        if (blocked) return run.failure(blocked);
        if (run.abandoned) return run.failure(run.lastFailure ?? this.#connectTimeout());
        run.exchange = this.#exchange(run, optOutsThen);
        const ended = await run.exchange.ended;
        if ("error" in ended && ended.error instanceof TooEarly) {
          run.exchange = undefined;
          await run.pause(ended.error.until - performance.now());
          if (!run.abandoned) continue;
          run.countAttempt();
          return run.failure(run.lastFailure ?? this.#connectTimeout());
        }
        if ("error" in ended && ended.error instanceof OutsideHours) return undefined;
        if ("error" in ended && ended.error instanceof DeadlineError && !ended.started) {
          // No byte of this attempt has left, so the failure before it is the more useful one to report.
          run.countAttempt();
          return run.failure(run.lastFailure ?? this.#connectTimeout());
        }
        const outcome = this.#classify(run, ended);
        if (!(outcome instanceof TenantError)) {
          run.countAttempt();
          this.#options.style.succeeded(run.job.request, run.style);
          return run.success(outcome.status, outcome.envelope);
        }
        const otherStyle = this.#options.style.otherThan(run.style, run.job.request, outcome.named);
        const pause = this.#pauseAfter(run, outcome, otherStyle);
        if (pause === undefined) return run.failure(outcome);
        run.exchange = undefined;
        run.lastFailure = outcome;
        await run.pause(pause);
        const reason = run.abandoned ? outcome : run.reasonNotToSend();
        if (reason) return run.failure(reason);
        if (otherStyle) run.restyleAfter(outcome, otherStyle);
      }
    } catch (error) {
      // Without a result, the message would never end, and the rejection would end the process.
      const started = run.exchange?.started ?? false;
      return run.failure(this.#classify(run, { error: error as Error, started, began: false }) as TenantError);
    } finally {
      run.stopWatching();
      this.#inFlight -= 1;
      if (this.#retired) this.retire();
    }
  }

  /** @param optOutsThen their `changes` when the guard was asked */
  #exchange(run: JobRun, optOutsThen: number | undefined): Exchange {
    // Another job may have found out the style while this one was waiting.
    if (run.style !== this.#options.style.current && !run.history.restyled) run.restyle(this.#options.style.current);
    const { job, body, style } = run;
    const request = {
      method: job.request.method,
      path: this.#address.prefix + target(job.request, style.booleans),
      headers: this.#headersOf(run),
      body,
    };
    return this.#wire.exchange(request, () => {
      // After a blocked event loop a connection may open past the deadline. Nothing has been sent yet.
      if (performance.now() >= run.deadlineAt) return new DeadlineError("deadline");
      const reason = run.reasonNotToSend();
      if (reason) return reason;
      // Connecting takes its time, too.
      const { guard } = this.#options;
      const blocked = guard?.optOuts?.changes === optOutsThen ? undefined : guard?.checkAgain(job);
      if (blocked) return blocked;
      const { backlog, call } = run;
      if (call && backlog) {
        // Connecting takes a varying time.
        const isClosed = this.#options.callingHours?.isOpen === false;
        if (isClosed && whyWaits(call, { isClosed }) === "hours") return new OutsideHours();
        const until = backlog.loop.acquireSendSlot(call, run.lastFailure !== undefined);
        if (until !== undefined) return new TooEarly(until);
      }
      run.lastSentAt = Date.now();
      return undefined;
    });
  }

  #headersOf({ job: { nodeId }, body }: JobRun): string[] {
    const headers = body === null ? this.#headers.bodiless : this.#headers.json;
    const isNamed = this.#options.namesNodes && /^[\w.-]{1,100}$/.test(nodeId);
    return isNamed ? [...headers, "x-telephony-node", nodeId] : headers;
  }

  #classify({ job, ifUnknown, history }: JobRun, ended: Answer | Broken): Success | TenantError {
    const findsStyle = !this.#options.style.isFixed;
    const { hostname: host } = this.#address;
    const missing = missingOf(job.request);
    const context = { ifUnknown, redact: this.#redact, host, findsStyle, missing, now: Date.now() };
    if ("error" in ended) return classifyBroken(ended, context);
    const outcome = classifyAnswer(ended, context);
    if (findsStyle && outcome instanceof TenantError && (ended.status === 400 || ended.status === 422))
      outcome.named = namedFields(ended.body, job.request);
    // The answer to an earlier attempt was lost, and the schedule that it deleted is gone.
    const isRepeatedDelete = job.request.method === "DELETE" && history.unknown;
    const isDeleted = isRepeatedDelete && outcome instanceof TenantError && outcome.key === "noSuchSchedule";
    return isDeleted ? { status: 404, envelope: outcome.envelope ?? null } : outcome;
  }

  /** The milliseconds until the next attempt; `undefined` if the failure is final. */
  #pauseAfter(run: JobRun, failure: TenantError, otherStyle: Style | undefined): number | undefined {
    const { job } = run;
    const restylable = otherStyle !== undefined;
    const rules = { repeat: job.repeat, reads: job.request.method === "GET" && !job.impatient, restylable };
    const { history, againAfterMs } = afterFailure(run.history, failure, rules, Math.random());
    run.history = history;
    if (againAfterMs === undefined || run.abandoned) return undefined;
    return performance.now() + againAfterMs < run.deadlineAt ? againAfterMs : undefined;
  }

  #connectTimeout(): TenantError {
    const host = this.#address.hostname;
    return notSent("ERR_CONNECT_TIMEOUT", "connect", { retryable: true, host, params: { host } });
  }
}
