import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NodeDeclaration } from "../../runtime/register";
import type { Catalogue } from "../catalogue";
import { errorSchema } from "./error-schema";
import type { Schema } from "./json-schema";
import { inputSchema, outputSchema } from "./message-schema";
import { nodeSchema } from "./node-schema";

/** The schema of a node type: its properties in a flow file, its messages and its errors. */
function schemaOf(node: NodeDeclaration, texts: Catalogue): Schema {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: node.type,
    $ref: "#/$defs/node",
    $defs: {
      node: nodeSchema(node, texts),
      input: inputSchema(node),
      output: outputSchema(node),
      error: errorSchema(node),
    },
  };
}

/** Writes the schemas of all nodes, and a list of them. On one line each: they ship. */
export function writeSchemas(folder: string, nodes: readonly NodeDeclaration[], texts: Catalogue): void {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, value: unknown) => writeFileSync(join(folder, name), `${JSON.stringify(value)}\n`);
  for (const node of nodes) write(`${node.type}.json`, schemaOf(node, texts));
  write("index.json", Object.fromEntries(nodes.map(({ type }) => [type, `${type}.json`])));
}
