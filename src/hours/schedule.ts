import { isObject } from "../json/rules";
import { readGivenTime, readTime } from "./time-of-day";
import { booleanIn, isGiven, own, parsed, readList, within } from "./untrusted";
import { ValueError } from "./value-error";

/** The days as the service's interface names them, Monday first. */
export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
type Weekday = (typeof WEEKDAYS)[number];

/**
 * An opening of a weekday. The times are `HH:MM`, as the service accepts them; in a schedule that the service gives they
 * may have seconds or be `24:00`.
 */
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
  /** The problems of entries that were left out, in a schedule that the service gives. */
  readonly skipped?: readonly ValueError[];
}

/** Most entries in one schedule. */
const MAX_DAYS = 100;

/** Most entries that are read from the service. The interface documents no limit. */
const MAX_GIVEN_DAYS = 1000;

/**
 * Reads a schedule from an object or its JSON text. The service's responses name `enabled` as `enable`; `enabled` takes
 * precedence, and without either the schedule is enabled.
 * @throws ValueError `scheduleExpected`, `json`, `textLong`, `enabledFormat`, `daysMissing`, and those of {@link readDays}
 */
export function readSchedule(value: unknown): Schedule {
  const { days, ...rest } = partsOf(value);
  return { ...rest, days: readDays(days, "days") };
}

/**
 * Reads a schedule as the service gives it: with seconds, and without the entries that cannot be read. One bad entry must
 * not close a company.
 * @throws ValueError as {@link readSchedule}; that of the first entry if no entry can be read
 */
export function readGivenSchedule(value: unknown): Schedule {
  const { days, ...rest } = partsOf(value);
  const skipped: ValueError[] = [];
  const read = readList(days, "days", MAX_GIVEN_DAYS, (entry, path) => {
    try {
      return [readDay(entry, path, readGivenTime)];
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      skipped.push(error);
      return [];
    }
  }).flat();
  if (skipped[0] && read.length === 0) throw skipped[0];
  return { ...rest, days: read, ...(skipped.length > 0 && { skipped }) };
}

function partsOf(value: unknown): Omit<Schedule, "days" | "skipped"> & { readonly days: unknown } {
  const given = parsed(value, "");
  if (!isObject(given)) throw new ValueError("input.hours.scheduleExpected", "", { value: given });
  const [id, name, days] = ["id", "name", "days"].map((key) => own(given, key));
  if (!isGiven(days)) throw new ValueError("input.hours.daysMissing", "days");
  return {
    id: typeof id === "number" || typeof id === "string" ? id : null,
    name: typeof name === "string" ? name : null,
    enabled: readEnabled(given),
    days,
  };
}

/**
 * Reads day entries from a list or its JSON text. The list may be empty; other keys of an entry are dropped.
 * @param path of the list inside the given value, for the error
 * @throws ValueError `listExpected`, `listLong`, `json`, `textLong`, `dayEntry`, `dayMissing`, `dayUnknown`, and those of {@link readTime}
 */
export function readDays(value: unknown, path = ""): DayEntry[] {
  return readList(value, path, MAX_DAYS, (entry, at) => readDay(entry, at, readTime));
}

function readDay(entry: unknown, path: string, readTime: (value: unknown, path: string) => string): DayEntry {
  if (!isObject(entry)) throw new ValueError("input.hours.dayEntry", path, { value: entry });
  return {
    day: readWeekday(own(entry, "day"), within(path, "day")),
    open: readTime(own(entry, "open"), within(path, "open")),
    close: readTime(own(entry, "close"), within(path, "close")),
  };
}

function readWeekday(value: unknown, path: string): Weekday {
  if (!isGiven(value)) throw new ValueError("input.hours.dayMissing", path);
  const day = WEEKDAYS.find((weekday) => value === weekday || (typeof value === "string" && value.trim() === weekday));
  if (day === undefined) throw new ValueError("input.hours.dayUnknown", path, { value });
  return day;
}

function readEnabled(schedule: object): boolean {
  for (const key of ["enabled", "enable"]) {
    const value = own(schedule, key);
    const enabled = booleanIn(value);
    if (enabled !== undefined) return enabled;
    if (isGiven(value)) throw new ValueError("input.hours.enabledFormat", key, { value });
  }
  return true;
}
