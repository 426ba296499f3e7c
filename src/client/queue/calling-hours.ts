import type { Counts } from "../../backlog";
import { type Exempt, type Hold, type Holds, holdsIn } from "../../backlog/reasons";
import type { TenantError } from "../errors";

/** The hours in which call-outs may leave, current whenever they are read. */
export interface CallingHours {
  readonly isOpen: boolean;
  /** Whether they were open for a moment between two instants, epoch milliseconds; `undefined` until the schedule is read. Default: yes. */
  wasOpen?(from: number, until: number): boolean | undefined;
  /** Returns the instant at which they will have been open for so long since another one, epoch milliseconds; `undefined` if unknown. */
  openFor?(ms: number, from: number): number | undefined;
  /** The next opening, ISO 8601 with the zone's offset; null if that is not known, or while they are open. */
  readonly opensAt: string | null;
  /** The date on the calendar of their zone, YYYY-MM-DD. */
  readonly today: string;
  /** The reason why the schedule cannot be read: call-outs rest until it can. */
  readonly problem: TenantError | undefined;
  /** The reason why new call-outs that would wait for them are refused: the tenant has no such schedule. */
  readonly refusal?: TenantError | undefined;
}

/** The state of a tenant that may hold its call-outs. */
export interface CallOutHold extends Pick<Counts, "paused" | "heldUntil" | "reason"> {
  /** `undefined` if they are not limited. */
  readonly callingHours: CallingHours | undefined;
}

/** The same without what only a status needs. */
type State = Omit<CallOutHold, "callingHours"> & {
  readonly callingHours: Pick<CallingHours, "isOpen" | "opensAt"> | undefined;
};

/** The same as facts for the list of reasons. Trouble of a single call has no code. */
export function holdOf({ paused, heldUntil, reason, callingHours }: State): Hold {
  const inTrouble = (reason ?? heldUntil) === undefined ? undefined : "all";
  const { isOpen = true, opensAt } = callingHours ?? {};
  return { paused, isClosed: !isOpen, opensAt, inTrouble, heldUntil };
}

/** @param of exempt from some of it: all calls that are meant */
export function holdsOf(hold: State, of: Exempt = {}): Holds {
  return holdsIn(holdOf(hold), of);
}
