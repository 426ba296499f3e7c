import { hoursProblem } from "../../fields/kinds/hours-problem";
import { readDays } from "../../hours/day-entries";
import { HoursError } from "../../hours/hours-error";
import { readExceptions } from "../../hours/read-exceptions";
import { readSchedule } from "../../hours/schedule";

const READERS = {
  days: (value: unknown) => (isEmpty(value) ? undefined : readDays(value)),
  schedule: (value: unknown) => readSchedule(Array.isArray(value) ? { days: value } : value),
  exceptions: readExceptions,
};

/** Reads schedules and exceptions as the runtime will. Throws `FieldError`. */
export function checkHours(kind: keyof typeof READERS, value: unknown, field: string): unknown {
  try {
    return READERS[kind](value);
  } catch (error) {
    throw error instanceof HoursError ? hoursProblem(field, error) : error;
  }
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
