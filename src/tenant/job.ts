import type { Envelope } from "./envelope";
import type { Outcome, TenantError } from "./errors";
import type { Lane } from "./queue/scheduler";
import type { Request } from "./request";
import type { Repeat } from "./retry-policy";
import type { Mode } from "./settings";

/** One request to be done for a node: plain data, so that it can be handed on, written down and counted. */
export interface Job {
  /** The message's id. */
  readonly id: string;
  readonly nodeId: string;
  /** The node type, e.g. `call-out`. */
  readonly action: string;
  readonly lane: Lane;
  readonly repeat: Repeat;
  readonly request: Request;
  /** Not to be sent after this instant, epoch milliseconds. */
  readonly notAfter?: number;
  /** Done at most once for this key in this many milliseconds. */
  readonly once?: { readonly key: string; readonly forMs: number };
}

/** What a request took. Milliseconds, waiting for its turn and from then to the answer. */
export interface Timings {
  readonly attempts: number;
  readonly waitedMs: number;
  readonly elapsedMs: number;
}

/** How a job ended. */
export type JobResult = (
  | {
      readonly ok: true;
      readonly status: number;
      readonly envelope: Envelope | null;
      readonly data: unknown;
      readonly asked: RequestSummary;
      readonly tally: Timings;
    }
  | { readonly ok: false; readonly error: TenantError; readonly asked: RequestSummary; readonly tally: Timings }
) & {
  /** Its items went out one by one as they came: there is nothing left to send. */
  readonly sentOn?: boolean;
  /** The tenant's mode when the job was begun; a later deploy may have changed it. */
  readonly mode?: Mode;
};

/** Body, query or id of a request, as it was asked for. */
export type RequestSummary = Readonly<Record<string, unknown>>;

export function outcomeOf(end: JobResult): Outcome {
  return end.ok ? "applied" : end.error.outcome;
}
