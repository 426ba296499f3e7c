import type { Counts, Entry, WaitingEntry } from "../../backlog";
import type { TenantError } from "../errors";
import { callOutOf } from "./stored-call-out";

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

/** A call-out that waits. Instants are ISO 8601. */
export interface WaitingCall {
  /** Its deduplication key; null if it has none, or one of more than 256 characters. */
  readonly key: string | null;
  readonly nodeId: string;
  readonly number: string | null;
  readonly acceptedAt: string;
  readonly notBefore: string | null;
  readonly notAfter: string | null;
  readonly urgent: boolean;
  readonly waitsFor: "date" | "hours" | "turn" | "pause" | "trouble" | "held-back";
  /** Among all that wait, from 1. */
  readonly position: number;
}

export function waitingCall({ entry, waitsFor }: WaitingEntry, position: number, hold: CallOutHold): WaitingCall {
  const { key, job, at } = callOutOf(entry);
  const number = job.request.method === "POST" ? job.request.body["to.number"] : undefined;
  return {
    key,
    nodeId: entry.nodeId,
    number: typeof number === "string" ? number : null,
    acceptedAt: new Date(at).toISOString(),
    notBefore: iso(entry.notBefore),
    notAfter: iso(entry.notAfter),
    urgent: entry.urgent === true,
    waitsFor: waitsFor === "turn" ? heldBy(entry, hold) : waitsFor,
    position,
  };
}

/** Why a call whose date has come is still waiting. Closed hours end at a known time, trouble does not. */
export function heldBy(
  { anytime, urgent }: Pick<Entry, "anytime" | "urgent">,
  { paused, heldUntil, reason, callingHours }: CallOutHold,
): "pause" | "hours" | "trouble" | "turn" {
  if (paused && !urgent) return "pause";
  if (callingHours?.isOpen === false && !anytime) return "hours";
  return heldUntil === undefined && reason === undefined ? "turn" : "trouble";
}

function iso(instant: number | undefined): string | null {
  return instant === undefined ? null : new Date(instant).toISOString();
}
