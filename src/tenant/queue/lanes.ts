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
  readonly trouble: string | undefined;
}

/** The requests of a tenant that wait, and those in flight. */
export interface Lanes extends CallOutHold, Pick<Counts, "restored" | "dated" | "nextDate" | "heldBack"> {
  readonly waiting: Readonly<Record<"callOut" | "other", number>>;
  readonly inFlight: number;
}

/** The current state, each time it is read. */
export function lanesOf(dispatcher: Dispatcher, state: ClientState): Lanes {
  const { callOuts } = dispatcher;
  return {
    get waiting() {
      return { callOut: callOuts.counts.waiting, other: dispatcher.waiting.waiting };
    },
    get restored() {
      return callOuts.counts.restored;
    },
    get dated() {
      return callOuts.counts.dated;
    },
    get nextDate() {
      return callOuts.counts.nextDate;
    },
    get heldBack() {
      return callOuts.counts.heldBack;
    },
    get paused() {
      return callOuts.counts.paused;
    },
    get heldUntil() {
      return callOuts.counts.heldUntil;
    },
    get callingHours() {
      return state.options.callingHours;
    },
    get trouble() {
      return callOuts.failure;
    },
    get inFlight() {
      return dispatcher.inFlight;
    },
  };
}
