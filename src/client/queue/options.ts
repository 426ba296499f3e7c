import type { Outcome, RestoredHandlers } from "../../backlog";
import type { AttemptOptions } from "../attempt-loop";
import type { Job, JobResult, Owner } from "../job";
import type { Address } from "../transport/address";
import type { JobRun } from "./job-run";
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

/** Handles the results of call-outs whose owners are gone. Must not throw. */
export interface RestoreHandler extends RestoredHandlers {
  /** Reports the result of a call-out that another process accepted. */
  onOrphanedResult(call: Pick<StoredCallOut, "job" | "at" | "kept">, result: JobResult): void;
  /** The outcome is known, but it may have been reported already. @param reported to be called once it is, for certain */
  onUnreportedOutcome(call: Pick<StoredCallOut, "job">, outcome: Outcome, reported: () => void): void;
}

/** Is told what happens at a client. No function may throw. */
export interface Follower {
  /** Reports that call-outs are paused, held or resumed, that waiting requests are dropped, or that the backlog fails. */
  changed?(): void;
  /** A call-out waits for its date. */
  dated?(job: Job): void;
  /** A call-out whose outcome is unknown was forgotten, because there are too many about which nobody has decided. */
  unknownFull?(): void;
  ended?(job: Job, result: JobResult): void;
}

/** The request of a call that has not begun. */
export interface Owned {
  readonly owner: Owner | undefined;
  readonly run: JobRun;
}
