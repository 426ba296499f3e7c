import { isGiven } from "./untrusted";
import { ValueError } from "./value-error";

export const DAY_MS = 86_400_000;

/**
 * Reads a date, `YYYY-MM-DD`, or a yearly date, `MM-DD`. The yearly date `02-29` exists in leap years only.
 * `at` counts days since 1970-01-01, or is the {@link monthDay} number of a yearly date.
 * @throws ValueError `dateMissing`, `dateFormat`, `dateUnreal` (the date does not exist)
 */
export function readDate(value: unknown, path: string) {
  if (!isGiven(value)) throw new ValueError("input.hours.dateMissing", path);
  const text = typeof value === "string" && value.length <= 32 ? value.trim() : "";
  const match = /^(\d{4}-)?\d\d-\d\d$/.exec(text);
  if (!match) throw new ValueError("input.hours.dateFormat", path, { value });
  const yearly = match[1] === undefined;
  const day = dayNumber(yearly ? `2024-${text}` : text);
  if (day === null) throw new ValueError("input.hours.dateUnreal", path, { value });
  return { yearly, at: yearly ? monthDay(day) : day };
}

/** Counts the days from 1970-01-01 to a date `YYYY-MM-DD`; null when the date does not exist. */
export function dayNumber(date: string): number | null {
  const milliseconds = Date.parse(`${date}T00:00:00Z`);
  // Date.parse accepts the 31st of any month and continues into the next month.
  if (Number.isNaN(milliseconds) || !new Date(milliseconds).toISOString().startsWith(date)) return null;
  return milliseconds / DAY_MS;
}

/** The wall clock of an instant with an offset, as epoch milliseconds of a clock in UTC. */
export function wallOf(instant: string): number {
  return Date.parse(`${instant.slice(0, 19)}Z`);
}

/** The day of a wall time or an instant in UTC, counted since 1970-01-01. */
export function dayOf(milliseconds: number): number {
  return Math.floor(milliseconds / DAY_MS);
}

/** A day, counted since 1970-01-01, as `YYYY-MM-DD`. */
export function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** The month times 100 plus the day of the month, so that the dates of a year are in order. */
export function monthDay(day: number): number {
  const date = new Date(day * DAY_MS);
  return (date.getUTCMonth() + 1) * 100 + date.getUTCDate();
}

/** The index of a day in WEEKDAYS: 0 is Monday. */
export function weekdayIndex(day: number): number {
  const thursday = 3; // 1970-01-01
  return (((day + thursday) % 7) + 7) % 7;
}
