import type { Request } from "express";
import { flows } from "../../delivery/flow-lifecycle";
import { perNode } from "../../node-red/node-state";
import { headersWithoutProof, type Sender } from "../../node-red/webhook-secret";

/** A request as a webhook or an HTTP In node received it. */
export interface Received {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly method: string;
  /** Below Node-RED's root for such nodes, with the query. */
  readonly path: string;
  /** Their names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface Kept {
  readonly at: number;
  /** A request as JSON, without logins: the flow may change the objects of its message. */
  readonly json: string;
  /** The settings of the webhook with which it was let in: they name what must not be shown. */
  readonly sender: Sender;
  readonly secret: string;
}

const MOST_EACH = 3;
/** Characters of the JSON; a longer request is not kept. */
const LONGEST = 16 * 1024;
const MOST_IN_ALL = 4 * 1024 * 1024;

/** The last requests of webhooks, the newest first, by node id. */
const kept = perNode<readonly Kept[]>("last requests");
flows.onDeleted(kept, "telephony-webhook");

/** Keeps a request that was let in until Node-RED ends. */
export function keepRequest(id: string, path: string, request: Request, body: unknown, sender: Sender, secret: string) {
  if (Number(request.headers["content-length"] ?? 0) > LONGEST) return;
  const at = Date.now();
  const { secret: _, ...query } = request.query;
  const asked = new URLSearchParams(query as Record<string, string>).toString();
  const { method } = request;
  const { authorization: _login, "proxy-authorization": _proxy, cookie: _cookie, ...headers } = request.headers;
  const received = { at, method, path: `/${path}${asked && `?${asked}`}`, headers, ...(method !== "GET" && { body }) };
  const json = JSON.stringify(received);
  if (json.length > LONGEST) return;
  kept.set(id, [{ at, json, sender, secret }, ...(kept.get(id) ?? [])].slice(0, MOST_EACH));
  if (kept.size * MOST_EACH * LONGEST <= MOST_IN_ALL) return;
  for (let size = sizeOfAll(); size > MOST_IN_ALL; size = sizeOfAll()) dropOldest();
}

/** The last requests of a webhook, without its secret, signatures or logins. */
export function lastRequests(id: string): readonly Received[] {
  return (kept.get(id) ?? []).map(({ json, sender, secret }) => {
    const received = JSON.parse(json) as Omit<Received, "headers"> & Pick<Request, "headers">;
    return { ...received, headers: headersWithoutProof(received.headers, sender, secret) };
  });
}

function sizeOfAll(): number {
  return [...kept.values()].flat().reduce((sum, { json }) => sum + json.length, 0);
}

function dropOldest(): void {
  const [[id, all] = ["", []]] = [...kept].sort(([, a], [, b]) => (a.at(-1)?.at ?? 0) - (b.at(-1)?.at ?? 0));
  if (all.length > 1) kept.set(id, all.slice(0, -1));
  else kept.delete(id);
}
