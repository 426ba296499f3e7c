import type { Rule } from "./rules";

type Rules = Readonly<Record<string, Rule<unknown>>>;
type Values<R extends Rules> = { readonly [Field in keyof R]: R[Field] extends Rule<infer T> ? T : never };

/** The fields that were asked for; trust `values` only when there are no `problems`. Fields without a rule are ignored. */
export interface Reading<R extends Rules> {
  readonly values: Values<R>;
  readonly problems: readonly string[];
}

type JsonObject = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `to.number` is read from the key `to.number`, as the interface spells it, or else from `number` in the object `to`. */
function fieldOf(body: JsonObject, field: string): unknown {
  if (Object.hasOwn(body, field)) return body[field];
  let value: unknown = body;
  for (const key of field.split(".")) {
    if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

export function readFields<R extends Rules>(body: unknown, rules: R, prefix = ""): Reading<R> {
  if (!isObject(body)) {
    const what = prefix === "" ? "body" : `${prefix.slice(0, -1)} field`;
    return { values: {} as Values<R>, problems: [`The ${what} must be a JSON object.`] };
  }
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [field, rule] of Object.entries(rules)) {
    const value = fieldOf(body, field);
    values[field] = value;
    problems.push(...rule.problems(value, prefix + field));
  }
  return { values: values as Values<R>, problems };
}

/** A list whose entries have these fields. An entry keeps whatever else it has. */
export function listOf<R extends Rules>(rules: R): Rule<readonly (Values<R> & JsonObject)[] | undefined> {
  return {
    problems(list, field) {
      if (list === undefined) return [];
      if (!Array.isArray(list)) return [`The ${field} field must be an array.`];
      return list.flatMap((entry, index) => readFields(entry, rules, `${field}.${index}.`).problems);
    },
  };
}

/** The fields that have a value, for records in which "not given" leaves no trace. */
export function given<T extends object>(fields: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as { [Key in keyof T]: Exclude<T[Key], undefined> };
}
