import { type Backlog, Content, type Entry, hashOf, type Key } from "../../backlog";
import type { Job } from "../job";
import type { JobRun } from "../job-run";
import type { Body } from "../request";

/** What an entry has of a call-out, besides its request. */
interface Head extends Pick<StoredCallOut, "at"> {
  readonly job: Pick<Job, "id" | "nodeId" | "action" | "repeat" | "loggedData">;
  /** Its deduplication key, if that is short. */
  readonly key?: string;
  readonly path: string;
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
  /** What its sender keeps beside it where the backlog is durable; its JSON text in the process that has accepted it. */
  readonly kept?: unknown;
  /** The JSON text of its request before a style is applied, where it is at hand. */
  readonly text?: string;
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
  const isText = content === null || typeof content === "string";
  const stored = isText ? JSON.parse(content ?? "null") : { ...content.head, kept: content.kept };
  const { job, key = null, path, at, kept } = stored as Head & { readonly kept?: unknown };
  const body: Body = isText ? stored.body : JSON.parse(content.body);
  const request = { method: "POST", path, body } as const;
  const date = notBefore !== undefined && { notBefore };
  const waiting: Job = { ...job, entryId, lane: "callOut", request, ...turnOf(entry), ...date };
  return { job: waiting, key, at, kept, ...(!isText && { text: content.body }) };
}

function contentOf({ job, at, style, body: written }: JobRun, kept: string | undefined): Content {
  const { id, nodeId, action, repeat, loggedData, request, deduplication: { key } = {} } = job;
  // The same text as the run's own where that is no other style.
  const isSame = written !== null && style.partyFields === "dotted";
  const body = isSame ? written : JSON.stringify(request.method === "POST" ? request.body : {});
  const head: Head = {
    job: { id, nodeId, action, repeat, ...(loggedData !== undefined && { loggedData }) },
    ...(key !== undefined && key.length <= LONGEST_KEY && { key }),
    path: request.path,
    at,
  };
  return new Content(head, kept, body);
}
