/**
 * A rule for a field's value: one sentence for each problem with the value, none when it is valid. `undefined` means "not given"
 * and is accepted unless the rule is `required`.
 */
export type Rule<T> = ((value: unknown, field: string) => string[]) & {
  /** For the compiler only: the type of a valid value. */
  readonly value?: T;
};

export type Rules = Readonly<Record<string, Rule<unknown>>>;
export type Values<R extends Rules> = { readonly [Field in keyof R]: R[Field] extends Rule<infer T> ? T : never };

type JsonObject = Readonly<Record<string, unknown>>;

/** The type of an object whose properties follow rules: one that is not required may be missing. */
type ObjectOf<R extends Rules> = {
  readonly [Field in keyof R as undefined extends Values<R>[Field] ? never : Field]: Values<R>[Field];
} & {
  readonly [Field in keyof R as undefined extends Values<R>[Field] ? Field : never]?: Exclude<
    Values<R>[Field],
    undefined
  >;
};

export function rule<T>(isValid: (value: unknown) => boolean, expected: string): Rule<T | undefined> {
  return (value, field) => (value === undefined || isValid(value) ? [] : [`The ${field} field must be ${expected}.`]);
}

export const text = rule<string>((value) => typeof value === "string", "a string");
export const boolean = rule<boolean>((value) => typeof value === "boolean", "true or false");
export const number = rule<number>((value) => typeof value === "number", "a number");

/** The interface's `H:i`, read as PHP's date format: hours and minutes of two digits each, no seconds. */
export const clockTime = matching(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "a time in the format H:i, such as 08:30");

export function textUpTo(most: number): Rule<string | undefined> {
  const upTo = rule<string>((value) => String(value).length <= most, `at most ${most} characters`);
  return (value, field) => (typeof value === "string" ? upTo : text)(value, field);
}

export function oneOf<T extends string>(...choices: readonly T[]): Rule<T | undefined> {
  return rule((value) => choices.some((choice) => choice === value), `one of ${choices.join(", ")}`);
}

export function wholeNumber(least: number, most: number): Rule<number | undefined> {
  return rule(
    (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
    `a whole number from ${least} to ${most}`,
  );
}

export function matching(pattern: RegExp, expected: string): Rule<string | undefined> {
  return rule((value) => typeof value === "string" && pattern.test(value), expected);
}

export function required<T>(inner: Rule<T>): Rule<NonNullable<T>> {
  return (value, field) =>
    value === undefined || value === null || value === "" ? [`The ${field} field is required.`] : inner(value, field);
}

/** An array of objects with these fields. Other properties of an entry are kept. */
export function listOf<R extends Rules>(rules: R): Rule<readonly (Values<R> & JsonObject)[] | undefined> {
  return (list, field) => {
    if (list === undefined) return [];
    if (!Array.isArray(list)) return [`The ${field} field must be an array.`];
    return list.flatMap((entry, index) => readFields(entry, rules, `${field}.${index}.`).problems);
  };
}

/** Reads the fields that have a rule and ignores all others. Trust `values` only when there are no `problems`. */
export function readFields<R extends Rules>(
  body: unknown,
  rules: R,
  prefix = "",
): { readonly values: Values<R>; readonly problems: readonly string[] } {
  if (!isObject(body)) {
    const what = prefix === "" ? "body" : `${prefix.slice(0, -1)} field`;
    return { values: {} as Values<R>, problems: [`The ${what} must be a JSON object.`] };
  }
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [field, rule] of Object.entries(rules)) {
    const value = Object.hasOwn(body, field) ? body[field] : undefined;
    values[field] = value;
    problems.push(...rule(value, prefix + field));
  }
  return { values: values as Values<R>, problems };
}

/** Characters of a field's name that a refusal repeats. */
const SHOWN_NAME = 100;

/** Reads fields, and refuses a body that has any other: nothing unchecked may be kept. */
export function readOnlyFields<R extends Rules>(body: unknown, rules: R, prefix = "") {
  const { values, problems } = readFields(body, rules, prefix);
  const unknown = isObject(body) ? Object.keys(body).filter((field) => !Object.hasOwn(rules, field)) : [];
  const known = Object.keys(rules).join(", ");
  const refusals = unknown.map(
    (field) => `The ${prefix + field.slice(0, SHOWN_NAME)} field is not known here. Known: ${known}.`,
  );
  return { values, problems: [...problems, ...refusals] };
}

/** An object with these fields and no others. */
export function objectOf<R extends Rules>(rules: R): Rule<ObjectOf<R> | undefined> {
  return (value, field) => (value === undefined ? [] : readOnlyFields(value, rules, `${field}.`).problems);
}

/** A list of at most so many entries, each of which follows the rule. */
export function listUpTo<T>(most: number, entry: Rule<T>): Rule<readonly NonNullable<T>[] | undefined> {
  return (list, field) => {
    if (list === undefined) return [];
    if (!Array.isArray(list) || list.length > most)
      return [`The ${field} field must be a list of at most ${most} entries.`];
    return list.flatMap((each, index) => required(entry)(each, `${field}.${index}`));
  };
}

/** Returns what a reading gives; `undefined` if it throws, where nobody needs to know why. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/**
 * Whether a host name, as parsed by WHATWG's URL, is this machine: exactly localhost, 127.0.0.0/8 or [::1].
 * Similar names (`localhost.`, `127.0.0.1.nip.io`) are not.
 */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
