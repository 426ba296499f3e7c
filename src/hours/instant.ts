import { DAY_MS, dayNumber } from "./dates";
import { memoizeLast } from "./memoize";
import { wallTime } from "./moment";
import { ValueError } from "./value-error";
import type { Zone } from "./zone";

/** The years 0001 to 9999, which ISO 8601 writes with four digits. */
const EARLIEST = Date.parse("0001-01-01T00:00:00Z");
const LATEST = Date.parse("9999-12-31T23:59:59.999Z");

const DATE = String.raw`(?<date>\d{4}-\d\d-\d\d)`;
const TIME = String.raw`(?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?)?`;
const OFFSET = String.raw`(?<utc>[Zz])|(?<sign>[+-])(?<hours>[01]\d|2[0-3]):?(?<minutes>[0-5]\d)?`;
const ISO = new RegExp(`^${DATE}(?:[Tt ]${TIME}(?:${OFFSET})?)?$`);

/** Epoch milliseconds have 13 digits from 2001 to 2286. Fewer digits may be seconds, more a date without dashes. */
const EPOCH_MILLISECONDS = /^\d{13}$/;

/** The seconds of an instant between 2001 and 2286 have ten digits. As milliseconds they would be a day of 1970. */
const EPOCH_SECONDS = { from: 1e9, to: 1e10 };

/** Converts wall-clock times to instants. */
export type WallClock = Pick<Zone, "instantAt">;

/** The wall clock of UTC. It checks a text without an offset where the actual zone is not loaded, as in the editor. */
export const UTC_CLOCK: WallClock = { instantAt: (wall) => wall };

/**
 * Reads an instant from epoch milliseconds (a number or its 13 digits), a Date, or ISO 8601: `2026-11-23T08:00`, with or
 * without seconds, fraction and offset. A date alone means its midnight.
 * @param clock the wall clock for a text without an offset
 * @returns epoch milliseconds
 * @throws ValueError `instantFormat`, `instantSeconds` (ten digits), `instantInvalid` (NaN, invalid Date, a date or time that does not exist),
 * `instantRange` (outside the years 1 to 9999)
 */
export function readInstant(value: unknown, clock: WallClock): number {
  const instant = Math.floor(milliseconds(value, clock));
  if (Number.isNaN(instant)) throw new ValueError("input.hours.instantInvalid", "", { value });
  if (instant < EARLIEST || instant > LATEST) throw new ValueError("input.hours.instantRange", "", { value });
  return instant;
}

function milliseconds(value: unknown, clock: WallClock): number {
  if (typeof value === "number") return notSeconds(value);
  if (typeof value === "object" && value !== null) return timeOf(value);
  const text = typeof value === "string" && value.length <= 64 ? value.trim() : "";
  if (EPOCH_MILLISECONDS.test(text)) return Number(text);
  if (/^\d{10}(\.\d+)?$/.test(text)) notSeconds(Number(text));
  const parts = ISO.exec(text)?.groups;
  if (!parts) throw new ValueError("input.hours.instantFormat", "", { value });
  const wall = wallOf(parts);
  if (parts["utc"] || parts["sign"]) return wall - offset(parts);
  return Number.isNaN(wall) ? wall : clock.instantAt(wall);
}

function notSeconds(value: number): number {
  if (value >= EPOCH_SECONDS.from && value < EPOCH_SECONDS.to)
    throw new ValueError("input.hours.instantSeconds", "", { value });
  return value;
}

/** The time of a Date. `instanceof` would miss the Dates of function nodes, which come from another realm. */
function timeOf(value: object): number {
  try {
    return Date.prototype.getTime.call(value as Date);
  } catch {
    throw new ValueError("input.hours.instantFormat", "", { value });
  }
}

type Parts = Readonly<Record<string, string | undefined>>;

/** The date and time as a wall time of {@link Zone}; NaN when it does not exist. */
function wallOf({ date = "", hour = "0", minute = "0", second = "0", fraction = "" }: Parts): number {
  const day = dayNumber(date);
  if (day === null || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return Number.NaN;
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  return day * DAY_MS + seconds * 1000 + Number(fraction.slice(0, 3).padEnd(3, "0"));
}

function offset({ sign, hours = "0", minutes = "0" }: Parts): number {
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** Formats an instant as ISO 8601 with the zone's offset, `2026-11-23T08:00:00+07:00`. Milliseconds of 0 are omitted. */
export function formatInstant(instant: number, zone: Zone): string {
  return withOffset(instant, minutesOf(zone, instant));
}

/** The offset in whole minutes. Historic offsets have seconds, which ISO 8601 cannot write. */
function minutesOf(zone: Zone, instant: number): number {
  return Math.round(zone.offsetPeriodAt(instant).offset / 60_000);
}

/**
 * The same for many instants. Makes all but the seconds once a minute, which takes longer than all else.
 * @param zone its name, if it is not loaded
 */
export function instantFormatter(zone: Zone | string): (instant: number) => string {
  const around = memoizeLast((minute: number) => {
    const at = minute * 60_000;
    const offset =
      typeof zone === "string" ? Date.parse(`${wallTime(at, zone)}Z`) / 60_000 - minute : minutesOf(zone, at);
    const text = withOffset(at, offset);
    return [text.slice(0, -"00+07:00".length), text.slice(-"+07:00".length)] as const;
  });
  return (instant) => {
    const minute = Math.floor(instant / 60_000);
    const [before, behind] = around(minute);
    const inMinute = instant - minute * 60_000;
    const ms = inMinute % 1000;
    const seconds = String((inMinute - ms) / 1000).padStart(2, "0");
    return `${before}${seconds}${ms === 0 ? "" : `.${String(ms).padStart(3, "0")}`}${behind}`;
  };
}

function withOffset(instant: number, minutes: number): string {
  const wall = new Date(instant + minutes * 60_000).toISOString().replace(/(\.000)?Z$/, "");
  const [hour, minute] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${wall}${minutes < 0 ? "-" : "+"}${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}
