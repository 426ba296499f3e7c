import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv, { type ValidateFunction } from "ajv/dist/2020";
import { NODE_TYPES } from "./node-types";
import { root } from "./root";

export type Part = "node" | "input" | "output" | "error";

export const schemaFolder = join(root, "dist", "schema");
export const read = (file: string) => JSON.parse(readFileSync(join(schemaFolder, file), "utf8")) as object;

const ajv = new Ajv({ strict: true, strictRequired: false, strictTypes: false, allErrors: true });
const compiled = new Map<string, ValidateFunction>();

/** What is wrong with a value by the schema that the package ships for a node type; empty if nothing is. */
export function problemsOf(type: string, part: Part, value: unknown): string[] {
  const key = `${type}#/$defs/${part}`;
  if (!ajv.getSchema(type)) ajv.addSchema(read(`${type}.json`), type);
  const validate = compiled.get(key) ?? ajv.compile({ $ref: key });
  compiled.set(key, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

/** Checks a value of ours against its schema; those of other nodes have none. */
export function assertValid(type: string, part: Part, value: unknown): void {
  if (!NODE_TYPES.includes(type)) return;
  const problems = problemsOf(type, part, value);
  if (problems.length > 0) assert.fail(`${type}, ${part}: ${problems.join("; ")}`);
}
