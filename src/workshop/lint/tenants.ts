import { needsTenant } from "../../fields/rules";
import type { NodeDeclaration } from "../../runtime/register";
import { type Finding, finding } from "./finding";
import type { FlowNode } from "./flow-node";
import type { Graph } from "./graph";

const TENANT = "telephony-tenant";

/** The tenant of a node, if it is in one of the files. */
export function tenantOf(node: FlowNode, graph: Graph): FlowNode | undefined {
  const found = graph.node(node["tenant"]);
  return found?.type === TENANT ? found : undefined;
}

/** A node without the tenant that it needs. */
export function tenantFindings(declaration: NodeDeclaration, node: FlowNode, graph: Graph): Finding[] {
  const id = String(node["tenant"] ?? "");
  if (!needsTenant(declaration.kind, node) || /^\$[({]/.test(id)) return [];
  if (id === "")
    return [finding(node, "missing-tenant", "No tenant is chosen. Open the node and choose one, or add one.")];
  const tenant = tenantOf(node, graph);
  if (!tenant) {
    const message = `No such tenant: ${id} is in none of the files. Choose another one in the node, or name the file that has it, too.`;
    return [finding(node, "unknown-tenant", message)];
  }
  const disabled =
    "The tenant is disabled, so the node cannot send anything. Enable it, or choose another one in the node.";
  return tenant["d"] === true ? [finding(node, "unknown-tenant", disabled)] : [];
}
