import type { NodeAPI, NodeDef } from "node-red";
import { swallowErrors } from "../node-red/swallow-errors";

type FlowNode = NodeDef & { readonly d?: boolean; readonly [property: string]: unknown };

/** As the examples check a secret. */
const SECRET = { name: "x-call-secret", value: "${CALL_SECRET}" };
const VARIABLE = /\$\{(\w+)\}/g;

/** The addresses that accept a POST, with the headers that they check: `${NAME}` stands for a secret. Those of the flows that use this tenant first. */
export function webhooksFor(RED: NodeAPI, tenant: string) {
  const nodes = flowNodes(RED);
  const used = new Set(nodes.filter((node) => node["tenant"] === tenant).map(({ z }) => z));
  const found = nodes.filter(isWebhook).map((node) => {
    const url = addressOf(RED, node);
    const flow = flowOf(nodes, node);
    const checksSecret = flow.includes("CALL_SECRET") && flow.toLowerCase().includes(SECRET.name);
    return { url, headers: checksSecret ? [SECRET] : [], isUsed: used.has(node.z) };
  });
  return found.sort((a, b) => Number(b.isUsed) - Number(a.isUsed)).map(({ url, headers }) => ({ url, headers }));
}

/**
 * Fills `${NAME}` in a header of a request to one of the flows, so that no browser needs the secret. Only for variables that this
 * flow itself names, and only for requests to its own address: nobody can have other variables sent somewhere.
 */
export function fillIn(RED: NodeAPI, text: string, address: string): string {
  if (!text.includes("${")) return text;
  const nodes = flowNodes(RED);
  const [url] = address.split("?", 1);
  const target = nodes.find((node) => isWebhook(node) && addressOf(RED, node) === url);
  if (!target) return text;
  const flow = flowOf(nodes, target);
  return text.replaceAll(VARIABLE, (variable, name: string) => {
    if (!flow.includes(name)) return variable;
    let value: unknown;
    swallowErrors(() => {
      value = RED.util.evaluateNodeProperty(name, "env", RED.nodes.getNode(target.id), {});
    });
    return typeof value === "string" ? value : variable;
  });
}

function flowNodes(RED: NodeAPI): FlowNode[] {
  const nodes: FlowNode[] = [];
  RED.nodes.eachNode((node) => nodes.push(node as FlowNode));
  return nodes;
}

function isWebhook({ type, d, ...node }: FlowNode): boolean {
  return type === "http in" && !d && node["method"] === "post" && !String(node["url"]).includes(":");
}

/** On loopback: the sandbox asks from the same machine. */
function addressOf(RED: NodeAPI, node: FlowNode): string {
  const { httpNodeRoot, https, uiPort } = RED.settings as unknown as Readonly<Record<string, unknown>>;
  const path = `/${httpNodeRoot === false ? "" : (httpNodeRoot ?? "")}/${node["url"]}`.replaceAll(/\/{2,}/g, "/");
  return `http${https ? "s" : ""}://127.0.0.1:${uiPort ?? 1880}${path}`;
}

/** The flow of a node, as JSON. */
function flowOf(nodes: readonly FlowNode[], { z }: FlowNode): string {
  return JSON.stringify(nodes.filter((node) => node.z === z));
}
