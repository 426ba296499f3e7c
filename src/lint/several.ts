import type { FlowNode } from "./flow-node";
import type { Graph } from "./graph";

/** A node before another that makes several messages of one, unless they are one again in between. */
export function severalBefore(node: FlowNode, graph: Graph): FlowNode | undefined {
  return graph.before(node, ({ type }) => type !== "join" && type !== "batch").find(makesSeveral);
}

function makesSeveral(node: FlowNode): boolean {
  switch (node.type) {
    case "split":
      return true;
    case "csv":
      return node["multi"] !== "mult";
    case "business-hour-list":
      return node["output"] === "each";
    case "function":
      return sendsSeveral(String(node["func"] ?? ""));
    default:
      return false;
  }
}

/** What a function returns when it sends one message at most, to one of its outputs. */
const NONE = "(?:null|undefined)";
const ONE = new RegExp(
  `^(?:$|;|\\}|(?:msg|${NONE})\\s*(?:;|\\}|$)|\\{|\\[\\s*(?:${NONE}\\s*,\\s*)*(?:msg|${NONE})\\s*(?:,\\s*${NONE}\\s*)*\\]\\s*(?:;|\\}|$))`,
);

/** Whether the code of a function may send several messages. */
function sendsSeveral(code: string): boolean {
  const plain = code.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, "");
  if (/\bnode\s*\.\s*send\s*\(/.test(plain)) return true;
  return [...plain.matchAll(/\breturn\b[ \t]*([^\n]*)/g)].some(([, value = ""]) => !ONE.test(value.trim()));
}
