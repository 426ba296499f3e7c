import { HoursError } from "./hours-error";
import { readTime } from "./time-of-day";
import { isAbsent, isRecord, own, readList, within } from "./untrusted";

/** The days as the service's interface names them, Monday first. */
export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** One opening of a weekday, as the service takes it; the times are `HH:MM`. */
export interface DayEntry {
  readonly day: Weekday;
  readonly open: string;
  readonly close: string;
}

/** Entries in one schedule. */
const MOST_DAYS = 100;

/**
 * Day entries from a list or its JSON text, empty or not; other keys of an entry are dropped.
 * @param path where the list is inside the value given, for the error
 * @throws HoursError `listExpected`, `listLong`, `json`, `textLong`, `dayEntry`, `dayMissing`, `dayUnknown`, and those of {@link readTime}
 */
export function readDays(value: unknown, path = ""): DayEntry[] {
  return readList(value, path, MOST_DAYS, readDay);
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
