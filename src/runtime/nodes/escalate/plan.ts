import type { TenantError } from "../../../client";
import type { Beginning, CallEnd, Callee, Failure, Progress, Resolution } from "./progress";

/** Everything that decides what an escalation does next. */
export interface Plan {
  /** The part that a durable backlog keeps. */
  readonly progress: Progress;
  /**
   * `reading`: the first message is being read. `stopped`: Node-RED stops, and the next process goes on. `abandoned`: Node-RED
   * stops, and no process goes on.
   */
  readonly phase: "reading" | "running" | "stopped" | "abandoned" | "ended";
  /**
   * The pending call attempt. `left`: placed by an earlier process. `recalled`: placed, and taken back if it still waits. `ending`:
   * there is none, and the end is being saved.
   */
  readonly attempt: "none" | "saving" | "placed" | "left" | "recalled" | "ending";
  /** The progress with which the end was saved: if it is still the same, the record is this process' own, and complete. */
  readonly ended?: Progress;
  /** The part that could not be saved, and is saved again with the next timer: nothing is called and nothing ends until then. */
  readonly unsaved?: string | null | undefined;
  /** The record in the backlog. `claiming`: being created without a call. `own`: no other process has this incident. */
  readonly record: "none" | "claiming" | "own";
  /** Whether another process may run the same incident. */
  readonly isShared: boolean;
  /** Whether an instance of the node is there. Nobody is called otherwise. */
  readonly isNodeThere: boolean;
  /** The escalation ends with this error as soon as the outcome of the pending call is known. */
  readonly failure?: Failure | undefined;
  /** The trouble of the service, and since when it keeps the pending call, which uses up no turn meanwhile. */
  readonly trouble?: TenantError | undefined;
  readonly keptSince?: number | undefined;
  /** The beginning of the ids of this process' call attempts, and their number. */
  readonly idPrefix: string;
  readonly attempts: number;
}

export type Event =
  /** @property unreadable entries that nobody can be called by */
  | ({ readonly type: "read"; readonly unreadable?: readonly Callee[] } & Beginning)
  | { readonly type: "attached" | "detached" | "due" | "again" | "takenOver" | "stopped" }
  | Resolution
  /** Trouble of the service holds the calls, or (`undefined`) does not any more. */
  | { readonly type: "trouble"; readonly error: TenantError | undefined }
  | { readonly type: "failed"; readonly error: TenantError }
  /** @property id the call attempt that was to be saved before it is made, `END`, or `null` */
  | { readonly type: "saved"; readonly id: string | null; readonly isOwn: boolean }
  | { readonly type: "saveFailed"; readonly id: string | null; readonly error: TenantError }
  /** The outcome of a call; it may arrive more than once. */
  | ({ readonly type: "result" } & CallEnd)
  /** A recalled call does not wait, and nothing more will become known of it. */
  | { readonly type: "notFound"; readonly id: string };

export type Ending =
  | { readonly as: "resolved" | "nobody" | "elsewhere" }
  | { readonly as: "failed"; readonly error: Failure };

export type Command =
  | { readonly do: "save"; readonly id: string | null }
  | { readonly do: "call"; readonly id: string; readonly person: number }
  | { readonly do: "withdraw" | "recall"; readonly id: string }
  | { readonly do: "wake"; readonly at: number }
  | { readonly do: "removeRecord" }
  | { readonly do: "end"; readonly ending: Ending };
