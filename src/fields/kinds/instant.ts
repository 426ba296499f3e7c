import { isGiven } from "./coerce";
import { fromHours } from "./from-hours";

/**
 * An instant in epoch milliseconds, from these, a Date, or ISO 8601 with an offset: a time without one would mean another
 * moment on another server. Throws `FieldError`.
 */
export function toInstant(value: unknown, field: string): number | undefined {
  return isGiven(typeof value === "string" ? value.trim() : value)
    ? fromHours(field, ({ readInstant }) => readInstant(value))
    : undefined;
}
