import { type DayEntry, HoursError, readDays } from "../hours";
import { toList } from "./coerce";
import { FieldError } from "./problem";

/** Reads the day entries of a schedule from a list or its JSON text; times go out as HH:MM. Throws `FieldError`. */
export function readDayList(value: unknown, field: string): DayEntry[] | undefined {
  const list = toList(value, field);
  try {
    return list && readDays(list);
  } catch (error) {
    if (error instanceof HoursError) throw new FieldError(`hours.${error.key}`, field + error.path, error.params);
    throw error;
  }
}
