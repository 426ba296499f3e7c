import type { NodeAPI } from "node-red";
import { oneLine, type ValueError } from "../../fields";
import { needsTenant, unableToSend } from "../../fields/rules";
import { variableOf } from "../../fields/variable";
import { speaking } from "../../runtime/node-red/catalogue";
import { asTenantError, sentence } from "../../runtime/node-red/texts";
import type { NodeDeclaration } from "../../runtime/register";
import { CHECKS, placesCalls } from "./calls";
import type { FlowNode } from "./flow-node";
import { Graph } from "./graph";
import { inputsOf, propertyAt, refusals, withoutType } from "./properties";
import { RULES, type Rule } from "./rules";
import { typeCheck } from "./types";
import { unknownProperties } from "./unknown-properties";

/** A mistake in a flow file. The message is one or more sentences and names the remedy. No text has control characters. */
export type Finding = ReturnType<typeof lint>[number];

interface FlowFile {
  readonly file: string;
  readonly nodes: readonly FlowNode[];
}

/**
 * Checks flow files together: a tenant may be in another one than its nodes.
 * @param userDir of Node-RED, if its types are to be known
 */
export function lint(files: readonly FlowFile[], declarations: readonly NodeDeclaration[], userDir?: string) {
  const all = files.flatMap(({ file, nodes }) => nodes.map((node) => ({ file: oneLine(file), node })));
  const graph = new Graph(
    all.map(({ node }) => node),
    declarations,
  );
  const unknownType = typeCheck(
    declarations.map(({ type }) => type),
    userDir,
  );
  const RED = speaking({}, "en-US");
  return all.flatMap(({ file, node }) => {
    const checks = graph.runs(node) ? CHECKS : [];
    const warnings = checks.flatMap(([rule, check]) =>
      [check(node, graph) || []].flat().map((message) => [rule, message] as const),
    );
    const { message: unknown, isMisspelt } = unknownType(node.type) ?? {};
    const type = unknown === undefined ? [] : [["unknown-type", unknown] as const];
    return [...type, ...errorsOf(RED, node, graph), ...warnings].map(([rule, message]) => {
      const about = { file, nodeId: oneLine(node.id), node: oneLine(graph.label(node)), type: oneLine(node.type) };
      const severity = isMisspelt === false && rule === "unknown-type" ? ("warning" as const) : RULES[rule];
      return { ...about, rule, severity, message: oneLine(message) };
    });
  });
}

function errorsOf(RED: NodeAPI, node: FlowNode, graph: Graph): (readonly [Rule, string])[] {
  const declaration = graph.declaration(node);
  if (!declaration) return [];
  const tenant = tenantProblem(declaration, node, graph);
  const inputs = inputsOf(declaration);
  const unable = placesCalls(node, graph) ? unableToSend(inputs, node, graph.tenantOf(node)) : [];
  const untyped = withoutType(inputs, node);
  const named = new Set<string | undefined>(untyped);
  const refused = [...refusals(declaration, node), ...unable].filter(({ path }) => {
    const property = propertyAt(inputs, path);
    return property === undefined || (!named.has(property) && named.add(property));
  });
  return [
    ...unknownProperties(declaration, node).map(([name, meant]) => {
      const advice = meant === undefined ? "Remove it." : `Write ${meant}, or remove it.`;
      return [
        "unknown-property",
        `Unknown property "${name}": a ${node.type} node has none of this name. ${advice}`,
      ] as const;
    }),
    ...(tenant ? [tenant] : []),
    ...untyped.map((name) => ["missing-type", missingType(name, node[name])] as const),
    ...refused.map((error) => {
      const message = sentence(RED, asTenantError(error), declaration);
      return [ruleOf(error), `${message} Correct ${error.path || "the value"} in the node.`] as const;
    }),
  ];
}

function missingType(name: string, value: unknown): string {
  if (Array.isArray(value)) return `No type: "${name}" is a list without "${name}Type". Add "${name}Type": "list".`;
  return `No type: "${name}" has no "${name}Type". Add "${name}Type": "msg" for a path in the message, "str" for a fixed text, or another type.`;
}

function tenantProblem(declaration: NodeDeclaration, node: FlowNode, graph: Graph): [Rule, string] | undefined {
  const id = String(node["tenant"] ?? "");
  if (!needsTenant(declaration.kind, node) || variableOf(id) !== undefined) return undefined;
  if (id === "") return ["missing-tenant", "No tenant is chosen. Open the node and choose one, or add one."];
  const tenant = graph.tenantOf(node);
  if (!tenant)
    return [
      "unknown-tenant",
      `No such tenant: ${id} is in none of the files. Choose another one in the node, or name the file that has it, too.`,
    ];
  const disabled =
    "The tenant is disabled, so the node cannot send anything. Enable it, or choose another one in the node.";
  return tenant["d"] === true ? ["unknown-tenant", disabled] : undefined;
}

const CHOICES: readonly string[] = ["input.notChoice", "config.notChoice", "input.choiceOnlyInMode"];

function ruleOf({ key }: ValueError): Rule {
  if (CHOICES.includes(key)) return "wrong-choice";
  return /missing$/i.test(key) || key === "input.nothingToSay" ? "missing-value" : "refused-value";
}
