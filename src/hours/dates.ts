import { HoursError } from "./hours-error";
import { isAbsent } from "./untrusted";

export const MILLISECONDS_A_DAY = 86_400_000;

/**
 * A date of one year, `at` counting days since 1970-01-01, or of every year, `at` being month times 100 plus day, so
 * that the dates of a year stand in the calendar's order.
 */
export interface GivenDate {
  readonly yearly: boolean;
  readonly at: number;
}

/**
 * A date of the calendar, `YYYY-MM-DD`, or `MM-DD` for every year; `02-29` is a yearly date that only leap years have.
 * @throws HoursError `dateMissing`, `dateFormat`, `dateUnreal` (no year has it, or not that one)
 */
export function readDate(value: unknown, path: string): GivenDate {
  if (isAbsent(value)) throw new HoursError("dateMissing", path);
  const text = typeof value === "string" && value.length <= 32 ? value.trim() : "";
  const match = /^(\d{4}-)?\d\d-\d\d$/.exec(text);
  if (!match) throw new HoursError("dateFormat", path, { value });
  const yearly = match[1] === undefined;
  const day = dayNumber(yearly ? `2024-${text}` : text);
  if (day === null) throw new HoursError("dateUnreal", path, { value });
  return { yearly, at: yearly ? monthDay(day) : day };
}

/** Days from 1970-01-01 to a date `YYYY-MM-DD`; null when the calendar has no such date. */
export function dayNumber(date: string): number | null {
  const milliseconds = Date.parse(`${date}T00:00:00Z`);
  // Date.parse takes the 31st of any month and goes on into the next one.
  if (Number.isNaN(milliseconds) || !new Date(milliseconds).toISOString().startsWith(date)) return null;
  return milliseconds / MILLISECONDS_A_DAY;
}

/** Month times 100 plus day of the month. */
export function monthDay(day: number): number {
  const date = new Date(day * MILLISECONDS_A_DAY);
  return (date.getUTCMonth() + 1) * 100 + date.getUTCDate();
}

/** 0 is Monday, as in the week of the service. */
export function weekdayIndex(day: number): number {
  const thursday = 3; // 1970-01-01
  return (((day + thursday) % 7) + 7) % 7;
}
