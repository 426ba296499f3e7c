import type { Call, Watcher } from "./call";
import type { Entry, Key, Settlement } from "./entry";
import type { ProbeAnswer } from "./trouble/machine";

export interface Counts {
  /** Entries that wait, of the whole group. */
  readonly waiting: number;
  readonly bytes: number;
  /** Entries that were accepted before the last start, and have not ended. */
  readonly restored: number;
  /** Of those that wait: entries whose date has not come, and those that are held back. */
  readonly dated: number;
  readonly heldBack: number;
  /** The earliest date, epoch milliseconds. */
  readonly nextDate: number | undefined;
  readonly paused: boolean;
  /** Epoch milliseconds until which starts are held, or `undefined`. */
  readonly heldUntil: number | undefined;
  /** The code of the trouble that holds, and since when it does, epoch milliseconds; `undefined` if none does. */
  readonly reason: string | undefined;
  readonly reasonSince: number | undefined;
  /** Of those that wait, the ones of this process that are not held back. */
  readonly own: number;
  /** The same, of the whole group. */
  readonly notHeldBack: number;
}

/** The counts that are known of one process alone. */
export type OfProcess = "paused" | "heldUntil" | "nextDate" | "reason" | "reasonSince" | "own" | "notHeldBack";

/** Handles what an earlier process left. */
export interface RestoredHandlers {
  /** Whether the node of an entry is known to be deleted: the entry is dropped. */
  isDeleted(of: Pick<Entry, "nodeId" | "nodeType">): boolean;
  /** This process has taken over a record of an earlier one. */
  onRecordRestored?(name: string, value: unknown): void;
  /** A note on a record of this process has arrived. */
  onRecordNote?(name: string, note: unknown): void;
}

/** The calls that wait while the service fails, and for how long. */
export interface Patience {
  /** All of them, not only alarms and what was restored. */
  readonly isForAll: boolean;
  /** For no longer, unless they are alarms. Milliseconds; 0 is no limit. */
  readonly atMostMs: number;
  /** The longest time that a probe takes. Milliseconds. */
  readonly probeMs: number;
  /** Asks the service whether it works again. Never rejects. */
  probe(): Promise<ProbeAnswer>;
}

/** Performs what a backlog begins, and watches its calls. */
export interface Handlers extends Watcher {
  readonly restored?: RestoredHandlers | undefined;
  /** `undefined`: no call waits for the service. */
  readonly patience?: Patience | undefined;
  /** Counts how many may begin now; asked again right before one begins. If there are more later, call `dispatch`. */
  places(): number;
  /** Requests of this process that wait outside the backlog and count against the limits. */
  others(): Pick<Counts, "waiting" | "bytes">;
  /** Whether starts are open, for entries that do not begin at any time. If that changes, call `hoursChanged`. */
  isOpen(): boolean;
  /** Whether they were for a moment between the time an entry was free to go and an instant; `undefined`: unknown yet. Default: yes. */
  wasOpen?(entry: Entry, until: number): boolean | undefined;
  /** Performs a call, and settles it or lets it wait again. */
  begin(call: Call): void;
  /** The keys of which an entry takes a use at its date. */
  dueKeys?(entry: Entry): readonly Key[];
  /** A call has ended that nobody has settled, or one of an earlier process. Call `forget` once the flow or a person knows. */
  end(call: Call, settlement: Settlement): void;
  /** The counts have changed. */
  onChange(): void;
  /** The store fails, or (`undefined`) works again. */
  onFailure(reason: string | undefined): void;
}
