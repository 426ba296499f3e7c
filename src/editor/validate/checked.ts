import { valid } from "./valid";

/** Properties of a node, each with its validator if it has a rule. */
export function checked<P extends Record<string, Partial<EditorProperty>>>(properties: P): P {
  for (const [name, property] of Object.entries(properties)) {
    const { setting, field, check } = property;
    if (!setting && !field && !check) continue;
    // The editor takes a sentence only from a validator with exactly two parameters.
    const validate = function (this: EditorNode, value: unknown, _options: unknown): true | string {
      return valid(this, name, value);
    };
    Object.assign(property, { validate });
  }
  return properties;
}
