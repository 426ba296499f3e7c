import type { Request } from "express";
import type { NodeAPI } from "node-red";
import type { Received } from "../../../runtime/nodes/webhook/last-requests";
import type { FlowNode } from "../../lint/flow-node";
import { receivedReader } from "./offers";

interface SendEvent {
  readonly msg: { readonly req?: Request; readonly payload?: unknown };
  readonly source: { readonly id: string };
}

interface Hooks {
  add(name: string, callback: (events: readonly SendEvent[]) => void): void;
  remove(name: string): void;
}

/** A proxy may give up on an answer that takes longer. Milliseconds. */
const LONGEST_MS = 50_000;

/**
 * Resolves with the next request to an HTTP In node, once, or with none after a while. Nothing is kept of it.
 * @param asking ends the wait when it is closed
 */
export async function waitForRequest(RED: NodeAPI, id: string, flows: readonly FlowNode[], asking: Request) {
  const { hooks } = RED as unknown as { readonly hooks: Hooks };
  const hook = `onSend.telephonyWait${RED.util.generateId()}`;
  const received = await new Promise<Received | undefined>((resolve) => {
    const timer = setTimeout(resolve, LONGEST_MS, undefined);
    asking.res?.once("close", () => {
      clearTimeout(timer);
      resolve(undefined);
    });
    hooks.add(hook, ([event]) => {
      const { req } = event?.msg ?? {};
      if (event && req && event.source.id === id) resolve(readRequest(RED, req));
    });
  });
  hooks.remove(hook);
  return { ok: true as const, received: received && receivedReader(RED, flows)(received) };
}

function readRequest(RED: NodeAPI, { method, originalUrl, headers, body }: Request): Received {
  const root = String((RED.settings as { httpNodeRoot?: unknown }).httpNodeRoot || "/").replace(/\/$/, "");
  const path = originalUrl.startsWith(`${root}/`) ? originalUrl.slice(root.length) : originalUrl;
  const texts = Object.entries(headers).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
  const isJson = typeof body === "string" || (typeof body === "object" && !Buffer.isBuffer(body));
  const about = { at: Date.now(), method, path, headers: Object.fromEntries(texts) as Record<string, string> };
  // Of a request that the flow goes on to change.
  return JSON.parse(JSON.stringify({ ...about, ...(isJson && { body: body as unknown }) })) as Received;
}
