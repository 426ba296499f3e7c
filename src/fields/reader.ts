import type { Field, Fields, Values } from "./field";
import { isGiven } from "./kinds/coerce";
import { actionRows, listInDialog } from "./kinds/rows";
import { FieldError } from "./problem";
import { reasonOf } from "./quote";
import { readAll } from "./read-all";
import { type Pair, propertyName } from "./sources/property";
import { defaultSource, type Host, type Source, source } from "./sources/source";

/** Reads and checks all fields of a request for one message; throws, or rejects with, `FieldError`. */
export interface Reader<F extends Fields> {
  (message: object): Values<F> | Promise<Values<F>>;
  /** Where a field that is not given was looked for. */
  looked(field: string): string | undefined;
}

/** A node's properties as the flow file holds them. */
export type Config = Readonly<Record<string, unknown>>;

interface Prepared {
  readonly name: string;
  readonly field: Field;
  readonly source: Source;
}

/** Prepares the fields of a node once, so that a message costs reading and checking only. */
export function reader<F extends Fields>(fields: F, config: Config, host: Host): Reader<F> {
  const prepared = Object.entries(fields).map(([name, field]) => ({
    name,
    field,
    source: sourceOf(name, field, config, host),
  }));
  const check = (raw: readonly unknown[], message: object) => {
    const values: Record<string, unknown> = {};
    for (const [index, entry] of prepared.entries()) {
      const value = checked(entry, raw[index], message);
      if (value !== undefined) values[entry.name] = value;
    }
    return values as Values<F>;
  };
  const read = (message: object) => {
    const raw = readAll(prepared, message);
    return raw instanceof Promise ? raw.then((values) => check(values, message)) : check(raw, message);
  };
  const looked = (field: string) => {
    const source = prepared.find(({ name }) => name === field)?.source;
    return source?.looked ?? source?.label;
  };
  return Object.assign(read, { looked });
}

function checked({ name, field, source }: Prepared, raw: unknown, message: object): unknown {
  try {
    const value = isGiven(raw) ? field.check(raw, name) : undefined;
    if (value !== undefined) return value;
    if (field.default !== undefined) return field.default;
    if (field.required) throw new FieldError("missing", name);
    return undefined;
  } catch (error) {
    // What is no problem of ours comes from a getter or a proxy inside the value.
    const problem =
      error instanceof FieldError
        ? error
        : new FieldError("unreadable", name, { reason: reasonOf(error) }, source.label);
    problem.source ??= source.found?.(message, problem.field.slice(name.length)) ?? source.label;
    throw problem;
  }
}

/** Prepares where a field comes from: its default mapping, a list in the dialog, or a typed input. */
export function sourceOf(name: string, field: Field, config: Config, host: Host): Source {
  const pair = pairOf(config, field.property ?? propertyName(name));
  if (!pair || (pair.type === "msg" && pair.value === `payload.${name}`)) return defaultSource(name, field.fallbacks);
  if (pair.type === "list" && field.kind === "actions") return actionRows(pair.value, name, host);
  if (pair.type === "list" && (field.kind === "days" || field.kind === "list")) return listInDialog(pair.value, name);
  return source(pair, name, host);
}

/** The pair of a typed input, `undefined` where the flow file has none. A value without a type is a text. */
export function pairOf(config: Config, property: string): Pair | undefined {
  const value = Object.hasOwn(config, property) ? config[property] : undefined;
  if (value === undefined) return undefined;
  const type = config[`${property}Type`];
  return { value, type: typeof type === "string" && type !== "" ? type : "str" };
}
