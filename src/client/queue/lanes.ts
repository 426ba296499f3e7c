import type { Counts } from "../../backlog";
import type { CallingHours } from "../guard/guard";
import type { ClientState } from "./client-state";
import type { Dispatcher } from "./dispatcher";

/** Why call-outs are held. */
export interface CallOutHold {
  /** Until an operator resumes. */
  readonly paused: boolean;
  /** While the service cannot be used: when it is tried again, epoch milliseconds. */
  readonly heldUntil: number | undefined;
  /** When call-outs may leave, if that is limited. */
  readonly callingHours: CallingHours | undefined;
  /** Why the backlog fails, while it does. */
  readonly failure: string | undefined;
}

/** The requests of a tenant that wait, and those in flight. */
export interface Lanes extends CallOutHold, Omit<Counts, "waiting"> {
  readonly waiting: Readonly<Record<"callOut" | "other", number>>;
  readonly inFlight: number;
}

/** The state of a tenant's lanes now. */
export function lanesOf({ callOuts, waiting, inFlight }: Dispatcher, { options }: ClientState): Lanes {
  const { counts, failure } = callOuts;
  return {
    ...counts,
    waiting: { callOut: counts.waiting, other: waiting.waiting },
    callingHours: options.callingHours,
    failure,
    inFlight,
  };
}
