import { performance } from "node:perf_hooks";
import type { Entry } from "../../backlog";
import type { Job } from "../job";
import type { JobRun } from "../job-run";

/** A call-out as a durable backlog keeps it: JSON, with its request before a style is applied. */
interface Stored {
  readonly job: Omit<Job, "request" | "notAfter" | "notBefore" | "deduplication">;
  /** Its deduplication key, if that is short. */
  readonly key?: string;
  readonly path: string;
  /** JSON text. */
  readonly body: string;
  /** When it was accepted, epoch milliseconds. */
  readonly at: number;
  /** What the sender keeps beside it. */
  readonly kept: unknown;
}

/** A longer deduplication key is not kept, but for its hash. Characters. */
const LONGEST_KEY = 256;

/** What becomes of a call-out whose sender is gone: its process has ended. */
export interface Orphan {
  /** Its id in the backlog. */
  readonly entryId: string;
  readonly job: Job;
  /** When it was accepted, epoch milliseconds. */
  readonly at: number;
  /** What the sender kept beside it. */
  readonly kept: unknown;
}

/** The content of a durable entry, and what it adds to the length of the request. Bytes. */
export function contentOf({ job, at, hooks, style, body: written }: JobRun): {
  readonly content: Stored;
  readonly size: number;
} {
  const { id, nodeId, action, lane, repeat, anytime, request } = job;
  // The same text as the run's own where that is no other style.
  const isSame = written !== null && style.partyFields === "dotted";
  const body = isSame ? written : JSON.stringify(request.method === "POST" ? request.body : {});
  const { kept, size } = hooks.keep?.() ?? { kept: null, size: 0 };
  const key = shortKey(job);
  const content = {
    job: { id, nodeId, action, lane, repeat, ...(anytime && { anytime }) },
    ...(key !== null && { key }),
    path: request.path,
    body,
    at,
    kept,
  };
  return { content, size };
}

/** A job's deduplication key, as it can be shown. */
export function shortKey({ deduplication }: Job): string | null {
  const { key = null } = deduplication ?? {};
  return key !== null && key.length <= LONGEST_KEY ? key : null;
}

export function orphanOf({ id: entryId, content, notAfter, notBefore }: Entry): Orphan {
  const { job, path, body, at, kept } = content as Stored;
  const request = { method: "POST", path, body: JSON.parse(body) } as const;
  const limits = { ...(notAfter !== undefined && { notAfter }), ...(notBefore !== undefined && { notBefore }) };
  return { entryId, job: { ...job, request, ...limits }, at, kept };
}

/** The deduplication key of an entry, as it can be shown. */
export function keptKeyOf({ content }: Entry): string | null {
  return (content as Stored).key ?? null;
}

/** The job of a call-out that another process has accepted, and when that was: monotonic milliseconds. */
export function restoredJob(entry: Entry): { readonly job: Job; readonly acceptedAt: number } {
  const { job, at } = orphanOf(entry);
  return { job, acceptedAt: performance.now() - Math.max(Date.now() - at, 0) };
}
