import { HoursError } from "./hours-error";
import { readTime } from "./time-of-day";
import { isAbsent, isRecord, own, parsed, readList, within } from "./untrusted";

/** The days as the service's interface names them, Monday first. */
export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** An opening of a weekday, as the service accepts it. The times are `HH:MM`. */
export interface DayEntry {
  readonly day: Weekday;
  readonly open: string;
  readonly close: string;
}

/** A business hour of the service, or a schedule made by a flow. */
export interface Schedule {
  readonly id: number | string | null;
  readonly name: string | null;
  readonly enabled: boolean;
  readonly days: readonly DayEntry[];
}

/** Most entries in one schedule. */
const MAX_DAYS = 100;

/**
 * Reads a schedule from an object or its JSON text. The service's responses name `enabled` as `enable`; `enabled` takes
 * precedence, and without either the schedule is enabled.
 * @throws HoursError `scheduleExpected`, `json`, `textLong`, `enabledFormat`, `daysMissing`, and those of {@link readDays}
 */
export function readSchedule(value: unknown): Schedule {
  const given = parsed(value, "");
  if (!isRecord(given)) throw new HoursError("scheduleExpected", "", { value: given });
  const id = own(given, "id", "id");
  const name = own(given, "name", "name");
  const days = own(given, "days", "days");
  if (isAbsent(days)) throw new HoursError("daysMissing", "days");
  return {
    id: typeof id === "number" || typeof id === "string" ? id : null,
    name: typeof name === "string" ? name : null,
    enabled: readEnabled(given),
    days: readDays(days, "days"),
  };
}

/**
 * Reads day entries from a list or its JSON text. The list may be empty; other keys of an entry are dropped.
 * @param path of the list inside the given value, for the error
 * @throws HoursError `listExpected`, `listLong`, `json`, `textLong`, `dayEntry`, `dayMissing`, `dayUnknown`, and those of {@link readTime}
 */
export function readDays(value: unknown, path = ""): DayEntry[] {
  return readList(value, path, MAX_DAYS, readDay);
}

function readDay(entry: unknown, path: string): DayEntry {
  if (!isRecord(entry)) throw new HoursError("dayEntry", path, { value: entry });
  const [day, open, close] = [within(path, "day"), within(path, "open"), within(path, "close")];
  return {
    day: readWeekday(own(entry, "day", day), day),
    open: readTime(own(entry, "open", open), open),
    close: readTime(own(entry, "close", close), close),
  };
}

function readWeekday(value: unknown, path: string): Weekday {
  if (isAbsent(value)) throw new HoursError("dayMissing", path);
  const day = WEEKDAYS.find((weekday) => value === weekday || (typeof value === "string" && value.trim() === weekday));
  if (day === undefined) throw new HoursError("dayUnknown", path, { value });
  return day;
}

function readEnabled(schedule: object): boolean {
  for (const key of ["enabled", "enable"]) {
    const value = own(schedule, key, key);
    if (!isAbsent(value)) return readSwitch(value, key);
  }
  return true;
}

function readSwitch(value: unknown, path: string): boolean {
  const word = typeof value === "string" && value.length <= 16 ? value.trim() : value;
  if (word === true || word === 1 || word === "true" || word === "1" || word === "on") return true;
  if (word === false || word === 0 || word === "false" || word === "0" || word === "off") return false;
  throw new HoursError("enabledFormat", path, { value });
}
