import { HoursError } from "../hours";
import { FieldError } from "./problem";

/** Reads with the schedules' own readers; what they refuse becomes a problem of the field. */
export function fromHours<T>(field: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof HoursError) throw new FieldError(`hours.${error.key}`, field + error.path, error.params);
    throw error;
  }
}
