import { Backlog, type Counts, type Heap, MemoryStore, type Outcome, type RestoredHandlers } from "../../backlog";
import type { AttemptOptions } from "../attempt-loop";
import type { TenantError } from "../errors";
import type { Job, JobResult } from "../job";
import type { JobRun, ProgressHooks } from "../job-run";
import type { Address } from "../transport/address";
import type { StoredCallOut } from "./stored-call-out";

export interface ClientOptions extends AttemptOptions {
  /** The tenant's address. A sandbox has one once it listens. */
  readonly address: Address | Promise<Address>;
  /** Requests that may wait, all lanes together. */
  readonly backlog: number;
  /** Starts of call-outs per second, evenly spaced; 0 = no limit. */
  readonly rate: number;
  /** While the service refuses or cannot be reached: each call-out fails, or they wait for its end. */
  readonly onTrouble: "fail" | "wait";
  /** For no longer, milliseconds; 0 is no limit. */
  readonly waitAtMostMs?: number;
  /** In which instants are shown; that of the host without one. */
  readonly timezone?: string;
}

/** Bytes of requests that may wait, all lanes together: 10,000 large ones would end the process. */
export const MAX_WAITING_BYTES = 256 * 1024 * 1024;

/** How many of the requests in flight at once may be call-outs. */
export function callOutShare(concurrency: number): number {
  return concurrency - Math.floor(concurrency / 4);
}

/** Of a backlog that is not open. */
export const NO_COUNTS = new Backlog(new MemoryStore()).counts;

/** Handles the results of call-outs whose senders are gone. Must not throw. */
export interface RestoreHandler extends RestoredHandlers {
  /** Another process accepted it. */
  onOrphanedResult(call: Pick<StoredCallOut, "job" | "at" | "kept">, result: JobResult): void;
  /** The outcome is known, but it may have been reported already. */
  onUnreportedOutcome(call: Pick<StoredCallOut, "job">, outcome: Outcome): void;
}

/** What the parts of a client share, as it stands whenever it is read. */
export interface ClientState {
  readonly options: ClientOptions;
  /** Why every job is refused, if so. */
  readonly refusal: TenantError | undefined;
  /** Resolves to the reason why nothing can be sent, or to `undefined` once it can. */
  readonly opened: Promise<TenantError | undefined>;
  readonly restoreHandler: RestoreHandler | undefined;
  /** Requests that wait, all lanes together. */
  readonly waiting: number;
  /** Reports how a job ended, also if its sender is gone. */
  end(job: Job, hooks: ProgressHooks | undefined, result: JobResult, kept?: unknown): void;
  /** Called with each job that waits for its date. Must not throw. */
  readonly onDated: ((job: Job) => void) | undefined;
  /** Pause, hold, counts or the backlog's failure have changed. */
  notify(): void;
}

/** What a call-out that was performed is settled with. */
export interface Ended {
  readonly run: JobRun;
  readonly result: JobResult;
}

/** Performs call-outs, and knows how many places are free. */
export interface Performer {
  readonly callOutPlaces: number;
  readonly waiting: Pick<Counts, "waiting" | "bytes">;
  /** What has been started and has not ended. */
  readonly started: Pick<Heap<JobRun>, "items">;
  start(run: JobRun): void;
  /** Asks the service for something small. Never rejects. */
  probe(): Promise<JobResult>;
}
