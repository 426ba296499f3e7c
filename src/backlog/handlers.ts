import type { Entry, Settlement } from "./entry";
import type { Turn } from "./turn";

export interface Counts {
  /** Entries that wait, of the whole group. */
  readonly waiting: number;
  readonly bytes: number;
  /** Entries that were accepted before the last start, and have not ended. */
  readonly restored: number;
  readonly paused: boolean;
  /** Epoch milliseconds until which starts are held, or `undefined`. */
  readonly heldUntil: number | undefined;
}

/** What a backlog notifies of what an earlier process left. */
export interface RestoredHandlers {
  /** Entries restored for a node that no longer exists are dropped. */
  hasNode(nodeId: string): boolean;
  /** A record that an earlier process left is this one's now. */
  onRecordRestored?(name: string, value: unknown): void;
  /** Somebody has noted something on a record of this process. */
  onRecordNote?(name: string, note: unknown): void;
}

/** What the one who performs an entry gets of its turn. */
export type Run = Pick<Turn, "entry" | "sender" | "retryAt" | "acquireSendSlot" | "requeue" | "settle">;

/** Performs what a backlog begins. */
export interface Handlers {
  readonly restored?: RestoredHandlers | undefined;
  /** How many may begin now. If there are more later, call `dispatch`. */
  places(): number;
  /** Requests of this process that wait outside the backlog and count against the limits. */
  others(): Pick<Counts, "waiting" | "bytes">;
  /** Whether starts are open, for entries that do not begin at any time. If that changes, call `dispatch`. */
  isOpen(): boolean;
  begin(run: Run): void;
  onSettled(entry: Entry, settlement: Settlement, sender: unknown): void;
  /** Another process has restored the entry, and reports how it ends. */
  onInherited(entry: Entry, sender: unknown): void;
  /** The counts have changed. */
  onChange(): void;
  /** The store fails, or (`undefined`) works again. */
  onFailure(reason: string | undefined): void;
}
