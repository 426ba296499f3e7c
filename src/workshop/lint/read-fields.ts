import { type FlowNode, list } from "./flow-node";
import type { Graph } from "./graph";
import { inputsOf } from "./properties";

/** Where a field is in the payload: names, and the places of lists. */
export type FieldPath = readonly (string | number)[];

/** What stands behind `payload`, but for a call of a method, or what is assigned there. */
const READ =
  /\bpayload((?:\.[\p{L}_$][\p{L}\p{N}_$]*(?![\p{L}\p{N}_$]|\s*\()|\[(?:"[^"\]]+"|'[^'\]]+'|\d+)\])+)(?!\s*=[^=])/gu;
const PART = /\.([\p{L}_$][\p{L}\p{N}_$]*)|\["([^"]+)"\]|\['([^']+)'\]|\[(\d+)\]/gu;
/** Properties of every text or list. */
const BUILT_IN = new Set<unknown>(["length"]);
/** Properties that nobody runs. */
const PROSE = new Set(["id", "type", "z", "g", "name", "info", "label", "file"]);
/** Nodes that only show, or whose payload is not the sender's. */
const ASIDE = new Set(["debug", "comment", "catch", "status", "complete"]);

/** The fields of the payload that the nodes behind one read, as far as none of them has put another payload in its place. */
export function fieldsRead(from: FlowNode, graph: Graph): FieldPath[] {
  const fields = new Map<string, FieldPath>();
  for (const node of graph.after(from, (each) => !replacesPayload(each, graph)))
    for (const path of readBy(node, graph)) fields.set(JSON.stringify(path), path);
  const all = [...fields.values()];
  const isWithin = (inner: FieldPath, outer: FieldPath) =>
    inner.length > outer.length && outer.every((part, index) => part === inner[index]);
  return all.filter((path) => !all.some((other) => isWithin(other, path)));
}

function readBy(node: FlowNode, graph: Graph): FieldPath[] {
  if (ASIDE.has(node.type)) return [];
  const declaration = graph.declaration(node);
  const mapped = Object.entries(declaration ? inputsOf(declaration) : {}).flatMap(([property, { field }]) =>
    field?.required && field.name && node[property] === undefined ? [field.name.split(".")] : [],
  );
  const read = node.type === "change" ? { rules: list(node["rules"]).map(readByRule) } : node;
  const texts = Object.entries(read).flatMap(([property, value]) => (PROSE.has(property) ? [] : textsIn(value)));
  return [...mapped, ...texts.flatMap(pathsIn)];
}

/** What a rule of a Change node does not write. */
function readByRule({ t, p, from, to }: Readonly<Record<string, unknown>>): object {
  return t === "set" ? { to } : t === "move" ? { p } : t === "change" ? { p, from, to } : {};
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Object.values(Object(value)).flatMap(textsIn);
}

function pathsIn(text: string): FieldPath[] {
  return [...text.matchAll(READ)].flatMap(([, found = ""]) => {
    const parts = [...found.matchAll(PART)].map(([, ...[name, quoted, single, place]]) =>
      place === undefined ? (name ?? quoted ?? single ?? "") : Number(place),
    );
    while (BUILT_IN.has(parts.at(-1))) parts.pop();
    return parts.length > 0 ? [parts] : [];
  });
}

/** Whether what follows a node has another payload than the sender's. */
function replacesPayload(node: FlowNode, graph: Graph): boolean {
  if (graph.declaration(node)?.kind === "action") return (node["target"] ?? "payload") === "payload";
  const sets = list(node["rules"]).some(({ t, p, pt }) => t === "set" && p === "payload" && pt === "msg");
  const isFunction = /\bpayload\s*(?::|=(?!=))/.test(String(node["func"] ?? ""));
  return sets || isFunction || ["template", "http request", "file in"].includes(node.type);
}
