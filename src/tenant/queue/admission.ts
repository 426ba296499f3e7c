import { notSent, type TenantError } from "../errors";
import type { Job } from "../job";
import type { JobRun } from "../job-run";
import type { DeduplicationKeys } from "./deduplication";

/** Largest request body, in bytes. Our choice: the interface shows no limit. */
const LARGEST_REQUEST = 256 * 1024;

/**
 * Takes the job's deduplication key and returns nothing, or returns why the job is refused.
 * @param keys `undefined` in log mode: what is not sent cannot be sent twice
 */
export function admit(run: JobRun, keys: DeduplicationKeys | undefined): TenantError | undefined {
  return tooLarge(run) ?? (keys && keyTaken(run, keys));
}

function tooLarge({ job, bytes }: JobRun): TenantError | undefined {
  if (bytes <= LARGEST_REQUEST) return undefined;
  const params = { size: Math.ceil(bytes / 1024), most: LARGEST_REQUEST / 1024 };
  return notSent("ERR_INPUT", "input", { key: "requestTooLarge", field: listIn(job), params });
}

/** The field to shorten when a request is too large: its list, if it has one. */
function listIn({ request }: Job): string {
  const body = request.method === "POST" ? Object.entries(request.body) : [];
  return (body.find(([, value]) => Array.isArray(value)) ?? body[0])?.[0] ?? "";
}

/** ERR_DUPLICATE promises that nothing was sent for this job; `first` names the use that holds the key. */
function keyTaken(run: JobRun, keys: DeduplicationKeys): TenantError | undefined {
  const { deduplication } = run.job;
  if (!deduplication) return undefined;
  const taken = keys.take(deduplication.key, deduplication.forMs, Date.now());
  if (taken === "taken") {
    run.holdsKey = true;
    return undefined;
  }
  if (taken === "full") return notSent("ERR_BACKLOG_FULL", "queue", { retryable: true, key: "onceKeysFull" });
  return notSent("ERR_DUPLICATE", "queue", {
    first: taken,
    params: { at: taken.at, outcome: { word: taken.outcome } },
  });
}
