import { type Finding, finding } from "./finding";
import type { FlowNode } from "./flow-file";
import type { Graph } from "./graph";

/** An HTTP In node from which a request reaches a node that places calls, and nothing on the way asks who sent it. */
export function webhookFindings(node: FlowNode, graph: Graph, placesCalls: (node: FlowNode) => boolean): Finding[] {
  if (node.type !== "http in") return [];
  const called = graph.after(node, (each) => !asksForSecret(each)).find(placesCalls);
  if (!called) return [];
  const name = String(called["name"] || called.id);
  const message = `Anybody who knows this address can place calls with "${name}". Check a secret first: a Switch node that compares msg.req.headers["x-call-secret"] with an environment variable.`;
  return [finding(node, "open-webhook", message)];
}

/** A switch or a function that reads the headers or the query of the request. */
function asksForSecret(node: FlowNode): boolean {
  const read =
    node.type === "switch" ? [node["property"], node["rules"]] : node.type === "function" ? node["func"] : "";
  return /\breq\b[\s\S]*\b(?:headers|query|get|header)\b/.test(JSON.stringify(read) ?? "");
}
