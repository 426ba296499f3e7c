import { toDayList, toExceptions, toSchedule } from "../../fields";

const READERS = { days: toDayList, schedule: toSchedule, exceptions: toExceptions };

/** Reads schedules and exceptions with the readers of the runtime. Throws `FieldError`. */
export function checkHours(kind: keyof typeof READERS, value: unknown, field: string): unknown {
  return READERS[kind](value, field);
}
