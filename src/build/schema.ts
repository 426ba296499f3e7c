import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isListKind } from "../fields/kinds";
import { type FieldNote, isFixed } from "../fields/note";
import type { Setting } from "../fields/setting";
import { SOURCE_TYPES } from "../fields/sources/source";
import { CLOSED_OR_NOT, HOURS_ELSEWHERE } from "../hours/exceptions";
import { knownProperties, type NodeProperty, nodeProperties } from "../runtime/node-properties";
import type { NodeDeclaration } from "../runtime/register";
import type { Catalogue } from "../texts/catalogue";
import { findText } from "./catalogue";

/** A JSON Schema (2020-12). */
type Schema = Readonly<Record<string, unknown>>;

/** Node-RED replaces a text that is one variable when it deploys. */
const VARIABLE: Schema = { type: "string", pattern: "^\\$[({]" };

/** The properties that Node-RED writes, as far as they have one form. */
const NODE_RED: Readonly<Record<string, Schema>> = {
  id: { type: "string", minLength: 1 },
  z: { type: "string" },
  wires: { type: "array", items: { type: "array", items: { type: "string" } } },
  credentials: { type: "object" },
};

/** Writes the schemas of all nodes, and a list of them. On one line each: they ship. */
export function writeSchemas(folder: string, nodes: readonly NodeDeclaration[], texts: Catalogue): void {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, value: unknown) => writeFileSync(join(folder, name), `${JSON.stringify(value)}\n`);
  for (const node of nodes)
    write(`${node.type}.json`, {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      title: node.type,
      $ref: "#/$defs/node",
      $defs: { node: nodeSchema(node, texts) },
    });
  write("index.json", Object.fromEntries(nodes.map(({ type }) => [type, `${type}.json`])));
}

/** The properties of a node in a flow file. Others are misspelt. */
function nodeSchema(node: NodeDeclaration, texts: Catalogue): Schema {
  const all = nodeProperties(node);
  const described = all.map((entry): [string, Schema] => [
    entry.property,
    { ...describe(entry, node.type, texts), ...valueSchema(entry) },
  ]);
  const types = all.flatMap((entry): [string, Schema][] =>
    entry.type === undefined ? [] : [[`${entry.property}Type`, { enum: typesOf(entry) }]],
  );
  const known = knownProperties(node).map((name): [string, Schema] => [name, NODE_RED[name] ?? {}]);
  const properties = { ...Object.fromEntries([...known, ...described, ...types]), type: { const: node.type } };
  const rules = all.flatMap(rulesOf);
  const halves = types.map(([type]) => [type.slice(0, -"Type".length), type] as const);
  return {
    type: "object",
    properties,
    required: ["id", "type"],
    additionalProperties: false,
    dependentRequired: Object.fromEntries(
      halves.flatMap(([value, type]) => [
        [value, [type]],
        [type, [value]],
      ]),
    ),
    ...(rules.length > 0 && { allOf: rules }),
  };
}

function describe({ property, start, absent }: NodeProperty, type: string, texts: Catalogue): Schema {
  const [label, hint] = ["label", "hint"].map((key) => findText(texts, type, `${key}.${property}`));
  const description = [label, hint].filter(Boolean).join(": ");
  return { ...(description !== "" && { description }), default: absent ?? start };
}

function valueSchema({ setting, config, check }: NodeProperty): Schema {
  if (setting) return settingSchema(setting);
  return config || check ? { type: "string" } : {};
}

const DECIMAL = { type: "string", pattern: "^\\s*([+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d{1,3})?\\s*)?$" } as const;
const BOOLEANS = [true, false, "true", "false", "1", "0", "on", "off", 1, 0, ""];

function settingSchema({ choices, default: value, from, to, whole }: Setting): Schema {
  if (choices) return { anyOf: [{ enum: [...new Set([value, ...choices, ""])] }, VARIABLE] };
  if (typeof value === "boolean") return { anyOf: [{ enum: BOOLEANS }, VARIABLE] };
  if (typeof value === "string") return { type: ["string", "integer"] };
  return { anyOf: [{ type: whole ? "integer" : "number", minimum: from, maximum: to }, DECIMAL, VARIABLE] };
}

function typesOf({ field }: NodeProperty): string[] {
  const isList = field !== undefined && isListKind(field.kind);
  return [...SOURCE_TYPES, ...(isList ? ["list"] : []), ...(field?.kind === "exceptions" ? ["url"] : [])];
}

function choicesOf(field: FieldNote): string[] {
  const modes = [field, ...Object.values(field.modes ?? {})];
  return [...new Set(modes.flatMap(({ choices = [], spellings = {} }) => [...choices, ...Object.keys(spellings)])), ""];
}

/** Types whose value is a path, a name or an expression. */
const EXPRESSIONS = SOURCE_TYPES.filter((type) => type !== "date" && !isFixed({ value: "", type }));

/** Keys that an exception refuses. */
const NOT_READ = { [HOURS_ELSEWHERE]: { enum: ["", null] }, [CLOSED_OR_NOT]: { enum: [true, "", null] } };

/** Returns the rules for the value of a pair with some of its types. */
function rulesOf({ property, field }: NodeProperty): Schema[] {
  if (!field) return [];
  const when = (types: readonly string[], value: Schema): Schema => ({
    if: { properties: { [`${property}Type`]: { enum: types } }, required: [property, `${property}Type`] },
    then: { properties: { [property]: value } },
  });
  const items =
    field.kind === "phoneList"
      ? {}
      : { type: "object", ...(field.kind === "exceptions" && { patternProperties: NOT_READ }) };
  const rules = [when(EXPRESSIONS, { type: "string" })];
  if (isListKind(field.kind)) rules.push(when(["list"], { anyOf: [{ type: "array", items }, { type: "string" }] }));
  if (field.kind === "choice") rules.push(when(["str"], { anyOf: [{ enum: choicesOf(field) }, VARIABLE] }));
  return rules;
}
