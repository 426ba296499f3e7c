import type { Field, Fields } from "./field";
import { FieldError } from "./problem";
import { sourceOf } from "./reader";
import type { Config } from "./sources/property";
import type { Host } from "./sources/source";

/** What a request's values would be without a message: what is fixed as it goes out, what a message brings as its name. */
export interface Preview {
  readonly values: Readonly<Record<string, unknown>>;
  /** Problems that no message could mend. */
  readonly problems: readonly FieldError[];
}

/** A stand-in for an id that comes with the message, since a path takes digits only. */
export const UNKNOWN_ID = "000000000000000000";

/** Prepares the values that a dialog shows; nothing is evaluated that only a message or a running flow has. */
export function preview(fields: Fields, config: Config, host: Host): Preview {
  const values: Record<string, unknown> = {};
  const problems: FieldError[] = [];
  for (const [name, field] of Object.entries(fields)) {
    try {
      const value = shown(name, field, config, host);
      if (value !== undefined) values[name] = value;
    } catch (error) {
      if (!(error instanceof FieldError)) throw error;
      problems.push(error);
    }
  }
  return { values, problems };
}

function shown(name: string, field: Field, config: Config, host: Host): unknown {
  const source = sourceOf(name, field, config, host);
  if (!source.fixed && !source.preview) {
    if (field.kind === "onlyInMode") return undefined;
    return field.kind === "id" ? UNKNOWN_ID : `{${source.label}}`;
  }
  const value = source.preview ? source.preview() : field.check(source.read({}), name);
  if (value === undefined && field.required && field.default === undefined)
    throw new FieldError("missing", name, {}, source.label);
  return value ?? field.default;
}
