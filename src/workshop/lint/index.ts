import type { NodeAPI } from "node-red";
import { oneLine, type ValueError } from "../../fields";
import { unableToSend } from "../../fields/rules";
import { speaking } from "../../runtime/node-red/catalogue";
import { asTenantError, sentence } from "../../runtime/node-red/texts";
import type { NodeDeclaration } from "../../runtime/register";
import { callFindings, ignoredFindings, isActing, openFindings, placesCalls } from "./calls";
import { type Finding, finding, type Rule } from "./finding";
import type { FlowNode } from "./flow-node";
import { Graph } from "./graph";
import { inputsOf, refusals } from "./properties";
import { tenantFindings, tenantOf } from "./tenants";
import { unknownProperties } from "./unknown-properties";

export type { Finding } from "./finding";

/** Checks the nodes of flow files together: a tenant may be in another file than its nodes. */
export function lint(nodes: readonly FlowNode[], declarations: readonly NodeDeclaration[]): Finding[] {
  const graph = new Graph(nodes);
  const byType = new Map(declarations.map((each) => [each.type, each]));
  const RED = speaking({}, "en-US");
  const found = nodes.flatMap((node) => {
    const declaration = byType.get(node.type);
    const runs = graph.runs(node);
    return [
      ...(declaration ? errorsOf(RED, declaration, node, graph) : []),
      ...(declaration && runs ? callFindings(declaration, node, graph) : []),
      ...(declaration && runs ? ignoredFindings(node, graph) : []),
      ...(runs ? openFindings(node, graph, (each) => isActing(byType.get(each.type), each)) : []),
    ];
  });
  // A tenant or a Delay may be found from several of its nodes.
  const keyOf = ({ file, nodeId, rule, message }: Finding) =>
    JSON.stringify([file, nodeId, rule, rule === "no-guard" || message]);
  const findings = new Map(found.map((each) => [keyOf(each), each]));
  const labels = new Map(nodes.map((node) => [oneLine(node.id), oneLine(graph.label(node))]));
  return [...findings.values()].map((each) => ({ ...each, node: labels.get(each.nodeId) ?? "" }));
}

function errorsOf(RED: NodeAPI, declaration: NodeDeclaration, node: FlowNode, graph: Graph): Finding[] {
  const unknown = unknownProperties(declaration, node).map(([name, meant]) => {
    const advice = meant === undefined ? "Remove it." : `Write ${meant}, or remove it.`;
    const message = `Unknown property "${name}": a ${node.type} node has none of this name. ${advice}`;
    return finding(node, "unknown-property", message);
  });
  const unable = placesCalls(declaration) ? unableToSend(inputsOf(declaration), node, tenantOf(node, graph)) : [];
  const refused = [...refusals(declaration, node), ...unable].map((error) =>
    finding(
      node,
      ruleOf(error),
      `${sentence(RED, asTenantError(error), declaration)} Correct ${error.path || "the value"} in the node.`,
    ),
  );
  return [...unknown, ...tenantFindings(declaration, node, graph), ...refused];
}

const CHOICES: readonly string[] = ["input.notChoice", "config.notChoice", "input.choiceOnlyInMode"];

function ruleOf({ key }: ValueError): Rule {
  if (CHOICES.includes(key)) return "wrong-choice";
  return /missing$/i.test(key) || key === "input.nothingToSay" ? "missing-value" : "refused-value";
}
