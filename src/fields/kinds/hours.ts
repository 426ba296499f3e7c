import {
  type DayEntry,
  type Exceptions,
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
import { ValueError } from "../../hours/value-error";
import { unquoted } from "../quote";
import { inField } from "../value-error";
import { isBlank, toList, toText } from "./coerce";

/**
 * Reads an instant, in epoch milliseconds, as `readInstant` does. A text needs an offset: its instant would otherwise
 * depend on the server's zone.
 * @returns `undefined` when the value is blank
 * @throws ValueError
 */
export function toInstant(value: unknown, field: string): number | undefined {
  return isBlank(value) ? undefined : inField(field, () => readInstant(value));
}

/**
 * Reads an instant for a gate, in epoch milliseconds. A text without an offset means a time on the gate's wall clock.
 * @param clock omitted where only the text is checked, as in a dialog, which does not load the zone
 * @throws ValueError, for a blank value too
 */
export function toLocalInstant(value: unknown, field: string, clock: WallClock = UTC_CLOCK): number {
  return inField(field, () => readInstant(value, clock));
}

/**
 * Reads the day entries of a schedule from a list or its JSON text; times become `HH:MM`.
 * @returns `undefined` when the list is empty or absent
 * @throws ValueError
 */
export function toDayList(value: unknown, field: string): DayEntry[] | undefined {
  const list = toList(value, field);
  return list && inField(field, () => readDays(list));
}

/** Reads a schedule, or a bare list of day entries. Throws `ValueError`. */
export function toSchedule(value: unknown, field: string): Schedule {
  return inField(field, () => readSchedule(Array.isArray(value) ? { days: value } : value));
}

/** Reads exceptions from a list, its JSON text, or iCalendar text. Throws `ValueError`. */
export function toExceptions(value: unknown, field: string): Exceptions {
  return inField(field, () => readExceptions(value));
}

/** Reads exceptions from a list or its JSON text: what a dialog can contain. Throws `ValueError`. */
export function toExceptionList(value: unknown, field: string): Exceptions {
  return inField(field, () => readExceptionList(value));
}

/** Reads the name of an IANA time zone; `undefined` when the value is blank. Throws `ValueError`. */
export function toZone(value: unknown, field: string): string | undefined {
  const name = toText(value, field);
  if (name === undefined || isZone(name)) return name;
  throw new ValueError("input.hours.zoneUnknown", field, { zone: unquoted(name) });
}
