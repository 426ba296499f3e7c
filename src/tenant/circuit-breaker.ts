import type { TenantError } from "./errors";
import type { Job, JobResult } from "./job";
import type { Scheduler } from "./queue/scheduler";

/** Asks the tenant; resolves to the failure, or to nothing when it answered. */
type Ask = (job: Job) => Promise<TenantError | undefined>;

/** The smallest thing that the interface lets one read: it harms nobody, however often it is asked. */
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
 * Watches for a tenant in trouble (`onTrouble: "wait"`): after a 429, or three refused tokens or failed connections in a
 * row, what waits is held until the tenant answers a probe, instead of failing one by one.
 */
export class CircuitBreaker {
  readonly #lanes: Pick<Scheduler<unknown>, "hold" | "release">;
  readonly #ask: Ask;
  #row = 0;
  #probes = 0;
  #timer: NodeJS.Timeout | undefined;
  #holding = false;
  #closed = false;

  constructor(lanes: Pick<Scheduler<unknown>, "hold" | "release">, ask: Ask) {
    this.#lanes = lanes;
    this.#ask = ask;
  }

  /** Hears how a job ended. */
  heard(end: JobResult): void {
    if (this.#holding || this.#closed) return;
    if (end.ok) {
      this.#row = 0;
      return;
    }
    const { code, details } = end.error;
    if (code === "ERR_RATE_LIMITED") this.#hold(details.retryAfterMs);
    else if (code === "ERR_AUTH" || NO_CONNECTION.has(code)) {
      this.#row += 1;
      if (this.#row >= IN_A_ROW) this.#hold(undefined);
    } else if (details.httpStatus !== undefined) this.#row = 0;
  }

  close(): void {
    this.#closed = true;
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
    // A tenant that says "at once" again and again is not asked without a pause.
    const pause = Math.max(waitMs ?? growing, FIRST_PAUSE_MS);
    // A timer of more than 24.8 days would fire at once.
    this.#timer = setTimeout(() => void this.#probe(), Math.min(pause, 2 ** 31 - 1));
  }

  async #probe(): Promise<void> {
    const failure = await this.#ask(PROBE);
    if (this.#closed) return;
    if (failure && stillInTrouble(failure)) {
      this.#probeAfter(failure.details.retryAfterMs);
      return;
    }
    this.#holding = false;
    this.#row = 0;
    this.#lanes.release();
  }
}

/** Any answer but 401, 429 and 5xx ends the hold; no answer does not. */
function stillInTrouble({ details: { httpStatus } }: TenantError): boolean {
  return httpStatus === undefined || httpStatus === 401 || httpStatus === 429 || httpStatus >= 500;
}
