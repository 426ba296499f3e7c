import { performance } from "node:perf_hooks";
import type { Entry } from "../../backlog";
import type { Job } from "../job";
import type { JobRun } from "../job-run";
import type { Body } from "../request";

/** A call-out as a durable backlog keeps it, with its request before a style is applied. */
interface Stored {
  readonly job: Pick<Job, "id" | "nodeId" | "action" | "repeat" | "anytime" | "loggedData">;
  /** Its deduplication key, if that is short. */
  readonly key?: string;
  readonly path: string;
  readonly body: Body;
  /** When it was accepted, epoch milliseconds. */
  readonly at: number;
  /** What the sender keeps beside it. */
  readonly kept: unknown;
}

/** A longer deduplication key is not kept, but for its hash. Characters. */
const LONGEST_KEY = 256;

/** A call-out whose sender is gone, because its process has ended. */
export interface Orphan {
  /** Its id in the backlog. */
  readonly entryId: string;
  readonly job: Job;
  /** When it was accepted, epoch milliseconds. */
  readonly at: number;
  /** What the sender kept beside it. */
  readonly kept: unknown;
}

/** The content of a durable entry, what it adds to the length of the request in bytes, and whether the sender needs nothing else. */
export function contentOf({ job, at, hooks, style, body: written }: JobRun): {
  readonly content: string;
  readonly size: number;
  readonly isExact: boolean;
} {
  const { id, nodeId, action, repeat, anytime, loggedData, request } = job;
  // The same text as the run's own where that is no other style.
  const isSame = written !== null && style.partyFields === "dotted";
  const body = isSame ? written : JSON.stringify(request.method === "POST" ? request.body : {});
  const { kept = null, size = 0, isExact = false } = hooks.keep?.() ?? {};
  const key = shortKey(job);
  const head: Omit<Stored, "body"> = {
    job: { id, nodeId, action, repeat, ...(anytime && { anytime }), ...(loggedData !== undefined && { loggedData }) },
    ...(key !== null && { key }),
    path: request.path,
    at,
    kept,
  };
  return { content: `${JSON.stringify(head).slice(0, -1)},"body":${body}}`, size, isExact };
}

function stored({ content }: Entry): Stored {
  return JSON.parse(content ?? "null") as Stored;
}

/** A job's deduplication key, as it can be shown. */
export function shortKey({ deduplication }: Job): string | null {
  const { key = null } = deduplication ?? {};
  return key !== null && key.length <= LONGEST_KEY ? key : null;
}

export function orphanOf(entry: Entry): Orphan {
  const { id: entryId, notAfter, notBefore } = entry;
  const { job, path, body, at, kept } = stored(entry);
  const request = { method: "POST", path, body } as const;
  const limits = { ...(notAfter !== undefined && { notAfter }), ...(notBefore !== undefined && { notBefore }) };
  return { entryId, job: { ...job, lane: "callOut", request, ...limits }, at, kept };
}

/** The deduplication key of an entry, as it can be shown. */
export function keptKeyOf(entry: Entry): string | null {
  return stored(entry).key ?? null;
}

/** The job of a call-out that another process has accepted, and when that was: monotonic milliseconds. */
export function restoredJob(entry: Entry): { readonly job: Job; readonly acceptedAt: number } {
  const { job, at } = orphanOf(entry);
  return { job, acceptedAt: performance.now() - Math.max(Date.now() - at, 0) };
}
