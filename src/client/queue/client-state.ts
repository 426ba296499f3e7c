import type { Counts, Outcome, RestoredHandlers } from "../../backlog";
import type { TenantError } from "../errors";
import type { CallingHours, Guard } from "../guard/guard";
import type { Job, JobResult } from "../job";
import type { RequestStyle } from "../request-style";
import type { CircuitBreaker } from "./circuit-breaker";
import type { Orphan } from "./stored-call-out";

/** Handles the results of call-outs whose senders are gone. Must not throw. */
export interface RestoreHandler extends RestoredHandlers {
  /** Another process accepted it. */
  onOrphanedResult(orphan: Orphan, result: JobResult): void;
  /** Its sender let it go while it waited. */
  onLetGoResult(orphan: Orphan, result: JobResult): void;
  /** The outcome is known, but it may have been reported already. */
  onUnreportedOutcome(orphan: Orphan, outcome: Outcome): void;
}

/** What the parts of a client share, as it stands whenever it is read. */
export interface ClientState {
  readonly options: {
    readonly backlog: number;
    readonly callingHours?: CallingHours | undefined;
    readonly guard?: Guard | undefined;
  };
  readonly style: RequestStyle;
  /** Why every job is refused, if so. */
  readonly refusal: TenantError | undefined;
  readonly restoreHandler: RestoreHandler | undefined;
  readonly breaker: CircuitBreaker | undefined;
  /** All lanes together. */
  readonly waiting: Counts["waiting"];
  /** Called with each job that has ended here. Must not throw. */
  readonly onResult: ((job: Job, result: JobResult) => void) | undefined;
  /** Called with each job that waits for its date. Must not throw. */
  readonly onDated: ((job: Job) => void) | undefined;
  /** Pause, hold, counts or the backlog's failure have changed. */
  notify(): void;
}
