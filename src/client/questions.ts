import { type Backlog, type Entry, type Key, SHOWN_AS, type ShownReason, type WaitingEntry } from "../backlog";
import type { TenantClient } from "./client";
import { type Code, lost, type TenantError } from "./errors";
import type { Guarded } from "./guard/number-guard";
import type { Job } from "./job";
import { refusalOf, serviceFails } from "./queue/refusals";
import { jobOf } from "./queue/stored-call-out";

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
  readonly waitsFor: ShownReason;
  /** Among all that wait, from 1. */
  readonly position: number;
}

/** The waiting call-outs, in the order in which they will be sent. Rejects with ERR_ENGINE if the backlog fails. */
export async function listWaiting(
  client: TenantClient,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<readonly WaitingCall[]> {
  const listed = await client.ask((backlog) => backlog.list(offset, limit));
  return listed.map((one, index) => waitingCall(one, offset + index + 1));
}

function waitingCall({ entry, waitsFor }: WaitingEntry, position: number): WaitingCall {
  const { key, job, at } = jobOf(entry);
  return {
    key,
    nodeId: entry.nodeId,
    number: numberOf(job),
    acceptedAt: new Date(at).toISOString(),
    notBefore: iso(entry.notBefore),
    notAfter: iso(entry.notAfter),
    urgent: entry.urgent === true,
    waitsFor: SHOWN_AS[waitsFor],
    position,
  };
}

/** A call-out that ended `unknown`, and about which nobody has decided. Instants are ISO 8601. */
export interface UnknownCall extends Pick<WaitingCall, "key" | "nodeId" | "number"> {
  readonly id: string;
  readonly nodeType: string | undefined;
  /** The time at which it ended, epoch milliseconds. */
  readonly at: number;
  /** The time at which its request may have left; `null` if Node-RED ended meanwhile. */
  readonly sentAt: string | null;
  readonly code: Code;
  /** Whether somebody may have decided, which Redis has lost. */
  readonly isDoubted: boolean;
  /** The value that its owner kept beside it. */
  readonly kept: unknown;
}

/** The call-outs that ended `unknown`, of the whole group, the oldest first. Rejects with ERR_ENGINE if the backlog fails. */
export async function listUnknown(client: TenantClient): Promise<readonly UnknownCall[]> {
  const listed = await client.ask(({ decisions }) => decisions.list());
  return listed.map(unknownCall);
}

/** Finds a call whose outcome is unknown. Rejects with ERR_ENGINE if the backlog fails. */
export async function findUnknown(client: TenantClient, id: string): Promise<UnknownCall | undefined> {
  const entry = await client.ask(({ decisions }) => decisions.find(id));
  return entry && unknownCall(entry);
}

function unknownCall(entry: Entry): UnknownCall {
  const { id, nodeId, nodeType, unknown: { at = 0, sentAt = null, code, isDoubted = false } = {} } = entry;
  const { key, job, kept } = jobOf(entry);
  const facts = { at, sentAt, code: (code as Code | undefined) ?? lost().code, isDoubted };
  return { id, key, nodeId, nodeType, number: numberOf(job), ...facts, kept };
}

function numberOf({ request }: Job): string | null {
  const number = request.method === "POST" ? request.body["to.number"] : undefined;
  return typeof number === "string" ? number : null;
}

/** Returns the trouble for which call-outs wait, while they do. */
export function troubleOf({ service }: Backlog): TenantError | undefined {
  return service.isFailing ? serviceFails(service) : undefined;
}

/** Returns the error that taking a key would meet now. */
export async function tryKey(client: TenantClient, key: Key): Promise<TenantError | undefined> {
  const { options, lanes } = client;
  const room = { options, waiting: lanes.waiting.callOut + lanes.waiting.other };
  return refusalOf(await client.ask(({ keys }) => keys.try(key)), room);
}

/** Returns the reason why a call-out would not be accepted now, if there is one: its number is blocked, or was called too often. */
export async function tryGuard(client: TenantClient, job: Guarded): Promise<TenantError | undefined> {
  const { guard } = client.options;
  const blocked = await guard?.check(job);
  if (blocked) return blocked;
  const refusals = await Promise.all((guard?.rateLimitKeys(job) ?? []).map((key) => tryKey(client, key)));
  return refusals.find((refusal) => refusal !== undefined);
}

function iso(instant: number | undefined): string | null {
  return instant === undefined ? null : new Date(instant).toISOString();
}
