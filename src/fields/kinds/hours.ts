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
import { DAY_MS } from "../../hours/dates";
import { ValueError } from "../../hours/value-error";
import { unquoted } from "../quote";
import { inField } from "../value-error";
import { isBlank, toList, toText } from "./coerce";

/**
 * Reads an instant, in epoch milliseconds, as `readInstant` does. A text without an offset means a time on the wall clock; a
 * date without a time is refused, because its midnight is rarely meant.
 * @param clock omitted where only the text is checked, as in a dialog, which does not load the zone
 * @returns `undefined` when the value is blank
 * @throws ValueError
 */
export function toInstant(value: unknown, field: string, clock: WallClock = UTC_CLOCK): number | undefined {
  if (isBlank(value)) return undefined;
  if (typeof value === "string" && DATE_ALONE.test(value.trim()))
    throw new ValueError("input.hours.instantTime", field, { value });
  return toLocalInstant(value, field, clock);
}

const DATE_ALONE = /^\d{4}-\d\d-\d\d$/;

/** Milliseconds below this are before March 1973: the number was meant as seconds. */
const LEAST_MILLISECONDS = 1e11;
const MAX_DAYS_AHEAD = 400;
/** Ten years, with their leap days. */
const MAX_DAYS_UNTIL = 3653;

/**
 * Reads the instant from which a request may be sent, as `toInstant` does. It may have passed.
 * @param days how many it may be ahead
 * @throws ValueError also for a blank value, for seconds, and for an instant further ahead
 */
export function toNotBefore(value: unknown, field: string, clock?: WallClock, days = MAX_DAYS_AHEAD): number {
  if (typeof value === "number" && value < LEAST_MILLISECONDS)
    throw new ValueError("input.hours.instantSeconds", field, { value });
  const instant = toInstant(value, field, clock);
  if (instant === undefined) throw new ValueError("input.missing", field);
  if (instant <= Date.now() + days * DAY_MS) return instant;
  throw new ValueError("input.hours.instantTooFar", field, { at: isoOf(instant), days });
}

/**
 * Reads the instant at which something ends, as `toNotBefore` does, up to ten years ahead.
 * @throws ValueError also for an instant that has passed
 */
export function toUntil(value: unknown, field: string, clock?: WallClock): number {
  const instant = toNotBefore(value, field, clock, MAX_DAYS_UNTIL);
  if (instant > Date.now()) return instant;
  throw new ValueError("input.hours.instantPast", field, { at: isoOf(instant) });
}

/** An instant in a sentence: as milliseconds it would be masked like a phone number. */
export function isoOf(instant: number): string {
  return new Date(instant).toISOString();
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
