import { asUnknown, type Backlog, type Call, Content, type Entry, hashOf, type Key } from "../../backlog";
import type { TenantError } from "../errors";
import type { Job, Owner } from "../job";
import type { Body, Style } from "../request";
import { JobRun } from "./job-run";

/** The part of a call-out that an entry has besides its request. */
interface Head extends Pick<StoredCallOut, "at"> {
  readonly job: Pick<Job, "id" | "nodeId" | "action" | "repeat" | "loggedData">;
  /** Its deduplication key, if that is short. */
  readonly key: string | undefined;
  readonly path: string;
}

/** A longer deduplication key is not kept, but for its hash. Characters. */
const LONGEST_KEY = 256;

/** A call-out as its entry has it, in the process that has accepted it and in a later one alike. */
export interface StoredCallOut {
  readonly job: Job;
  /** Its deduplication key, as it can be shown. */
  readonly key: string | null;
  /** The time at which it was accepted, epoch milliseconds. */
  readonly at: number;
  /** The value that its owner keeps beside it where the backlog is durable; its JSON text in the process that has accepted it. */
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

/**
 * An entry for a call-out. A durable backlog gets what its owner keeps beside it, too.
 * @param key its deduplication key
 * @param shares keys of which it takes a use: with its acceptance, or at its date
 */
export function entryOf(
  id: string,
  run: JobRun,
  owner: Owner | undefined,
  key: Key | undefined,
  shares: readonly Key[],
  { isDurable, loop, records }: Backlog,
): Entry {
  const { notBefore, nodeId, action: nodeType, onceAgain, record } = run.job;
  const isDated = notBefore !== undefined && notBefore > loop.now();
  const keys = (run.job.keys ?? (key ? [key] : [])).concat(isDated ? [] : shares);
  const { kept, size = 0 } = (isDurable && owner?.keep?.()) || {};
  // In one piece: a hundred thousand may wait for their dates.
  return {
    id,
    nodeId,
    nodeType,
    keys: keys.length > 0 ? keys : undefined,
    name: nameOf(run.job),
    notBefore: isDated ? notBefore : undefined,
    size: run.bytes + size,
    content: contentOf(run, kept),
    ...(onceAgain === "replace" && run.job.again === undefined && { replaces: true }),
    ...(record !== undefined && records.isHeldBack(record) && { heldBack: true }),
    ...(record !== undefined && records.restored.includes(record) && { ofRestored: true }),
    ...turnOf(run.job),
  };
}

type Turn = "anytime" | "urgent" | "alarm" | "list" | "again" | "notAfter";

/** Returns what decides about the turn of a call-out, besides its date. */
function turnOf({ anytime, urgent, alarm, list, again, notAfter }: Pick<Job & Entry, Turn>) {
  const words = { ...(anytime && { anytime }), ...(urgent && { urgent }), ...(alarm && { alarm }) };
  const ids = { ...(list !== undefined && { list }), ...(again !== undefined && { again }) };
  return { ...words, ...ids, ...(notAfter !== undefined && { notAfter }) };
}

/** The entry of a call-out that ended `unknown`, for a person to decide: with its message, also where that is in memory alone. */
export function unknownEntry({ entry, owner }: Call<Owner>, { code, details }: TenantError, at: number): Entry {
  const { content } = entry;
  const own = content instanceof Content && content.kept === undefined ? owner?.keep?.() : undefined;
  const whole = own && { size: entry.size + own.size, content: withKept(content as Content, own.kept) };
  return asUnknown({ ...entry, ...whole }, { at, sentAt: details.sentAt, code });
}

function withKept({ head, body }: Content, kept: string): Content {
  return new Content(head, kept, body);
}

/** The one way from an entry to a job, in any process. */
export function jobOf(entry: Entry): StoredCallOut {
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

/** The request of an entry, to be performed or reported. */
export function runOf(entry: Entry, style: Style): JobRun {
  const { job, at, kept, text } = jobOf(entry);
  return new JobRun(job, style, at, kept, text);
}

function contentOf({ job, at, style, body: written }: JobRun, kept: string | undefined): Content {
  const { id, nodeId, action, repeat, loggedData, request, deduplication: { key } = {} } = job;
  // The same text as the run's own where that is no other style.
  const isSame = written !== null && style.partyFields === "dotted";
  const body = isSame ? written : JSON.stringify(request.method === "POST" ? request.body : {});
  const head: Head = {
    job: loggedData === undefined ? { id, nodeId, action, repeat } : { id, nodeId, action, repeat, loggedData },
    key: key !== undefined && key.length <= LONGEST_KEY ? key : undefined,
    path: request.path,
    at,
  };
  return new Content(head, kept, body);
}
