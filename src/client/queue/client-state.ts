import type { Counts, Outcome, RestoredHandlers } from "../../backlog";
import type { TenantError } from "../errors";
import type { CallingHours } from "../guard/guard";
import type { Guard } from "../guard/number-guard";
import type { Job, JobResult } from "../job";
import type { ProgressHooks } from "../job-run";
import type { RequestStyle } from "../request-style";
import type { StoredCallOut } from "./stored-call-out";

/** Handles the results of call-outs whose senders are gone. Must not throw. */
export interface RestoreHandler extends RestoredHandlers {
  /** Another process accepted it. */
  onOrphanedResult(call: StoredCallOut, result: JobResult): void;
  /** The outcome is known, but it may have been reported already. */
  onUnreportedOutcome(call: StoredCallOut, outcome: Outcome): void;
}

/** Of a backlog that is not open. */
export const NO_COUNTS: Counts = {
  waiting: 0,
  bytes: 0,
  restored: 0,
  dated: 0,
  heldBack: 0,
  nextDate: undefined,
  paused: false,
  heldUntil: undefined,
};

/** What the parts of a client share, as it stands whenever it is read. */
export interface ClientState {
  readonly options: {
    readonly backlog: number;
    readonly callingHours?: CallingHours | undefined;
    readonly guard?: Guard | undefined;
    readonly onlyLog?: unknown;
    readonly timeoutMs: number;
    readonly onTrouble: "fail" | "wait";
    readonly waitAtMostMs?: number;
  };
  readonly style: RequestStyle;
  /** Why every job is refused, if so. */
  readonly refusal: TenantError | undefined;
  /** Resolves to the reason why nothing can be sent, or to `undefined` once it can. */
  readonly opened: Promise<TenantError | undefined>;
  readonly restoreHandler: RestoreHandler | undefined;
  /** All lanes together. */
  readonly waiting: Counts["waiting"];
  /** Reports how a job ended, also if its sender is gone. */
  end(job: Job, hooks: ProgressHooks | undefined, result: JobResult, kept?: unknown): void;
  /** Called with each job that waits for its date. Must not throw. */
  readonly onDated: ((job: Job) => void) | undefined;
  /** Pause, hold, counts or the backlog's failure have changed. */
  notify(): void;
}
