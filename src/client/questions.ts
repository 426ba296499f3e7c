import type { Backlog, Key, Reason, WaitingEntry } from "../backlog";
import type { TenantClient } from "./client";
import type { TenantError } from "./errors";
import type { Guarded } from "./guard/number-guard";
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
  readonly waitsFor: Exclude<Reason, "clock">;
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
  const number = job.request.method === "POST" ? job.request.body["to.number"] : undefined;
  return {
    key,
    nodeId: entry.nodeId,
    number: typeof number === "string" ? number : null,
    acceptedAt: new Date(at).toISOString(),
    notBefore: iso(entry.notBefore),
    notAfter: iso(entry.notAfter),
    urgent: entry.urgent === true,
    waitsFor: waitsFor === "clock" ? "turn" : waitsFor,
    position,
  };
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
