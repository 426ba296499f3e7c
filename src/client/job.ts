import type { Call, Entry, Key, Watcher } from "../backlog";
import type { Envelope } from "./envelope";
import type { Outcome, TenantError } from "./errors";
import type { Request, RequestSummary } from "./request";
import type { Repeat } from "./retry-policy";
import type { Mode } from "./settings";

/**
 * Call-outs wait in a backlog of their own, so that a transfer of a live call overtakes a campaign. `live` is the front of
 * the lane `other`: actions on calls that are under way overtake bulk reads, too.
 */
export type Lane = "live" | "other" | "callOut";

/** One request to be sent for a node. Plain data, so that it can be handed to another client, stored and counted. */
export interface Job extends Pick<Entry, "anytime" | "urgent" | "alarm" | "list" | "again"> {
  /** The message's id. */
  readonly id: string;
  /** The node's id; empty for requests that belong to no node's message. */
  readonly nodeId: string;
  /** The node type, e.g. `call-out`. */
  readonly action: string;
  readonly lane: Lane;
  readonly repeat: Repeat;
  /** Whether it does not wait for a 429's Retry-After, because messages wait for this answer. */
  readonly impatient?: true;
  readonly request: Request;
  /** The request is not sent after this instant, epoch milliseconds. */
  readonly notAfter?: number;
  /** A call-out waits until this instant, epoch milliseconds. */
  readonly notBefore?: number;
  /** The request is sent at most once for this key in this many milliseconds. */
  readonly deduplication?: {
    readonly key: string;
    /** Equal keys of different scopes differ. */
    readonly scope?: string;
    readonly forMs: number;
  };
  /** The keys that a call-out takes with its acceptance, all or none, instead of `deduplication`. */
  readonly keys?: readonly Key[];
  /** The fate of a call-out that still waits with the same key: by default, the key is refused. */
  readonly onceAgain?: "refuse" | "replace";
  /** The name of the record that a call-out goes on with. */
  readonly record?: string;
  /** The id of a call-out in the backlog, so that it can be withdrawn. Made if it is not given. */
  readonly entryId?: string;
  /** The answer's data in log mode, where nothing is sent; `null` when not given. */
  readonly loggedData?: unknown;
}

/** The time that a request took. Milliseconds in the queue, and from its start to the answer. */
export interface Timings {
  readonly attempts: number;
  readonly waitedMs: number;
  readonly elapsedMs: number;
}

export const NO_TIMINGS: Timings = { attempts: 0, waitedMs: 0, elapsedMs: 0 };

export type JobResult = (
  | { readonly ok: true; readonly status: number; readonly envelope: Envelope | null; readonly data: unknown }
  | { readonly ok: false; readonly error: TenantError }
) & {
  readonly summary: RequestSummary;
  readonly timings: Timings;
  /** Whether the items of a list were sent one by one as they arrived: nothing is left to send. */
  readonly sentOn?: boolean;
  /** Whether several requests were made, and all of them were reads. */
  readonly onlyRead?: boolean;
  /** The job was accepted by another process: when, ISO 8601, and the paths of what its message lacks since. */
  readonly restored?: { readonly at: string; readonly left: readonly string[] };
  /** The tenant's mode when the job was accepted; a later deploy may have changed it. */
  readonly mode?: Mode | null;
  /** Whether its call took the place of one whose outcome was unknown. */
  readonly again?: true;
  /** Whether a webhook answers who sent the message. */
  readonly isAnswered?: boolean;
  /** To be called once the flow or the log has the result: until then, a durable backlog keeps it. */
  readonly reported?: () => void;
  /** ERR_DUPLICATE: the call in this process that has the key, and has not begun. */
  readonly holder?: Call;
};

export type Answered = Extract<JobResult, { ok: true }>;
export type Failed = Extract<JobResult, { ok: false }>;

/** The origin of a request: watches its call, and gets its result. */
export interface Owner extends Partial<Watcher> {
  /**
   * Takes the result, once. Must not throw.
   * @param kept what the backlog kept beside the job
   */
  ended(result: JobResult, kept?: unknown): void;
  /** Returns what to keep beside the job in a backlog that outlives the process: JSON text, and its length in bytes, about. */
  keep?(): { readonly kept: string; readonly size: number };
}

export interface Unfinished {
  readonly owner: unknown;
  readonly summary: RequestSummary;
  readonly isInFlight: boolean;
  /** Whether the next process continues with it, or reports what is known of it. */
  readonly isKept: boolean;
  /** If the process ended now. A job in flight goes on, and may still be applied. */
  readonly outcome: Outcome;
}

export function outcomeOf(result: JobResult): Outcome {
  return result.ok ? "applied" : result.error.outcome;
}
