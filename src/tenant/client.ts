import { performance } from "node:perf_hooks";
import type { Address } from "./address";
import type { ConnectOptions } from "./connect";
import type { Envelope } from "./envelope";
import { notSent, TenantError } from "./errors";
import { type Asked, type End, type Job, outcomeOf } from "./job";
import { type LaneLimits, Lanes } from "./lanes";
import { OnceKeys } from "./once";
import { type Redact, redactor } from "./redact";
import { asked, type PartyFields, type Request, target, wireBody } from "./request";
import { afterFailure } from "./retry";
import { Roster } from "./roster";
import { TroubleWatch } from "./trouble";
import { type JobListener, Turn } from "./turn";
import { DeadlineError, type Doubt, judge, judgeBroken } from "./verdict";
import { Wire } from "./wire";

export interface ClientOptions extends LaneLimits, ConnectOptions {
  /** Where the tenant is; a simulated one is only known once it listens. */
  readonly address: Address | Promise<Address>;
  /** Checked; never logged. */
  readonly token: string;
  readonly authHeader: string;
  readonly partyFields: PartyFields;
  /** What to do when the tenant refuses or cannot be reached: let each job fail, or hold what waits. */
  readonly onTrouble?: "fail" | "wait";
  /** Milliseconds for a request with all its attempts, from its turn on. */
  readonly timeoutMs: number;
  /** What would be sent is told here and not sent; reads go out. */
  readonly onlyLog?: (job: Job, asked: Asked) => void;
}

/** The smallest thing that the interface lets one read. */
const PROBE: Request = { method: "GET", path: "/api/v1/setting/business-hour", query: { limit: 1 } };

/** Largest request body, in bytes. Our choice: the interface shows no limit. */
const LARGEST_REQUEST = 256 * 1024;

/**
 * Talks to one tenant: turns, attempts, deadline, verdicts. Knows HTTP and the envelope, nothing of Node-RED.
 * Every accepted job ends exactly once.
 */
export class TenantClient {
  readonly #options: ClientOptions;
  #wire: Wire | undefined;
  #address: Address | undefined;
  #unusable: TenantError | undefined;
  #successor: TenantClient | undefined;
  #retired = false;
  readonly #idle: (() => void)[] = [];
  readonly #redact: Redact;
  readonly #headers: readonly string[];
  readonly #bodyHeaders: readonly string[];
  readonly #lanes: Lanes<Turn>;
  readonly #trouble: TroubleWatch | undefined;
  readonly #underWay = new Roster<Turn>();
  /** Outlives the client where its successor serves the same target. */
  readonly once: OnceKeys;

  constructor(options: ClientOptions, once = new OnceKeys()) {
    this.#options = options;
    this.once = once;
    this.#redact = redactor(options.token);
    this.#headers = [
      options.authHeader,
      `Bearer ${options.token}`,
      "accept",
      "application/json",
      "accept-encoding",
      "identity",
    ];
    this.#bodyHeaders = [...this.#headers, "content-type", "application/json"];
    this.#lanes = new Lanes(options, (turn) => this.#begin(turn));
    this.#trouble =
      options.onTrouble === "wait"
        ? new TroubleWatch({
            hold: () => this.#lanes.hold(),
            release: () => this.#lanes.release(),
            probe: () => this.#probe(),
          })
        : undefined;
    if (options.address instanceof Promise) {
      this.#lanes.hold();
      options.address.then(
        (address) => this.#settle(address),
        (error: unknown) => this.#giveUp(error instanceof TenantError ? error : notSent("ERR_CONFIG", "config")),
      );
    } else this.#settle(options.address);
  }

  #settle(address: Address): void {
    this.#address = address;
    this.#wire = new Wire({ ...this.#options, origin: address.origin, connections: this.#options.concurrency });
    this.#lanes.release();
  }

  /** There will be no address: what waits and what comes fails alike. */
  #giveUp(error: TenantError): void {
    this.#unusable = error;
    for (const { entry } of this.#lanes.drain()) this.#fail(entry, error);
  }

  get lanes(): Pick<Lanes<Turn>, "waiting" | "underWay" | "paused" | "pause" | "resume"> {
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
    const turn = new Turn(job, this.#body(job), asked(job.request, this.#options.partyFields), listener);
    const refusal = this.#unusable ?? this.#refusal(turn);
    if (refusal) this.#fail(turn, refusal);
    else if (!this.#lanes.add(job.lane, turn)) {
      this.#fail(
        turn,
        notSent("ERR_BACKLOG_FULL", "queue", { retryable: true, params: { backlog: this.#options.backlog } }),
      );
    }
  }

  /** JSON as it goes out, kept from now on: whatever a flow does to its message later changes no request. */
  #body({ request }: Job): string | null {
    return request.method === "POST" ? JSON.stringify(wireBody(request.body, this.#options.partyFields)) : null;
  }

  #refusal(turn: Turn): TenantError | undefined {
    const { job, body } = turn;
    const size = body === null ? 0 : Buffer.byteLength(body);
    if (size > LARGEST_REQUEST) {
      const params = { size: Math.ceil(size / 1024), most: LARGEST_REQUEST / 1024 };
      return notSent("ERR_INPUT", "input", { key: "requestTooLarge", field: listIn(job), params });
    }
    if (!job.once || this.#options.onlyLog) return undefined;
    const taken = this.once.take(job.once.key, job.once.forMs, Date.now());
    if (taken === "taken") {
      turn.holdsKey = true;
      return undefined;
    }
    if (taken === "full") return notSent("ERR_BACKLOG_FULL", "queue", { retryable: true, key: "onceKeysFull" });
    return notSent("ERR_DUPLICATE", "queue", { first: taken, params: { at: taken.at, outcome: taken.outcome } });
  }

  /** Returns whether anything was attempted. */
  #begin(turn: Turn): boolean {
    this.#underWay.add(turn);
    turn.started = performance.now();
    turn.deadlineAt = turn.started + this.#options.timeoutMs;
    turn.timer = setTimeout(() => this.#deadline(turn), this.#options.timeoutMs);
    turn.listener.started?.();
    this.#attempt(turn);
    return !turn.over || turn.history.attempts > 0;
  }

  /** A loop that was blocked may have the answer at hand: sockets get their turn before a request is called overdue. */
  #deadline(turn: Turn): void {
    setImmediate(() =>
      setImmediate(() => {
        if (turn.over) return;
        turn.exchange?.abandon(new DeadlineError("deadline"));
        if (!turn.over) this.#fail(turn, this.#overdue(turn));
      }),
    );
  }

  /** Nothing of the last attempt can have left: the failure before it says more than the clock. */
  #overdue(turn: Turn): TenantError {
    const host = this.#address?.hostname ?? "";
    return turn.lastFailure ?? notSent("ERR_CONNECT_TIMEOUT", "connect", { retryable: true, host, params: { host } });
  }

  #attempt(turn: Turn): void {
    const { job, body } = turn;
    const { onlyLog } = this.#options;
    const expired = this.#expired(turn);
    if (expired) {
      this.#fail(turn, expired);
      return;
    }
    if (onlyLog && job.request.method !== "GET") {
      onlyLog(job, turn.asked);
      this.#succeed(turn, 200, loggedEnvelope(job));
      return;
    }
    turn.exchange = this.#wire?.exchange(
      {
        method: job.request.method,
        path: (this.#address?.prefix ?? "") + target(job.request),
        headers: (body === null ? this.#headers : this.#bodyHeaders) as string[],
        body,
      },
      {
        objection: () => {
          // After a blocked event loop a connection may come with the deadline behind it: provably nothing has left yet.
          if (performance.now() >= turn.deadlineAt) return new DeadlineError("deadline");
          const tooLate = this.#expired(turn);
          if (!tooLate) turn.lastSentAt = Date.now();
          return tooLate;
        },
        answered: (answer) => {
          const verdict = judge(answer, this.#circumstances(job));
          if (!(verdict instanceof TenantError)) this.#succeed(turn, verdict.status, verdict.envelope);
          else if (answer.status === 404 && job.request.method === "DELETE" && turn.history.doubtful) {
            // The first attempt's answer was lost, and what it was to delete is gone.
            this.#succeed(turn, 404, verdict.envelope ?? null);
          } else this.#failed(turn, verdict);
        },
        broken: (broken) => {
          const before = broken.error instanceof DeadlineError && !broken.started;
          if (before) {
            turn.history = { ...turn.history, attempts: turn.history.attempts + 1 };
            this.#fail(turn, this.#overdue(turn));
          } else this.#failed(turn, judgeBroken(broken, this.#circumstances(job)));
        },
      },
    );
  }

  #expired({ job }: Turn): TenantError | undefined {
    if (job.notAfter === undefined || Date.now() <= job.notAfter) return undefined;
    return notSent("ERR_EXPIRED", "queue", { params: { notAfter: new Date(job.notAfter).toISOString() } });
  }

  #circumstances(job: Job) {
    return { doubt: doubtOf(job), redact: this.#redact, host: this.#address?.hostname ?? "", now: Date.now() };
  }

  /** One attempt failed: another one, or the end. */
  #failed(turn: Turn, failure: TenantError): void {
    turn.exchange = undefined;
    const { job } = turn;
    const rules = { repeat: job.repeat, reads: job.request.method === "GET" };
    const { history, againAfterMs } = afterFailure(turn.history, failure, rules, Math.random());
    turn.history = history;
    const now = performance.now();
    const at =
      againAfterMs === undefined || turn.over
        ? undefined
        : this.#lanes.reserve(job.lane, now + againAfterMs, turn.deadlineAt);
    if (at === undefined) {
      this.#fail(turn, failure);
      return;
    }
    turn.lastFailure = failure;
    turn.pause = setTimeout(() => this.#attempt(turn), at - now);
  }

  #succeed(turn: Turn, status: number, envelope: Envelope | null): void {
    turn.history = { ...turn.history, attempts: turn.history.attempts + 1 };
    const data = status === 404 ? null : (envelope?.data ?? null);
    this.#end(turn, { ok: true, status, envelope, data, asked: turn.asked, tally: turn.tally() });
  }

  /** Ends a job with what its attempts add up to: once one of them was doubtful, no later refusal takes the doubt away. */
  #fail(turn: Turn, failure: TenantError): void {
    const { history } = turn;
    const sent = history.sent === "no" ? failure.sent : history.sent;
    const outcome = history.doubtful ? "unknown" : failure.outcome;
    const details = {
      ...failure.details,
      ...(sent !== "no" && turn.lastSentAt !== undefined && { sentAt: new Date(turn.lastSentAt).toISOString() }),
    };
    const error = new TenantError(
      failure.code,
      failure.phase,
      sent,
      outcome,
      failure.retryable,
      details,
      failure.key,
      failure.params,
    );
    this.#end(turn, { ok: false, error, asked: turn.asked, tally: turn.tally() });
  }

  #end(turn: Turn, end: End): void {
    if (turn.over) return;
    turn.over = true;
    turn.exchange = undefined;
    clearTimeout(turn.timer);
    clearTimeout(turn.pause);
    const { once, lane } = turn.job;
    if (once && turn.holdsKey) this.once.settle(once.key, outcomeOf(end));
    this.#trouble?.heard(end);
    turn.listener.ended(end);
    if (turn.started === undefined) return;
    this.#underWay.remove(turn);
    this.#lanes.finish(lane);
    if (this.#lanes.underWay > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
    if (this.#retired) void this.#wire?.close();
  }

  /** A harmless question beside all turns: whether the tenant answers again. */
  #probe(): Promise<TenantError | undefined> {
    return new Promise((resolve) => {
      const job: Job = { id: "", nodeId: "", action: "probe", lane: "other", repeat: "never", request: PROBE };
      const turn = new Turn(job, null, {}, { ended: (end) => resolve(end.ok ? undefined : end.error) });
      turn.timer = setTimeout(() => this.#deadline(turn), this.#options.timeoutMs);
      this.#attempt(turn);
    });
  }

  /**
   * Ends for good, since the process will: nothing that waits is started, what is under way is waited for.
   * @param withinMs what is under way for longer is given up
   */
  async stop(withinMs: number): Promise<void> {
    this.refuse(notSent("ERR_DROPPED", "queue", { retryable: true }));
    const patience = setTimeout(() => this.abort(), withinMs);
    await this.idle();
    clearTimeout(patience);
  }

  /** Ends for good at once: what is under way is given up, and every job has ended when this returns. */
  abort(): void {
    this.refuse(notSent("ERR_DROPPED", "queue", { retryable: true }));
    for (const turn of this.#underWay.list()) {
      turn.exchange?.abandon(new DeadlineError("stopped"));
      if (!turn.over) this.#fail(turn, this.#overdue(turn));
    }
  }

  /** Fails what waits, in both lanes; what is under way goes on. Returns how many that were. */
  drop(): number {
    const waiting = this.#lanes.drain();
    for (const { entry } of waiting) this.#fail(entry, notSent("ERR_DROPPED", "queue", { retryable: true }));
    return waiting.length;
  }

  /** Fails what waits for one node: it was deleted, and whoever deletes a node wants its calls to stop. */
  dropOf(nodeId: string): void {
    for (const { lane, entry } of this.#lanes.drain()) {
      if (entry.job.nodeId === nodeId) this.#fail(entry, notSent("ERR_DROPPED", "queue", { retryable: true }));
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

  #takeOver(turn: Turn): void {
    const { job, listener, accepted } = turn;
    const mine = new Turn(job, this.#body(job), asked(job.request, this.#options.partyFields), listener, accepted);
    mine.holdsKey = turn.holdsKey;
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
    if (this.#lanes.underWay === 0) void this.#wire?.close();
  }

  /** Resolves when nothing is under way any more. */
  idle(): Promise<void> {
    return this.#lanes.underWay === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }
}

function doubtOf({ request, repeat }: Job): Doubt {
  return { outcome: request.method === "GET" ? "not-applied" : "unknown", retryable: repeat !== "never" };
}

/** The field to shorten when a request is too large: its list, where it has one. */
function listIn({ request }: Job): string {
  const body = request.method === "POST" ? Object.entries(request.body) : [];
  return (body.find(([, value]) => Array.isArray(value)) ?? body[0])?.[0] ?? "";
}

/** What a tenant would have answered, in log mode: a created schedule comes with an id that no schedule has. */
function loggedEnvelope({ request, action }: Job): Envelope {
  const body = request.method === "POST" ? request.body : {};
  const now = new Date().toISOString().replace("Z", "000Z");
  const created = { name: body["name"], enable: body["enabled"], updated_at: now, created_at: now, id: 0 };
  return {
    success: true,
    code: 200,
    locale: "en",
    message: "OK",
    data: action === "business-hour-create" ? created : null,
  };
}
