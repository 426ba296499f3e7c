import { pairOf } from "../../fields";
import { attempt } from "../../json/rules";
import { type FlowNode, list } from "./flow-node";
import type { Graph } from "./graph";

/** A number to call as a JSON number, which has lost its zeros in front. */
export function numberAsJson(node: FlowNode, graph: Graph): string | undefined {
  const place = inNode(node) ?? inMessage(node, graph);
  return (
    place && `A number to call is a JSON number in ${place}, which loses a zero in front. Write it as text, in quotes.`
  );
}

function inNode(node: FlowNode): string | undefined {
  const number = pairOf(node, "toNumber");
  if (typeof number?.value === "number" || (number?.type === "json" && typeof parsed(number.value) === "number"))
    return "toNumber";
  for (const property of ["people", "list"]) {
    const { value, type } = pairOf(node, property) ?? {};
    const index = numberAmong(type === "json" ? parsed(value) : value);
    if (index >= 0) return `${property}[${index}]`;
  }
  return undefined;
}

/** Returns which of a list of people, rows or numbers has a JSON number; -1 for none. */
function numberAmong(list: unknown): number {
  return Array.isArray(list) ? list.findIndex((each) => typeof (Object(each).number ?? each) === "number") : -1;
}

/** The property in which a node has several numbers, and the path that it means unless the flow file says otherwise. */
const PLACES: Readonly<Record<string, readonly [property: string, path: string]>> = {
  "call-escalate": ["people", "payload.people"],
  "call-list": ["list", "payload"],
};

/** Returns where the message gets the number from, if an Inject or Change node sets it. */
function inMessage(node: FlowNode, graph: Graph): string | undefined {
  const [property, place] = PLACES[node.type] ?? ["toNumber", "payload.to.number"];
  const pair = pairOf(node, property) ?? { value: place, type: "msg" };
  if (pair.type !== "msg") return undefined;
  const path = String(pair.value).replace(/^msg\./, "");
  const source = graph.before(node).find((each) => constantsOf(each).some((constant) => isNumberAt(constant, path)));
  return source && graph.described(source);
}

interface Constant {
  readonly path: string;
  readonly value: unknown;
}

/** The values that an Inject or Change node sets in a message. */
function constantsOf(node: FlowNode): Constant[] {
  if (node.type === "inject")
    return list(node["props"]).map(({ p, v, vt }) => {
      const isPayload = p === "payload" && v === undefined;
      return constant(p, isPayload ? node["payload"] : v, isPayload ? node["payloadType"] : vt);
    });
  if (node.type !== "change") return [];
  return list(node["rules"]).flatMap(({ t, p, pt, to, tot }) =>
    t === "set" && (pt ?? "msg") === "msg" ? [constant(p, to, tot)] : [],
  );
}

function constant(path: unknown, value: unknown, type: unknown): Constant {
  return { path: String(path), value: type === "num" ? Number(value) : type === "json" ? parsed(value) : value };
}

/** Whether a constant has a number, or people or rows with one, at a path of the message, below the place where it is set. */
function isNumberAt({ path, value }: Constant, wanted: string): boolean {
  if (wanted !== path && !wanted.startsWith(`${path}.`)) return false;
  const rest = wanted.slice(path.length + 1);
  const steps = rest.split(".").filter(Boolean);
  const below = steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | null | undefined)?.[step], value);
  // The interface's own name, such as `to.number`, may be one key.
  const found = below ?? Object(value)[rest];
  return typeof found === "number" || numberAmong(found) >= 0;
}

/** Returns what JSON text means; `undefined` for text that is none. */
export function parsed(value: unknown): unknown {
  return typeof value === "string" ? attempt(() => JSON.parse(value)) : value;
}
