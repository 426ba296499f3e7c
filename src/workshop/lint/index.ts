import { isGiven, oneLine, ValueError } from "../../fields";
import type { NodeDeclaration } from "../../runtime/register";
import { callFindings, ignoredFindings, placesCalls, webhookFindings } from "./calls";
import { type Finding, finding, type Rule } from "./finding";
import type { FlowNode } from "./flow-node";
import { Graph } from "./graph";
import { isOff, refusals } from "./properties";
import { tenantFindings, tenantOf } from "./tenants";
import { englishSentences, type Say } from "./texts";
import { unknownProperties } from "./unknown-properties";

export type { Finding } from "./finding";

/** Checks the nodes of flow files together: a tenant may be in another file than its nodes. */
export function lint(nodes: readonly FlowNode[], declarations: readonly NodeDeclaration[]): Finding[] {
  const graph = new Graph(nodes);
  const byType = new Map(declarations.map((each) => [each.type, each]));
  const say = englishSentences();
  const found = nodes.flatMap((node) => {
    const declaration = byType.get(node.type);
    const runs = graph.runs(node);
    return [
      ...(declaration ? errorsOf(declaration, node, graph, say) : []),
      ...(declaration && runs ? callFindings(declaration, node, graph) : []),
      ...(declaration && runs ? ignoredFindings(node, graph) : []),
      ...(runs ? webhookFindings(node, graph, ({ type }) => placesCalls(byType.get(type))) : []),
    ];
  });
  // A tenant or a Delay may be found from several of its nodes.
  const keyOf = ({ file, nodeId, rule, message }: Finding) =>
    JSON.stringify([file, nodeId, rule, rule === "no-guard" || message]);
  const findings = new Map(found.map((each) => [keyOf(each), each]));
  const labels = new Map(nodes.map((node) => [oneLine(node.id), oneLine(graph.label(node))]));
  return [...findings.values()].map((each) => ({ ...each, node: labels.get(each.nodeId) ?? "" }));
}

function errorsOf(declaration: NodeDeclaration, node: FlowNode, graph: Graph, say: Say): Finding[] {
  const unknown = unknownProperties(declaration, node).map(([name, meant]) => {
    const advice = meant === undefined ? "Remove it." : `Write ${meant}, or remove it.`;
    const message = `Unknown property "${name}": a ${node.type} node has none of this name. ${advice}`;
    return finding(node, "unknown-property", message);
  });
  const refused = [...refusals(declaration, node), ...unable(declaration, node, graph)].map((error) =>
    finding(node, ruleOf(error), `${say(error, declaration)} Correct ${error.path || "the value"} in the node.`),
  );
  return [...unknown, ...tenantFindings(declaration, node, graph), ...refused];
}

/** Why a node that places calls refuses every message, although each of its fields is as it may be. */
function unable(declaration: NodeDeclaration, node: FlowNode, graph: Graph): ValueError[] {
  if (node.type !== "call-out" && node.type !== "call-escalate") return [];
  const tenant = tenantOf(node, graph);
  const found: ValueError[] = [];
  if (isOff(declaration, node, "fromNumber") && tenant && !isGiven(tenant["fromNumber"]))
    found.push(new ValueError("input.hotlineMissing", "from.number"));
  if (isOff(declaration, node, "actions") && isOff(declaration, node, "answerUrl"))
    found.push(new ValueError("input.nothingToSay", "actions"));
  return found;
}

const CHOICES: readonly string[] = ["input.notChoice", "config.notChoice", "input.choiceOnlyInMode"];

function ruleOf({ key }: ValueError): Rule {
  if (CHOICES.includes(key)) return "wrong-choice";
  return /missing$/i.test(key) || key === "input.nothingToSay" ? "missing-value" : "refused-value";
}
