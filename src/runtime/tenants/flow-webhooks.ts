import type { Node, NodeAPI, NodeDef } from "node-red";
import { fillVariables } from "../../fields/variable";
import { swallowErrors } from "../node-red/swallow-errors";
import { secretOf, senderOf, withSecret } from "../node-red/webhook-secret";

type FlowNode = NodeDef & { readonly d?: boolean; readonly [property: string]: unknown };

const WEBHOOK = "telephony-webhook";

/** The addresses that accept a POST. Those of the flows that use this tenant first. */
export function webhooksFor(RED: NodeAPI, tenant: string): string[] {
  const nodes = flowNodes(RED);
  const used = new Set(nodes.filter((node) => node["tenant"] === tenant).map(({ z }) => z));
  const found = nodes.filter(isWebhook).sort((a, b) => Number(used.has(b.z)) - Number(used.has(a.z)));
  return found.map((node) => addressOf(RED, node));
}

/**
 * Fills in secrets of a request to one of the flows, so that no browser needs them: that of a webhook or the signature of the body,
 * unless there is one, and `${NAME}` in headers. Only for variables that this flow itself names, and only for requests to its own
 * address: nobody can have other secrets sent somewhere.
 */
export function fillIn(
  RED: NodeAPI,
  headers: Readonly<Record<string, string>>,
  address: string,
  body: string,
): Readonly<Record<string, string>> {
  const nodes = flowNodes(RED);
  const [url = ""] = address.split("?", 1);
  const target = nodes.find((node) => isWebhook(node) && comparable(addressOf(RED, node)) === comparable(url));
  if (!target) return headers;
  const flow = flowOf(nodes, target);
  const running = idsOf(nodes, target)
    .map((id) => RED.nodes.getNode(id))
    .find(Boolean) as Node;
  const read = (name: string) => {
    if (!flow.includes(name)) return undefined;
    let value: unknown;
    swallowErrors(() => {
      value = RED.util.evaluateNodeProperty(name, "env", running, {});
    });
    return typeof value === "string" ? value : undefined;
  };
  const entries = Object.entries(headers).map(([name, text]) => [name, fillVariables(text, read)]);
  const filled = Object.fromEntries(entries) as typeof headers;
  const { secret } = secretOf(Object(running?.credentials).secret, undefined);
  if (target.type !== WEBHOOK || secret === undefined) return filled;
  return withSecret(filled, address, body, { ...senderOf(target), secret }, Date.now(), RED.util.generateId());
}

function comparable(address: string): string {
  return address.toLowerCase().replace(/\/+$/, "");
}

function flowNodes(RED: NodeAPI): FlowNode[] {
  const nodes: FlowNode[] = [];
  RED.nodes.eachNode((node) => nodes.push(node as FlowNode));
  return nodes;
}

function isWebhook({ type, d, ...node }: FlowNode): boolean {
  if (type === WEBHOOK) return !d;
  return type === "http in" && !d && node["method"] === "post" && !String(node["url"]).includes(":");
}

/** The address on loopback: the sandbox asks from the same machine. */
function addressOf(RED: NodeAPI, node: FlowNode): string {
  const { httpNodeRoot, https, uiPort } = RED.settings as unknown as Readonly<Record<string, unknown>>;
  const root = httpNodeRoot === false ? "" : (httpNodeRoot ?? "");
  const path = `/${root}/${node["url"] ?? node["path"]}`.replaceAll(/\/{2,}/g, "/");
  return `http${https ? "s" : ""}://127.0.0.1:${uiPort ?? 1880}${path}`;
}

/** The ids with which a node may run: in a subflow, those of its instances stand in front. */
function idsOf(nodes: readonly FlowNode[], { id, z }: FlowNode): string[] {
  const instances = nodes.filter(({ type }) => type === `subflow:${z}`);
  return [id, ...instances.flatMap((each) => idsOf(nodes, each).map((one) => `${one}-${id}`))];
}

/** The flow of a node, as JSON. */
function flowOf(nodes: readonly FlowNode[], { z }: FlowNode): string {
  return JSON.stringify(nodes.filter((node) => node.z === z));
}
