import { isObject, objectOf, oneOf, type Rule, required, rule, wholeNumber } from "../../json/rules";
import type { Chance } from "./chance";

const BEHAVIOURS = ["answers", "declines", "never answers"] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

/** The service refuses to call a number. */
export interface CallRefusal {
  readonly status: number;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
}

/** By pattern: a number, or `*` and its last digits. */
export type PhonesByNumber = Readonly<Record<string, Behaviour | CallRefusal>>;
/** Of all phones without a pattern, the share of each behaviour. Together at most 1. */
export type Mix = Readonly<Record<Behaviour, number>>;

const MOST_PATTERNS = 100;
const PATTERN = /^(?:\*\d{0,20}|\d{1,20})$/;

/** A 204 or 304 could not carry the envelope. */
export const statusWithBody: Rule<number | undefined> = (value, field) =>
  value === 204 || value === 304
    ? [`The ${field} field must be a status that has a body.`]
    : wholeNumber(200, 599)(value, field);

const behaviour = oneOf(...BEHAVIOURS);
const refusal = objectOf({ status: required(statusWithBody), retryAfter: wholeNumber(0, 86_400) });

export const phonesByNumber: Rule<PhonesByNumber | undefined> = (value, field) => {
  if (value === undefined) return [];
  if (!isObject(value)) return [`The ${field} field must be a JSON object.`];
  const entries = Object.entries(value);
  if (entries.length > MOST_PATTERNS) return [`The ${field} field must have at most ${MOST_PATTERNS} entries.`];
  return entries.flatMap(([pattern, phone]) => {
    const name = `${field}.${pattern.slice(0, 30)}`;
    if (!PATTERN.test(pattern)) return [`The ${name} field must be named by a number, or by * and its last digits.`];
    return (typeof phone === "object" ? refusal : behaviour)(phone ?? "", name);
  });
};

export const share = rule<number>(
  (value) => typeof value === "number" && value >= 0 && value <= 1,
  "a number from 0 to 1",
);
const shares = objectOf({ answers: share, declines: share, "never answers": share });
/** Of shares such as 0.1 and 0.7 that are added up. */
const ROUNDING = 1e-9;

export const mix: Rule<Partial<Mix> | undefined> = (value, field) => {
  const problems = shares(value, field);
  if (problems.length > 0 || value === undefined) return problems;
  const sum = Object.values(value as Partial<Mix>).reduce((total, each) => total + each, 0);
  return sum > 1 + ROUNDING ? [`The ${field} must be at most 1 together.`] : [];
};

/** Returns what is set for a number by the first pattern that fits it. */
export function phoneOf(number: string, phones: PhonesByNumber): Behaviour | CallRefusal | undefined {
  return Object.entries(phones).find(([pattern]) => fitsPattern(number, pattern))?.[1];
}

/** @param pattern all digits of a number, or `*` and its last ones */
export function fitsPattern(number: string, pattern: string): boolean {
  const digits = digitsOf(number);
  return pattern.startsWith("*") ? digits.endsWith(pattern.slice(1)) : digits === pattern;
}

/** Returns how the phone of a number behaves: by its pattern, or else by chance; undefined: as set for all. */
export function behaviourOf(
  number: string,
  { phones, mix, seed }: { readonly phones: PhonesByNumber; readonly mix: Mix; readonly seed: number },
  chance: Chance,
): Behaviour | undefined {
  const phone = phoneOf(number, phones);
  if (typeof phone === "string") return phone;
  if (BEHAVIOURS.every((each) => mix[each] === 0)) return undefined;
  const drawn = chance.draw(seed, `phone ${digitsOf(number) || number}`);
  let upTo = 0;
  return BEHAVIOURS.find((each) => {
    upTo += mix[each];
    return drawn < upTo;
  });
}

function digitsOf(number: string): string {
  return number.replaceAll(/\D/g, "");
}
