import { notSent, type TenantError } from "./errors";
import type { Job } from "./job";
import type { JobRun } from "./job-run";
import type { DeduplicationKeys } from "./queue/deduplication";

/** Largest request body, in bytes. Our choice: the interface shows no limit. */
const LARGEST_REQUEST = 256 * 1024;

/**
 * Why a turn is not taken in, however few wait. One that is holds its job's once key from now on.
 * @param keys none where nothing is sent, and nothing could be done twice
 */
export function admit(turn: JobRun, keys: DeduplicationKeys | undefined): TenantError | undefined {
  return tooLarge(turn) ?? (keys && keyTaken(turn, keys));
}

function tooLarge({ job, body }: JobRun): TenantError | undefined {
  const size = body === null ? 0 : Buffer.byteLength(body);
  if (size <= LARGEST_REQUEST) return undefined;
  const params = { size: Math.ceil(size / 1024), most: LARGEST_REQUEST / 1024 };
  return notSent("ERR_INPUT", "input", { key: "requestTooLarge", field: listIn(job), params });
}

/** The field to shorten when a request is too large: its list, where it has one. */
function listIn({ request }: Job): string {
  const body = request.method === "POST" ? Object.entries(request.body) : [];
  return (body.find(([, value]) => Array.isArray(value)) ?? body[0])?.[0] ?? "";
}

function keyTaken(turn: JobRun, keys: DeduplicationKeys): TenantError | undefined {
  const { once } = turn.job;
  if (!once) return undefined;
  const taken = keys.take(once.key, once.forMs, Date.now());
  if (taken === "taken") {
    turn.holdsKey = true;
    return undefined;
  }
  if (taken === "full") return notSent("ERR_BACKLOG_FULL", "queue", { retryable: true, key: "onceKeysFull" });
  return notSent("ERR_DUPLICATE", "queue", {
    first: taken,
    params: { at: taken.at, outcome: { word: taken.outcome } },
  });
}
