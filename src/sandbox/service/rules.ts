/** What a field's value may be. `undefined` means "not given", which is fine unless the rule is `required`. */
export interface Rule<T> {
  /** Sentences that say what is wrong with the value of the field; none when it is fine. */
  problems(value: unknown, field: string): string[];
  /** For the compiler only: what a value without problems is. */
  readonly value?: T;
}

function rule<T>(isRight: (value: unknown) => boolean, wanted: string): Rule<T | undefined> {
  return {
    problems: (value, field) =>
      value === undefined || isRight(value) ? [] : [`The ${field} field must be ${wanted}.`],
  };
}

export const text = rule<string>((value) => typeof value === "string", "a string");
export const flag = rule<boolean>((value) => typeof value === "boolean", "true or false");
export const amount = rule<number>((value) => typeof value === "number", "a number");

/** The interface's `H:i`, read as in PHP's date formats: hours and minutes of two digits each, no seconds. */
export const clockTime = rule<string>(
  (value) => typeof value === "string" && /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value),
  "a time in the format H:i, such as 08:30",
);

export function oneOf<T extends string>(...choices: readonly T[]): Rule<T | undefined> {
  return rule((value) => choices.some((choice) => choice === value), `one of ${choices.join(", ")}`);
}

export function wholeNumber(least: number, most: number): Rule<number | undefined> {
  return rule(
    (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
    `a whole number from ${least} to ${most}`,
  );
}

export function matching(pattern: RegExp, wanted: string): Rule<string | undefined> {
  return rule((value) => typeof value === "string" && pattern.test(value), wanted);
}

export function required<T>(wanted: Rule<T>): Rule<NonNullable<T>> {
  return {
    problems: (value, field) =>
      value === undefined || value === null || value === ""
        ? [`The ${field} field is required.`]
        : wanted.problems(value, field),
  };
}
