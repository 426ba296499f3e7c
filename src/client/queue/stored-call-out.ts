import { type Backlog, type Entry, hashOf, type Key } from "../../backlog";
import type { Job } from "../job";
import type { JobRun } from "../job-run";
import type { Body } from "../request";

/** The content of an entry: a call-out with its request before a style is applied. */
interface Content extends Pick<StoredCallOut, "at" | "kept"> {
  readonly job: Pick<Job, "id" | "nodeId" | "action" | "repeat" | "loggedData">;
  /** Its deduplication key, if that is short. */
  readonly key?: string;
  readonly path: string;
  readonly body: Body;
}

/** A longer deduplication key is not kept, but for its hash. Characters. */
const LONGEST_KEY = 256;

/** A call-out as its entry has it, in the process that has accepted it and in a later one alike. */
export interface StoredCallOut {
  readonly job: Job;
  /** Its deduplication key, as it can be shown. */
  readonly key: string | null;
  /** When it was accepted, epoch milliseconds. */
  readonly at: number;
  /** What its sender keeps beside it where the backlog is durable. */
  readonly kept?: unknown;
}

/** The job's deduplication key as the backlog keeps it. */
export function keyOf({ deduplication }: Pick<Job, "deduplication">): Key | undefined {
  if (!deduplication) return undefined;
  const { key, scope, forMs } = deduplication;
  return { hash: hashOf(scope === undefined ? key : `${scope} ${key}`), forMs };
}

/** The name by which a call-out is cancelled. */
export function nameOf({ deduplication }: Pick<Job, "deduplication">): string | undefined {
  return deduplication && hashOf(deduplication.key);
}

/** An entry for a call-out, without its id. A durable backlog gets what its sender keeps beside it, too. */
export function entryOf(
  run: JobRun,
  keys: readonly Key[],
  isDated: boolean,
  { isDurable, records }: Backlog,
): Omit<Entry, "id"> {
  const { notBefore, nodeId, action: nodeType, onceAgain, record } = run.job;
  const { kept, size = 0 } = (isDurable && run.hooks.keep?.()) || {};
  const name = nameOf(run.job);
  return {
    nodeId,
    nodeType,
    ...(keys.length > 0 && { keys }),
    ...(name !== undefined && { name }),
    ...(onceAgain === "replace" && { replaces: true }),
    ...(isDated && { notBefore }),
    ...(record !== undefined && records.isHeldBack(record) && { heldBack: true }),
    ...(record !== undefined && records.restored.includes(record) && { ofRestored: true }),
    ...turnOf(run.job),
    size: run.bytes + size,
    content: contentOf(run, kept),
  };
}

/** What decides about the turn of a call-out, besides its date. */
function turnOf({ anytime, urgent, alarm, notAfter }: Pick<Job & Entry, "anytime" | "urgent" | "alarm" | "notAfter">) {
  const words = { ...(anytime && { anytime }), ...(urgent && { urgent }), ...(alarm && { alarm }) };
  return { ...words, ...(notAfter !== undefined && { notAfter }) };
}

export function callOutOf(entry: Entry): StoredCallOut {
  const { id: entryId, notBefore, content } = entry;
  const { job, key = null, path, body, at, kept } = JSON.parse(content ?? "null") as Content;
  const request = { method: "POST", path, body } as const;
  const date = notBefore !== undefined && { notBefore };
  return { job: { ...job, entryId, lane: "callOut", request, ...turnOf(entry), ...date }, key, at, kept };
}

function contentOf({ job, at, style, body: written }: JobRun, kept: unknown): string {
  const { id, nodeId, action, repeat, loggedData, request, deduplication: { key } = {} } = job;
  // The same text as the run's own where that is no other style.
  const isSame = written !== null && style.partyFields === "dotted";
  const body = isSame ? written : JSON.stringify(request.method === "POST" ? request.body : {});
  const head: Omit<Content, "body"> = {
    job: { id, nodeId, action, repeat, ...(loggedData !== undefined && { loggedData }) },
    ...(key !== undefined && key.length <= LONGEST_KEY && { key }),
    path: request.path,
    at,
    kept,
  };
  return `${JSON.stringify(head).slice(0, -1)},"body":${body}}`;
}
