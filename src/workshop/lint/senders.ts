import { isGiven, type Person, pairOf } from "../../fields";
import { repeated } from "../../runtime/nodes/escalate/reading";
import { comparable } from "../../runtime/nodes/webhook/settings";
import { type FlowNode, list } from "./flow-node";
import { type Graph, wiresOf } from "./graph";
import { parsed } from "./numbers";

export const WEBHOOK = "telephony-webhook";

/** A webhook whose path another node has: an HTTP In node, or a webhook further up. */
export function twiceOnPath(node: FlowNode, graph: Graph): string | undefined {
  if (node.type !== WEBHOOK || !isGiven(node["path"])) return undefined;
  const path = comparable(String(node["path"]));
  const methods = /^(?:true|1|on)$/.test(String(node["get"])) ? ["post", "get"] : ["post"];
  const running = graph.nodes.filter((each) => graph.runs(each));
  const isTaken = ({ type, url, method, path: other }: FlowNode) =>
    type === WEBHOOK
      ? comparable(String(other)) === path
      : type === "http in" && methods.includes(String(method)) && comparable(String(url)) === path;
  const earlier = running.slice(0, running.indexOf(node)).filter(({ type }) => type === WEBHOOK);
  const other = [...running.filter(({ type }) => type !== WEBHOOK), ...earlier].find(isTaken);
  return (
    other &&
    `Two on one path: ${graph.described(other)} has the path of this webhook, which does not start. Give one of them another path.`
  );
}

/** A webhook that sends its messages nowhere, or a wire to a node that is in none of the files. */
export function wiredToNothing(node: FlowNode, graph: Graph): string | undefined {
  const wires = wiresOf(node);
  const gone = wires.find((id) => !graph.node(id));
  if (gone !== undefined)
    return `Wired to nothing: a wire leads to ${gone}, which is in none of the files. Wire this node to another one, or name the file that has it, too.`;
  if (node.type !== WEBHOOK || wires.length > 0) return undefined;
  return "Wired to nothing: no node gets the requests of this webhook. Wire it to the nodes that act on them.";
}

export function noResponse(node: FlowNode, graph: Graph): string | undefined {
  if (node.type !== WEBHOOK || node["answer"] !== "flow") return undefined;
  if (graph.after(node).some(({ type }) => type === "http response")) return undefined;
  return 'No response: the flow has to answer (answer "flow"), but no http response node is behind this webhook. Add one, or choose the answer "outcome".';
}

export function nobodyAcknowledges(node: FlowNode, graph: Graph): string | undefined {
  if (node.type !== "call-escalate" || graph.before(node).some(({ type }) => type === "link in")) return undefined;
  const beside = graph.nodes.filter((each) => each["z"] === node["z"] && graph.runs(each));
  if (beside.some(acknowledges)) return undefined;
  return "Nobody acknowledges: no node of this tab sets msg.acknowledge, so everybody is called, round after round. Send a message with the key and msg.acknowledge once somebody has taken over, as the example “5 Wake somebody” does.";
}

/** Whether a node may set `msg.acknowledge`: its code, its rules or its properties have the word. */
function acknowledges(node: FlowNode): boolean {
  const isText = node.type === "comment" || node.type === "tab" || node.type === "call-escalate";
  return !isText && /\backnowledge\b/.test(JSON.stringify({ ...node, name: "", info: "" }));
}

/** A person who stands twice in the list of a node. */
export function personTwice(node: FlowNode, graph: Graph): string | undefined {
  const { value, type } = pairOf(node, "people") ?? { value: undefined, type: "" };
  if (node.type !== "call-escalate" || (type !== "list" && type !== "json")) return undefined;
  const people = list(parsed(value)).flatMap(({ number, type }) => ({ number: String(number), type })) as Person[];
  const index = repeated(people, String(graph.tenantOf(node)?.["country"] ?? "").toUpperCase()).indexOf(true);
  return index < 0
    ? undefined
    : `Twice in the list: people[${index}] has a number that stands further up, and is called once a round. Remove one of them.`;
}
