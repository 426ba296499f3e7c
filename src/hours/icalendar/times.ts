import { dayNumber, MILLISECONDS_A_DAY } from "../dates";
import type { Component, Property } from "./components";
import { unreadable } from "./content-lines";
import { library } from "./library";

/** A date or a time as it is written: what a wall clock shows, as in `Zone`, and whose clock it is. */
export interface GivenTime {
  readonly wall: number;
  readonly isDate: boolean;
  /** `null` is the gate's own zone. */
  readonly zone: string | null;
}

export const UTC = "UTC";

/** A length of time: days on the calendar, and exact milliseconds. */
export interface Length {
  readonly days: number;
  readonly milliseconds: number;
}

/** The property of that name, where it is there. Of two, the first. */
export function propertyOf({ properties }: Component, name: string): Property | undefined {
  return properties.find((property) => property.name === name);
}

export function textOf(property: Property | undefined): string {
  const [value] = property?.values ?? [];
  return typeof value === "string" ? value.trim() : "";
}

/** Reads the first value of a property as a time. */
export function timeOf(property: Property): GivenTime {
  return readTime(property, property.values[0]);
}

/**
 * Reads one value of a property, as ical.js gives it: `2026-12-24`, `2026-12-24T08:00:00`, or with a `Z`. A date whose
 * `VALUE=DATE` is missing becomes `2026-12-24T::`.
 */
export function readTime({ name, line, parameters }: Property, value: unknown): GivenTime {
  const match = /^(\d{4}-\d\d-\d\d)(?:T([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(Z)?)?$/.exec(
    typeof value === "string" ? value.replace(/T::$/, "") : "",
  );
  const day = match ? dayNumber(match[1] ?? "") : null;
  if (!match || day === null) throw unreadable(line, name);
  const [, , hour, minute, second, utc] = match;
  const isDate = hour === undefined;
  // A leap second is the one before it.
  const seconds = isDate ? 0 : (Number(hour) * 60 + Number(minute)) * 60 + Math.min(59, Number(second));
  const { tzid } = parameters;
  const zone = utc ? UTC : typeof tzid === "string" && !isDate ? tzid : null;
  return { wall: day * MILLISECONDS_A_DAY + seconds * 1000, isDate, zone };
}

/** Reads a length such as `P1D` or `PT1H30M`. */
export function readLength({ name, line }: Property, value: unknown): Length {
  try {
    const { weeks, days, hours, minutes, seconds, isNegative } = library().Duration.fromString(String(value));
    const milliseconds = ((hours * 60 + minutes) * 60 + seconds) * 1000;
    const length = { days: weeks * 7 + days, milliseconds };
    if (!isNegative && length.days < 1e6 && milliseconds < 1e6 * MILLISECONDS_A_DAY) return length;
  } catch {
    // Not a length.
  }
  throw unreadable(line, name);
}
