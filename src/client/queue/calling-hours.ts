import type { Counts } from "../../backlog";
import type { TenantError } from "../errors";

/** When call-outs may leave, as it stands whenever it is read. */
export interface CallingHours {
  readonly isOpen: boolean;
  /** Whether they were open for a moment between two instants, epoch milliseconds; `undefined` until the schedule is read. Default: yes. */
  wasOpen?(from: number, until: number): boolean | undefined;
  /** When they open next, ISO 8601 with the zone's offset; null if that is not known, or while they are open. */
  readonly opensAt: string | null;
  /** The date on the calendar of their zone, YYYY-MM-DD. */
  readonly today: string;
  /** Why the schedule cannot be read: call-outs rest until it can. */
  readonly problem: TenantError | undefined;
  /** Why new call-outs that would wait for them are refused: the tenant has no such schedule. */
  readonly refusal?: TenantError | undefined;
}

/** Why call-outs are held. */
export interface CallOutHold extends Pick<Counts, "paused" | "heldUntil" | "reason"> {
  /** When call-outs may leave, if that is limited. */
  readonly callingHours: CallingHours | undefined;
}
