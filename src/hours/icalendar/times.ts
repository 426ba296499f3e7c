import { DAY_MS, dayNumber } from "../dates";
import { type Property, unreadable } from "./content-lines";

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

/** Measures on the wall clock, and so only roughly where the ends have different zones. */
export function lengthOf(start: GivenTime, end: GivenTime | Length): number {
  return "wall" in end ? end.wall - start.wall : end.days * DAY_MS + end.milliseconds;
}

/** The values of a property that may have several. */
export function listOf({ value }: Property): string[] {
  return value.match(/[^\s,]+/g) ?? [];
}

/** A name of a zone as it is compared: without the quotes and escapes that only one of two places may have. */
export function zoneName(text: string): string {
  return text.replaceAll(/["'\\]/g, "").trim();
}

/**
 * Reads one value of a property: `20261224`, `20261224T080000`, or with a `Z`. It is what it looks like, whatever `VALUE`
 * says, but midnight under `VALUE=DATE` is the date.
 */
export function readTime(property: Property, value = property.value): GivenTime {
  const { name, line, parameters } = property;
  const given = /;VALUE=DATE(?:;|$)/i.test(parameters) ? value.replace(/T000000$/i, "") : value;
  const match = /^(\d{4})(\d\d)(\d\d)(?:T([01]\d|2[0-3])([0-5]\d)([0-5]\d|60)(Z)?)?$/i.exec(given);
  const day = match ? dayNumber(match.slice(1, 4).join("-")) : null;
  if (!match || day === null) throw unreadable(line, name);
  const [, , , , hour, minute, second, utc] = match;
  const isDate = hour === undefined;
  // A leap second is the one before it.
  const seconds = isDate ? 0 : (Number(hour) * 60 + Number(minute)) * 60 + Math.min(59, Number(second));
  const [, tzid = ""] = /;TZID=([^;"]*(?:"[^"]*"[^;"]*)?)/i.exec(isDate ? "" : parameters) ?? [];
  const zone = utc ? UTC : zoneName(tzid) || null;
  return { wall: day * DAY_MS + seconds * 1000, isDate, zone };
}

/** Reads a length such as `P1D` or `PT1H30M`. */
export function readLength({ name, line }: Property, value: string): Length {
  const [, ...parts] = /^\+?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i.exec(value) ?? [];
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
  const length = { days: weeks * 7 + days, milliseconds: ((hours * 60 + minutes) * 60 + seconds) * 1000 };
  if (parts.some(Boolean) && length.days < 1e6 && length.milliseconds < 1e6 * DAY_MS) return length;
  throw unreadable(line, name);
}
