import type { Counts, Entry, Listed } from "../../backlog";
import { callOutOf } from "./stored-call-out";

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

/** What else than its turn an entry may wait for. */
type Hold = Pick<Counts, "paused" | "heldUntil"> & { readonly isOpen: boolean };

export function waitingCall({ entry, waitsFor }: Listed, position: number, hold: Hold): WaitingCall {
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
    waitsFor: waitsFor === "turn" ? holding(entry, hold) : waitsFor,
    position,
  };
}

/** Why an entry whose date has come is still waiting. */
function holding({ anytime, urgent }: Entry, { paused, heldUntil, isOpen }: Hold): WaitingCall["waitsFor"] {
  if (paused && !urgent) return "pause";
  if (heldUntil !== undefined) return "trouble";
  return anytime || isOpen ? "turn" : "hours";
}

function iso(instant: number | undefined): string | null {
  return instant === undefined ? null : new Date(instant).toISOString();
}
