import { ValueError } from "../../hours/value-error";
import type { Notice } from "../notice";
import { readEntry } from "./actions";
import { toChoice, toList, toText } from "./coerce";
import { checkDialable, doubtfulNumber } from "./phone-number";

/** Whose number it is: a phone number, or a user of the tenant. */
const TYPES = ["external", "internal"] as const;

/** Somebody to be called. Templates can use further properties, too. */
export interface Person {
  readonly number: string;
  readonly name?: string;
  readonly type?: (typeof TYPES)[number];
  readonly [other: string]: unknown;
}

const KNOWN = {
  number: toText,
  name: toText,
  type: (value: unknown, field: string) => toChoice(value, field, TYPES),
} as const;

/** Reads a list of people from a message, or from its JSON text. Throws `ValueError`. */
export function readPeople(value: unknown, field: string): Person[] | undefined {
  return toList(value, field)?.map((entry, index) => readPerson(entry, `${field}[${index}]`));
}

function readPerson(entry: unknown, field: string): Person {
  const person = readEntry(entry, field, KNOWN);
  const { number, type = TYPES[0] } = person;
  if (number === undefined) throw new ValueError("input.numberMissing", `${field}.number`);
  if (type === TYPES[0]) checkDialable(String(number), `${field}.number`);
  return person as unknown as Person;
}

/** Finds numbers of people that may have lost a zero or a plus. */
export function doubtfulPeople(raw: unknown, people: readonly Person[], field: string): Notice[] {
  const given = Array.isArray(raw) ? raw : [];
  return people.flatMap((_, index) => doubtfulNumber(Object(given[index]).number, "", `${field}[${index}].number`));
}
