import {
  type DayEntry,
  type Exceptions,
  HoursError,
  isZone,
  readDays,
  readExceptionList,
  readExceptions,
  readInstant,
  readSchedule,
  type Schedule,
  UTC_CLOCK,
  type WallClock,
} from "../../hours";
import { FieldError } from "../problem";
import { quote, unquoted } from "../quote";
import { isBlank, toList, toText } from "./coerce";

/**
 * Reads an instant, in epoch milliseconds, as `readInstant` does. A text needs an offset: its instant would otherwise
 * depend on the server's zone.
 * @returns `undefined` when the value is blank
 * @throws FieldError
 */
export function toInstant(value: unknown, field: string): number | undefined {
  return isBlank(value) ? undefined : fromHours(field, () => readInstant(value));
}

/**
 * Reads an instant for a gate, in epoch milliseconds. A text without an offset means a time on the gate's wall clock.
 * @param clock omitted where only the text is checked, as in a dialog, which does not load the zone
 * @throws FieldError, for a blank value too
 */
export function toLocalInstant(value: unknown, field: string, clock: WallClock = UTC_CLOCK): number {
  return fromHours(field, () => readInstant(value, clock));
}

/**
 * Reads the day entries of a schedule from a list or its JSON text; times become `HH:MM`.
 * @returns `undefined` when the list is empty or absent
 * @throws FieldError
 */
export function toDayList(value: unknown, field: string): DayEntry[] | undefined {
  const list = toList(value, field);
  return list && fromHours(field, () => readDays(list));
}

/** Reads a schedule, or a bare list of day entries. Throws `FieldError`. */
export function toSchedule(value: unknown, field: string): Schedule {
  return fromHours(field, () => readSchedule(Array.isArray(value) ? { days: value } : value));
}

/** Reads exceptions from a list, its JSON text, or iCalendar text. Throws `FieldError`. */
export function toExceptions(value: unknown, field: string): Exceptions {
  return fromHours(field, () => readExceptions(value));
}

/** Reads exceptions from a list or its JSON text: what a dialog can contain. Throws `FieldError`. */
export function toExceptionList(value: unknown, field: string): Exceptions {
  return fromHours(field, () => readExceptionList(value));
}

/** Reads the name of an IANA time zone; `undefined` when the value is blank. Throws `FieldError`. */
export function toZone(value: unknown, field: string): string | undefined {
  const name = toText(value, field);
  if (name === undefined || isZone(name)) return name;
  throw new FieldError("hours.zoneUnknown", field, { value: unquoted(name) });
}

/** Calls a reader of `src/hours` and converts its `HoursError` to the `FieldError` of a field. */
export function fromHours<T>(field: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof HoursError)) throw error;
    const { key, path, params } = error;
    const place = /^$|^\[/.test(path) ? path : `.${path}`;
    const quoted = Object.entries(params).map(([name, value]) => [name, quote(value)]);
    throw new FieldError(`hours.${key}`, field + place, Object.fromEntries(quoted));
  }
}
