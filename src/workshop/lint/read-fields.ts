import type { JsonPath } from "../../json/set-at";
import { type FlowNode, list } from "./flow-node";
import type { Graph } from "./graph";
import { inputsOf } from "./properties";

/** The path behind `payload` in JSON, except a call of a method, or an assignment. */
const READ =
  /\bpayload((?:\.[\p{L}_$][\p{L}\p{N}_$]*(?![\p{L}\p{N}_$]|\s*\()|\[(?:\\?["'][^"'\\\]]+\\?["']|\d+)\])+)(?!\s*=[^=])/gu;
const PART = /\[(\d+)\]|[^.[\]"'\\]+/g;

/** The fields of the payload that the nodes behind one read, as far as none of them has put another payload in its place. */
export function fieldsRead(from: FlowNode, graph: Graph): JsonPath[] {
  const readers = graph.after(from, (each) => !replacesPayload(each, graph));
  const paths = readers.flatMap((node) => pathsIn(readBy(node, graph)));
  const all = [...new Map(paths.map((path) => [path.join("."), path])).values()];
  const leadsOn = (path: JsonPath) =>
    all.some((other) => other.length > path.length && path.every((part, index) => part === other[index]));
  return all.filter((path) => !leadsOn(path));
}

/** Returns what a node may read, as one text. */
function readBy(node: FlowNode, graph: Graph): string {
  const { rules, name: _, info: __, ...rest } = node;
  const declaration = graph.declaration(node);
  // Its other fields are read from each row.
  if (declaration?.kind === "list") return node["listType"] === "msg" ? String(node["list"]) : "";
  const mapped = Object.entries(declaration ? inputsOf(declaration) : {}).map(([property, { field }]) =>
    field?.required && node[property] === undefined ? `payload.${field.name}` : "",
  );
  if (node.type === "debug") return "";
  return JSON.stringify([mapped, node.type === "change" ? list(rules).map(readByRule) : [rest, rules]]);
}

/** Returns the part of a Change node's rule that it does not write. */
function readByRule({ t, p, from, to }: Readonly<Record<string, unknown>>): object {
  return t === "set" ? { to } : t === "move" ? { p } : t === "change" ? { p, from, to } : {};
}

function pathsIn(text: string): JsonPath[] {
  return [...text.matchAll(READ)].flatMap(([, found = ""]) => {
    const parts = [...found.matchAll(PART)].map(([name, place]) => (place === undefined ? name : Number(place)));
    if (parts.at(-1) === "length") parts.pop();
    return parts.length > 0 ? [parts] : [];
  });
}

/** Whether what follows a node has another payload than the sender's. */
function replacesPayload(node: FlowNode, graph: Graph): boolean {
  const { kind } = graph.declaration(node) ?? {};
  if (kind === "list") return true;
  if (kind === "action") return (node["target"] ?? "payload") === "payload";
  const sets = list(node["rules"]).some(({ t, p, pt }) => t === "set" && p === "payload" && pt === "msg");
  const isFunction = /\bpayload\s*(?::|=(?!=))/.test(String(node["func"] ?? ""));
  return sets || isFunction || ["template", "http request", "file in"].includes(node.type);
}
