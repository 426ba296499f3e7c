import type { DayEntry } from "../../hours";
import { toList } from "./coerce";
import { fromHours } from "./from-hours";

/** Reads the day entries of a schedule from a list or its JSON text; times go out as HH:MM. Throws `FieldError`. */
export function readDayList(value: unknown, field: string): DayEntry[] | undefined {
  const list = toList(value, field);
  return list && fromHours(field, ({ readDays }) => readDays(list));
}
