import { isGiven, toNumber } from "./coerce";

/** The numbers that a setting accepts, both ends included. */
export interface NumberRange {
  readonly from: number;
  readonly to: number;
  /** Whether only integers are accepted. */
  readonly whole?: boolean;
}

/**
 * Reads the number of a setting, from a number or its decimal text.
 * @returns `undefined` when the value is blank, `NaN` when it is not a number of the range
 */
export function numberIn(value: unknown, { from, to, whole = false }: NumberRange): number | undefined {
  let number: number | undefined;
  try {
    number = toNumber(value, "");
  } catch {
    return Number.NaN;
  }
  if (number === undefined) return undefined;
  return number >= from && number <= to && (!whole || Number.isInteger(number)) ? number : Number.NaN;
}

/** Headers that HTTP or this client sets itself. undici refuses or merges the last four. */
const RESERVED_HEADERS: readonly string[] = [
  "host",
  "content-length",
  "content-type",
  "transfer-encoding",
  "connection",
  "accept",
  "accept-encoding",
  "expect",
  "keep-alive",
  "upgrade",
];

/** Whether requests can carry the token in a header of this name. */
export function isTokenHeader(name: string): boolean {
  return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/.test(name) && !RESERVED_HEADERS.includes(name.toLowerCase());
}

/** Finds the choice that a setting names, the first one when nothing is given; `undefined` for any other value. */
export function choiceOf<const Choice extends string>(
  value: unknown,
  choices: readonly [Choice, ...Choice[]],
): Choice | undefined {
  return isGiven(value) ? choices.find((choice) => choice === value) : choices[0];
}
