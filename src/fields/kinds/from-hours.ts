import type * as Hours from "../../hours";
import { hoursProblem } from "./hours-problem";

/** Reads with the schedules' own readers; what they refuse becomes a problem of the field. */
export function fromHours<T>(field: string, read: (hours: typeof Hours) => T): T {
  // Loaded with the first schedule or instant: most flows have none.
  const hours = require("../../hours") as typeof Hours;
  try {
    return read(hours);
  } catch (error) {
    throw error instanceof hours.HoursError ? hoursProblem(field, error) : error;
  }
}
