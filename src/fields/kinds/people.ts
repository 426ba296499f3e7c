import { ValueError } from "../../hours/value-error";
import { isObject } from "../../json/rules";
import type { Notice } from "../notice";
import { valueError } from "../value-error";
import { readEntry } from "./actions";
import { toChoice, toList, toName, toText } from "./coerce";
import { doubtfulNumber, type MayBeTwo, toDialable } from "./phone-number";

/** The owner of the number: a phone number, or a user of the tenant. */
const TYPES = ["external", "internal"] as const;

/** Somebody to be called. Templates can use further properties, too. */
export interface Person {
  readonly number: string;
  readonly name?: string;
  readonly type?: (typeof TYPES)[number];
  readonly [other: string]: unknown;
}

/** An entry that cannot be called, with the beginnings of its number and name as they came. */
export interface UnreadablePerson extends Record<string, unknown> {
  readonly problem: ValueError;
  readonly number: string;
  readonly name: string | null;
}

const KNOWN = {
  number: toText,
  name: toName,
  type: (value: unknown, field: string) => toChoice(value, field, TYPES),
} as const;

/** Reads a list of people from a message, or from its JSON text. Throws `ValueError`. */
export function readPeople(value: unknown, field: string): Person[] | undefined {
  return toList(value, field)?.map((entry, index) => readPerson(entry, `${field}[${index}]`));
}

/** Reads each entry by itself: a mistake in one keeps nobody else from being called. Throws `ValueError` if nobody can be. */
export function readEachPerson(value: unknown, field: string): (Person | UnreadablePerson)[] | undefined {
  const read = toList(value, field)?.map((entry, index) => {
    const path = `${field}[${index}]`;
    try {
      return readPerson(entry, path);
    } catch (error) {
      const { number, name } = isObject(entry) ? entry : { number: entry };
      return { problem: valueError(error, path), number: startOf(number), name: startOf(name) || null };
    }
  });
  const [first] = read ?? [];
  if (first && isUnreadable(first) && read?.every(isUnreadable)) throw first.problem;
  return read;
}

export function isUnreadable(one: Person | UnreadablePerson): one is UnreadablePerson {
  return one["problem"] instanceof ValueError;
}

function startOf(text: unknown): string {
  return /string|number/.test(typeof text) ? String(text).slice(0, 40) : "";
}

function readPerson(entry: unknown, field: string): Person {
  const person = readEntry(entry, field, KNOWN);
  const { number, type = TYPES[0] } = person;
  if (number === undefined) throw new ValueError("input.numberMissing", `${field}.number`);
  const dialed = type === TYPES[0] ? toDialable(String(number), `${field}.number`) : number;
  return { ...person, number: dialed } as unknown as Person;
}

export function doubtfulPeople(raw: unknown, people: readonly Person[], field: string, mayBeTwo?: MayBeTwo): Notice[] {
  const given = Array.isArray(raw) ? raw : [];
  return people.flatMap((one, index) =>
    isUnreadable(one)
      ? []
      : doubtfulNumber(Object(given[index]).number, one.number, `${field}[${index}].number`, mayBeTwo),
  );
}
