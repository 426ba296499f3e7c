import type { Request } from "express";
import type { NodeAPI } from "node-red";
import type { JsonPath } from "../../json/set-at";
import { type Tried, tryRequest } from "../../runtime/nodes/webhook/try-request";
import type { NodeDeclaration } from "../../runtime/register";
import type { FlowNode } from "../lint/flow-node";
import { Graph } from "../lint/graph";
import { fieldsRead } from "../lint/read-fields";
import { HttpError } from "./http";

const MOST_FIELDS = 20;

/** The form in which a request to a webhook is tried. */
export interface TryForm {
  readonly ok: true;
  /** The fields of the payload that the nodes behind it read. */
  readonly fields: readonly JsonPath[];
  /** The live tenants behind it, whose phones may ring. */
  readonly live: readonly string[];
}

export function tryForm(RED: NodeAPI, declarations: readonly NodeDeclaration[], id: string): TryForm {
  const nodes: FlowNode[] = [];
  RED.nodes.eachNode((node) => nodes.push(node as unknown as FlowNode));
  const graph = new Graph(nodes, declarations);
  const webhook = graph.node(id);
  if (webhook?.type !== "telephony-webhook") throw new HttpError(404);
  const tenants = graph.after(webhook).flatMap((node) => graph.tenantOf(node) ?? []);
  const live = tenants.filter(({ mode }) => (mode || "live") === "live").map((tenant) => graph.label(tenant));
  return { ok: true, fields: fieldsRead(webhook, graph).slice(0, MOST_FIELDS), live: [...new Set(live)] };
}

/** Hands the body of a request to a webhook, as from a sender who knows its secret, and answers with its answer. */
export async function tryWebhook(RED: NodeAPI, id: string, request: Request): Promise<Tried> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  // Where the editor has an app of its own, it has read JSON already.
  const body = chunks.length === 0 && request.body ? JSON.stringify(request.body) : "";
  const tried = tryRequest(RED, id, request.get("content-type") ?? "", Buffer.concat([...chunks, Buffer.from(body)]));
  if (!tried) throw new HttpError(404);
  return tried;
}
