import { readActions } from "../../fields/kinds/actions";
import { toBoolean, toChoice, toId, toPositiveInteger, toText } from "../../fields/kinds/coerce";
import { hoursProblem } from "../../fields/kinds/hours-problem";
import type { FieldNote } from "../../fields/note";
import { readDays } from "../../hours/day-entries";
import { HoursError } from "../../hours/hours-error";
import { readInstant } from "../../hours/instant";
import { readExceptions } from "../../hours/read-exceptions";
import { readSchedule } from "../../hours/schedule";
import type { Zone } from "../../hours/zone";

/**
 * Checks the value of a pair that is the same for every message, as the runtime does for each message.
 * @returns `undefined` when the value means "not given"
 * @throws FieldError
 */
export function checkField({ name = "", kind, choices = [], spellings = [] }: FieldNote, value: unknown): unknown {
  switch (kind) {
    case "choice":
      return toChoice(value, name, [...choices, ...spellings]);
    case "boolean":
      return toBoolean(value, name);
    case "positiveInteger":
      return toPositiveInteger(value, name);
    case "id":
      return toId(value, name);
    case "text":
      return toText(value, name);
    case "actions":
      return readActions(value, name);
    case "days":
      return isEmptyList(value) ? undefined : withHours(name, () => readDays(value));
    case "schedule":
      return withHours(kind, () => readSchedule(Array.isArray(value) ? { days: value } : value));
    case "exceptions":
      return withHours(kind, () => readExceptions(value));
    case "instant":
      return isBlank(value) ? undefined : withHours("notAfter", () => readInstant(value));
    case "moment":
      return withHours("at", () => readInstant(value, ANY_ZONE));
    default:
      return value;
  }
}

/** Any zone will do: which moment a wall clock means is not checked, only that it can be read. */
const ANY_ZONE: Zone = {
  name: "UTC",
  instantAt: (wall) => wall,
  stretchAt: () => ({ offset: 0, from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY }),
};

function withHours<T>(field: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof HoursError ? hoursProblem(field, error) : error;
  }
}

function isBlank(value: unknown): boolean {
  return typeof value === "string" && value.trim() === "";
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
