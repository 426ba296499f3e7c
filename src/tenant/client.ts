import type { Address } from "./address";
import { Attempts } from "./attempts";
import type { ConnectOptions } from "./connect";
import { notSent, TenantError } from "./errors";
import { type Asked, type End, type Job, outcomeOf } from "./job";
import { type LaneLimits, Lanes } from "./lanes";
import { OnceKeys } from "./once";
import { redactor } from "./redact";
import { asked, type PartyFields, wireBody } from "./request";
import { TroubleWatch } from "./trouble";
import { type JobListener, Turn } from "./turn";

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
const PROBE: Job = {
  id: "",
  nodeId: "",
  action: "probe",
  lane: "other",
  repeat: "never",
  request: { method: "GET", path: "/api/v1/setting/business-hour", query: { limit: 1 } },
};

/** Largest request body, in bytes. Our choice: the interface shows no limit. */
const LARGEST_REQUEST = 256 * 1024;

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
  readonly #lanes: Lanes<Turn>;
  readonly #trouble: TroubleWatch | undefined;
  readonly #attempts: Attempts;
  /** Outlives the client where its successor serves the same target. */
  readonly once: OnceKeys;
  /** Resolves to why there will be no address, or to nothing once there is one. */
  readonly opened: Promise<TenantError | undefined>;

  constructor(options: ClientOptions, once = new OnceKeys()) {
    this.#options = options;
    this.once = once;
    this.#attempts = new Attempts(
      { ...options, connections: options.concurrency, redact: redactor(options.token) },
      {
        reserve: ({ lane }, earliest, latest) => this.#lanes.reserve(lane, earliest, latest),
        ended: (turn, end) => this.#ended(turn, end),
      },
    );
    this.#lanes = new Lanes(options, (turn) => this.#begin(turn));
    this.#trouble =
      options.onTrouble === "wait"
        ? new TroubleWatch({
            hold: () => this.#lanes.hold(),
            release: () => this.#lanes.release(),
            probe: () => this.#probe(),
          })
        : undefined;
    this.opened = this.#opening(options.address);
  }

  async #opening(address: Address | Promise<Address>): Promise<TenantError | undefined> {
    if (!(address instanceof Promise)) {
      this.#settle(address);
      return undefined;
    }
    this.#lanes.hold();
    try {
      this.#settle(await address);
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

  #settle(address: Address): void {
    this.#attempts.open(address);
    this.#lanes.release();
  }

  /** There will be no address: what waits and what comes fails alike. */
  #giveUp(error: TenantError): void {
    this.#unusable = error;
    for (const { entry } of this.#lanes.drain()) this.#refuse(entry, error);
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
    if (refusal) this.#refuse(turn, refusal);
    else if (!this.#lanes.add(job.lane, turn)) {
      this.#refuse(
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
    return notSent("ERR_DUPLICATE", "queue", {
      first: taken,
      params: { at: taken.at, outcome: { word: taken.outcome } },
    });
  }

  /** Returns whether anything was attempted. */
  #begin(turn: Turn): boolean {
    turn.hasPlace = true;
    this.#attempts.begin(turn);
    return !turn.over || turn.history.attempts > 0;
  }

  /** Ends a turn that was never begun. */
  #refuse(turn: Turn, error: TenantError): void {
    this.#ended(turn, turn.failure(error));
  }

  #ended(turn: Turn, end: End): void {
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

  /** A harmless question beside all turns: whether the tenant answers again. */
  #probe(): Promise<TenantError | undefined> {
    return new Promise((resolve) => {
      this.#attempts.begin(new Turn(PROBE, null, {}, { ended: (end) => resolve(end.ok ? undefined : end.error) }));
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
    this.#attempts.giveUp();
  }

  /** Fails what waits, in both lanes; what is under way goes on. Returns how many that were. */
  drop(): number {
    const waiting = this.#lanes.drain();
    for (const { entry } of waiting) this.#refuse(entry, notSent("ERR_DROPPED", "queue", { retryable: true }));
    return waiting.length;
  }

  /** Fails what waits for one node: it was deleted, and whoever deletes a node wants its calls to stop. */
  dropOf(nodeId: string): void {
    for (const { lane, entry } of this.#lanes.drain()) {
      if (entry.job.nodeId === nodeId) this.#refuse(entry, notSent("ERR_DROPPED", "queue", { retryable: true }));
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
    if (this.#lanes.underWay === 0) this.#attempts.close();
  }

  /** Resolves when nothing is under way any more. */
  idle(): Promise<void> {
    return this.#lanes.underWay === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }
}

/** The field to shorten when a request is too large: its list, where it has one. */
function listIn({ request }: Job): string {
  const body = request.method === "POST" ? Object.entries(request.body) : [];
  return (body.find(([, value]) => Array.isArray(value)) ?? body[0])?.[0] ?? "";
}
