import type { TenantError } from "../errors";
import type { Job, JobResult } from "../job";
import type { Scheduler } from "./scheduler";

/** Sends a job while the lanes are held. */
type SendProbe = (job: Job) => Promise<JobResult>;

/** The smallest read of the interface; it is harmless however often it is sent. */
const PROBE: Job = {
  id: "",
  nodeId: "",
  action: "probe",
  lane: "other",
  repeat: "never",
  request: { method: "GET", path: "/api/v1/setting/business-hour", query: { limit: 1 } },
};
const IN_A_ROW = 3;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
const NO_CONNECTION: ReadonlySet<string> = new Set(["ERR_DNS", "ERR_CONNECT", "ERR_CONNECT_TIMEOUT", "ERR_TLS"]);

/**
 * Holds the queue while a tenant cannot be used (`onTrouble: "wait"`): after a 429, or three refused tokens or failed
 * connections in a row, waiting jobs are held until the tenant answers a probe, instead of failing one by one.
 */
export class CircuitBreaker {
  readonly #lanes: Pick<Scheduler<unknown>, "hold" | "release">;
  readonly #send: SendProbe;
  #failuresInARow = 0;
  #probes = 0;
  #timer: NodeJS.Timeout | undefined;
  #holding = false;
  #stopped = false;

  constructor(lanes: Pick<Scheduler<unknown>, "hold" | "release">, send: SendProbe) {
    this.#lanes = lanes;
    this.#send = send;
  }

  /** Counts the result of a job. */
  observe(result: JobResult): void {
    if (this.#holding || this.#stopped) return;
    if (result.ok) {
      this.#failuresInARow = 0;
      return;
    }
    const { code, details } = result.error;
    if (code === "ERR_RATE_LIMITED") this.#hold(details.retryAfterMs);
    else if (code === "ERR_AUTH" || NO_CONNECTION.has(code)) {
      this.#failuresInARow += 1;
      if (this.#failuresInARow >= IN_A_ROW) this.#hold(undefined);
    } else if (details.httpStatus !== undefined) this.#failuresInARow = 0;
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #hold(waitMs: number | undefined): void {
    this.#holding = true;
    this.#probes = 0;
    this.#lanes.hold();
    this.#probeAfter(waitMs);
  }

  #probeAfter(waitMs: number | undefined): void {
    const growing = Math.min(FIRST_PAUSE_MS * 2 ** this.#probes, LONGEST_PAUSE_MS);
    this.#probes = Math.min(this.#probes + 1, 10);
    // A tenant that answers `Retry-After: 0` again and again is still given a pause.
    const pause = Math.max(waitMs ?? growing, FIRST_PAUSE_MS);
    // A timer of more than 24.8 days fires immediately.
    this.#timer = setTimeout(() => void this.#probe(), Math.min(pause, 2 ** 31 - 1));
  }

  async #probe(): Promise<void> {
    const result = await this.#send(PROBE);
    if (this.#stopped) return;
    if (!result.ok && keepsHolding(result.error)) {
      this.#probeAfter(result.error.details.retryAfterMs);
      return;
    }
    this.#holding = false;
    this.#failuresInARow = 0;
    this.#lanes.release();
  }
}

/** Any answer but 401, 429 and 5xx ends the hold; no answer does not. */
function keepsHolding({ details: { httpStatus } }: TenantError): boolean {
  return httpStatus === undefined || httpStatus === 401 || httpStatus === 429 || httpStatus >= 500;
}
