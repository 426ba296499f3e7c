/** A JSON Schema (2020-12). */
export type Schema = Readonly<Record<string, unknown>>;

/** Node-RED replaces a text that is one variable when it deploys. */
export const VARIABLE: Schema = { type: "string", pattern: "^\\$[({]" };

export function anyOf(...schemas: readonly Schema[]): Schema {
  return schemas.length === 1 ? (schemas[0] as Schema) : { anyOf: schemas };
}

/** An object with these properties, beside any others. */
export function object(properties: Readonly<Record<string, Schema>>, ...required: readonly string[]): Schema {
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}

/** Nothing is valid: the node has no such messages. */
export function none(description: string): Schema {
  return { not: {}, description };
}
