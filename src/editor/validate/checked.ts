import { validator } from "./valid";

/** Properties of a node, each with its validator if it has a rule. */
export function checked<P extends Record<string, Partial<EditorProperty>>>(properties: P): P {
  for (const [name, property] of Object.entries(properties)) {
    const { setting, field, check } = property;
    if (setting || field || check) Object.assign(property, { validate: validator(name) });
  }
  return properties;
}
