import type { FlowNode } from "./flow-file";
import type { Graph } from "./graph";

/** Whether a Catch node takes the failures of a node: in its tab or subflow, else where the subflow is used. */
export function isCaught(node: FlowNode, graph: Graph): boolean {
  const beside = graph.nodes.filter((each) => each.type === "catch" && each["z"] === node["z"] && graph.runs(each));
  if (beside.some((each) => takes(each, node, graph))) return true;
  const instances = graph.nodes.filter(({ type }) => type === `subflow:${String(node["z"])}`);
  return instances.length > 0 && instances.every((instance) => isCaught(instance, graph));
}

function takes({ scope, g }: FlowNode, node: FlowNode, graph: Graph): boolean {
  if (Array.isArray(scope)) return scope.includes(node.id);
  return scope !== "group" || groupsOf(node, graph).includes(String(g));
}

/** The group of a node, and those around it. */
function groupsOf(node: FlowNode, graph: Graph): string[] {
  const groups: string[] = [];
  for (let at = graph.node(node["g"]); at && !groups.includes(at.id); at = graph.node(at["g"])) groups.push(at.id);
  return groups;
}
