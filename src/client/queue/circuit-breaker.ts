import type { TenantError } from "../errors";
import type { Job, JobResult } from "../job";
import { operations, requestFor } from "../operations";

/** Sends a job past the lanes. */
type SendProbe = (job: Job) => Promise<JobResult>;

/** The smallest read of the interface; it is harmless however often it is sent. */
const PROBE: Job = {
  id: "",
  nodeId: "",
  action: "probe",
  lane: "other",
  repeat: "never",
  request: requestFor(operations.listBusinessHours, { limit: 1 }),
};
const IN_A_ROW = 3;
const FIRST_PAUSE_MS = 1000;
/** A service that names a later time is asked again after this one: it may be a mistake of years. */
const LONGEST_PAUSE_MS = 60_000;
const NO_CONNECTION: ReadonlySet<string> = new Set(["ERR_DNS", "ERR_CONNECT", "ERR_CONNECT_TIMEOUT", "ERR_TLS"]);

/** The lane that is held. */
interface CallOutLane {
  /** @param until when the hold may end, epoch milliseconds */
  hold(until: number): void;
  release(): void;
}

/**
 * Holds the call-outs while a tenant cannot be used (`onTrouble: "wait"`): after a 429, or three refused tokens or failed
 * connections in a row, waiting call-outs are held until the tenant answers a probe, instead of failing one by one.
 */
export class CircuitBreaker {
  /** Why the lane is held. */
  trouble: TenantError | undefined;
  readonly #lane: CallOutLane;
  readonly #send: SendProbe;
  #failuresInARow = 0;
  #probes = 0;
  #timer: NodeJS.Timeout | undefined;
  /** When the next probe is sent, or when the current one was, epoch milliseconds; `undefined` unless holding. */
  #probeAt: number | undefined;
  /** Counts the holds, so that a probe's answer ends none but its own. */
  #holds = 0;
  #stopped = false;

  constructor(lane: CallOutLane, send: SendProbe) {
    this.#lane = lane;
    this.#send = send;
  }

  /** Counts the result of a job. */
  observe(result: JobResult): void {
    if (this.#probeAt !== undefined || this.#stopped) return;
    if (result.ok) {
      this.#failuresInARow = 0;
      return;
    }
    const { code, details } = result.error;
    if (code === "ERR_RATE_LIMITED") this.#hold(result.error);
    else if (code === "ERR_AUTH" || NO_CONNECTION.has(code)) {
      this.#failuresInARow += 1;
      if (this.#failuresInARow >= IN_A_ROW) this.#hold(result.error);
    } else if (details.httpStatus !== undefined) this.#failuresInARow = 0;
  }

  /** Ends a hold before the tenant has answered. */
  end(): void {
    clearTimeout(this.#timer);
    this.#probeAt = undefined;
    this.#failuresInARow = 0;
    this.trouble = undefined;
    this.#lane.release();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #hold(trouble: TenantError): void {
    this.trouble = trouble;
    this.#holds += 1;
    this.#probes = 0;
    this.#probeAfter(trouble.details.retryAfterMs);
  }

  #probeAfter(waitMs: number | undefined): void {
    const growing = FIRST_PAUSE_MS * 2 ** this.#probes;
    this.#probes = Math.min(this.#probes + 1, 10);
    // A tenant that answers `Retry-After: 0` again and again is still given a pause.
    this.#holdFor(Math.min(Math.max(waitMs ?? growing, FIRST_PAUSE_MS), LONGEST_PAUSE_MS));
  }

  #holdFor(pauseMs: number): void {
    this.#probeAt = Date.now() + pauseMs;
    this.#lane.hold(this.#probeAt);
    this.#timer = setTimeout(() => void this.#probe(), pauseMs);
  }

  async #probe(): Promise<void> {
    const hold = this.#holds;
    const result = await this.#send(PROBE);
    const isOver = this.#probeAt === undefined || this.#holds !== hold;
    if (this.#stopped || isOver) return;
    if (!result.ok && keepsHolding(result.error)) this.#probeAfter(result.error.details.retryAfterMs);
    else this.end();
  }
}

/** Any answer but 401, 429 and 5xx ends the hold; no answer does not. */
function keepsHolding({ details: { httpStatus } }: TenantError): boolean {
  return httpStatus === undefined || httpStatus === 401 || httpStatus === 429 || httpStatus >= 500;
}
