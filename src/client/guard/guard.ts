import type { Key } from "../../backlog";
import type { TenantError } from "../errors";
import type { Job } from "../job";

/** What a guard needs to know of a job: plain data, so that a job of an earlier process is guarded, too. */
export type Guarded = Pick<Job, "action" | "request" | "alarm">;

/** Decides which numbers a tenant's calls may reach. */
export interface Guard {
  /**
   * Why a request must not be sent, if so: ERR_BLOCKED, or ERR_CONFIG if a list cannot be read. Asked when the request is
   * accepted, and again before each attempt. Never throws or rejects.
   */
  check(job: Guarded): TenantError | undefined | Promise<TenantError | undefined>;
  /** The keys of which each call to the same number takes a use; none if calls are not limited, or for an alarm. */
  rateLimitKeys(job: Guarded): readonly Key[];
}

/** When call-outs may leave, as it stands whenever it is read. */
export interface CallingHours {
  readonly isOpen: boolean;
  /** When they open next, ISO 8601 with the zone's offset; null if that is not known, or while they are open. */
  readonly opensAt: string | null;
  /** The date on the calendar of their zone, YYYY-MM-DD. */
  readonly today: string;
  /** Why the schedule cannot be read: call-outs rest until it can. */
  readonly problem: TenantError | undefined;
  /** Why new call-outs that would wait for them are refused: the tenant has no such schedule. */
  readonly refusal?: TenantError | undefined;
}
