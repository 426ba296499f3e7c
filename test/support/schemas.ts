import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv, { type ValidateFunction } from "ajv/dist/2020";
import { NODE_TYPES } from "./node-types";
import { root } from "./root";

export const schemaFolder = join(root, "dist", "schema");
export const read = (file: string) => JSON.parse(readFileSync(join(schemaFolder, file), "utf8")) as object;

const ajv = new Ajv({ strict: true, strictRequired: false, strictTypes: false, allErrors: true });
const compiled = new Map<string, ValidateFunction>();

/** Returns what is wrong with a node by the schema that the package ships for its type; empty if nothing is. */
export function problemsOf(type: string, node: unknown): string[] {
  const validate = compiled.get(type) ?? ajv.compile(read(`${type}.json`));
  compiled.set(type, validate);
  if (validate(node)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

/** Checks a node of ours against its schema; those of other packages have none. */
export function assertValid(node: { readonly type: string }): void {
  if (!NODE_TYPES.includes(node.type)) return;
  const problems = problemsOf(node.type, node);
  if (problems.length > 0) assert.fail(`${node.type}: ${problems.join("; ")}`);
}
