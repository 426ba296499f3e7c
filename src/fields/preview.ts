import { ValueError } from "../hours/value-error";
import type { Field, Fields } from "./field";
import { checkValue } from "./kinds";
import { asDialed, missing, sourceOf } from "./reader";
import type { Config } from "./sources/property";
import type { Host } from "./sources/source";

/** Replaces an id that comes with the message, because a path accepts only digits. */
export const UNKNOWN_ID = "000000000000000000";

/**
 * Prepares the values of a request that a dialog shows, and finds the problems that every message has. Fixed values are as they are
 * sent; those of messages and contexts are not evaluated, but shown as their name.
 */
export function preview(fields: Fields, config: Config, host: Host) {
  const values: Record<string, unknown> = {};
  const problems: ValueError[] = [];
  for (const [name, field] of Object.entries(fields)) {
    try {
      const value = shown(name, field, config, host, values);
      if (value !== undefined) values[name] = value;
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      problems.push(error);
    }
  }
  return { values, problems };
}

function shown(
  name: string,
  field: Field,
  config: Config,
  host: Host,
  before: Readonly<Record<string, unknown>>,
): unknown {
  const source = sourceOf(name, field, config, host);
  if (!source.fixed && !source.preview) {
    if (field.kind === "onlyInMode") return undefined;
    return field.kind === "id" ? UNKNOWN_ID : `{${source.label}}`;
  }
  const value = source.preview ? source.preview() : checkValue(field, source.read({}), name);
  if (value === undefined && field.required && field.default === undefined) throw missing(field, name, source.label);
  const sent = source.fixed && value !== undefined ? asDialed(field, value, name, before) : value;
  return sent ?? field.default;
}
