import type { Entry } from "../../backlog";
import type { JobRun } from "../job-run";
import { keptKeyOf, orphanOf, shortKey } from "./stored-call-out";

/** A call-out that waits. Instants are ISO 8601. */
export interface WaitingCall {
  /** Its deduplication key; null if it has none, or one of more than 256 characters. */
  readonly key: string | null;
  readonly nodeId: string;
  readonly number: string | null;
  readonly acceptedAt: string;
  readonly notBefore: string | null;
  readonly notAfter: string | null;
  readonly waitsFor: "date" | "hours" | "turn" | "pause" | "hold" | "held-back";
  /** Among all that wait, from 1. */
  readonly position: number;
}

/** @param run its run, if this process has accepted it */
export function waitingCall(
  entry: Entry,
  run: JobRun | undefined,
  state: Pick<WaitingCall, "waitsFor" | "position">,
): WaitingCall {
  const { job, at } = run ?? orphanOf(entry);
  const { request } = job;
  const number = request.method === "POST" ? request.body["to.number"] : undefined;
  return {
    key: run ? shortKey(job) : keptKeyOf(entry),
    nodeId: entry.nodeId,
    number: typeof number === "string" ? number : null,
    acceptedAt: new Date(at).toISOString(),
    notBefore: iso(entry.notBefore),
    notAfter: iso(entry.notAfter),
    ...state,
  };
}

function iso(instant: number | undefined): string | null {
  return instant === undefined ? null : new Date(instant).toISOString();
}
