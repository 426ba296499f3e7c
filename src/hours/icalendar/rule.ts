import { DAY_MS, dayOf } from "../dates";
import { type Property, unreadable } from "./content-lines";
import { type GivenTime, readTime, UTC } from "./times";

const FREQUENCIES = ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** A weekday, 0 is Monday; `nth` of its month or year, from the end where negative, or 0 for each. */
interface NthWeekday {
  readonly weekday: number;
  readonly nth: number;
}

/** The lists of numbers of a rule: their part, the least and the greatest number. A negative one counts from the end. */
const LISTS = {
  monthDays: ["BYMONTHDAY", -31, 31],
  months: ["BYMONTH", 1, 12],
  positions: ["BYSETPOS", -366, 366],
} as const;
type Lists = { readonly [List in keyof typeof LISTS]: readonly number[] | undefined };

/**
 * A recurrence rule (RFC 5545, 3.3.10), without times of the day, week numbers and days of the year, which no holiday uses. A
 * list that is absent is undefined.
 */
export interface Rule extends Lists {
  readonly line: number;
  readonly frequency: Frequency;
  readonly interval: number;
  readonly count: number | undefined;
  readonly until: GivenTime | undefined;
  /** 0 is Monday. */
  readonly weekStart: number;
  readonly weekdays: readonly NthWeekday[] | undefined;
}

const WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

/**
 * Reads a rule. A part that is not known is refused: without it, the rule would mean other days.
 * @param ofDates whether it repeats dates
 */
export function readRule(property: Property, ofDates = false): Rule {
  const refused = () => unreadable(property.line, property.name);
  const parts = new Map<string, string>();
  for (const part of property.value.toUpperCase().split(";")) {
    const [, name, value] = /^([A-Z]+)=(.*)$/.exec(part.trim()) ?? [];
    // A part without a value counts as absent, as does what remains of a semicolon at the end.
    if (name && value) parts.set(name, value);
    else if (!name && part.trim() !== "") throw refused();
  }
  const take = (part: string) => {
    const value = parts.get(part);
    parts.delete(part);
    return value;
  };
  /** A number or several, without 0. */
  const numbers = (part: string, least: number, most: number) =>
    take(part)
      ?.split(",")
      .map((text) => {
        const number = /^[+-]?\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
        if (number >= least && number <= most && number !== 0) return number;
        throw refused();
      })
      .sort((a, b) => a - b);
  const weekday = (text: string): NthWeekday => {
    const [, nth, day = ""] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(text) ?? [];
    if (!WEEKDAYS.includes(day) || Number(nth) === 0 || Math.abs(Number(nth)) > 53) throw refused();
    return { weekday: WEEKDAYS.indexOf(day), nth: Number(nth ?? 0) };
  };
  const [given, until] = [take("FREQ"), take("UNTIL")];
  const frequency = FREQUENCIES.find((known) => known === given);
  if (!frequency) throw refused();
  const lists = Object.fromEntries(
    Object.entries(LISTS).map(([list, [part, least, most]]) => [list, numbers(part, least, most)]),
  ) as Lists;
  const rule: Rule = {
    ...lists,
    line: property.line,
    frequency,
    interval: numbers("INTERVAL", 1, 1e6)?.[0] ?? 1,
    count: numbers("COUNT", 1, 1e6)?.[0],
    until: until === undefined ? undefined : readUntil(readTime(property, until), ofDates),
    weekStart: weekday(take("WKST") ?? "MO").weekday,
    weekdays: take("BYDAY")?.split(",").map(weekday),
  };
  if (parts.size > 0 || !isAllowed(rule)) throw refused();
  return rule;
}

/** Reads the end of a rule. Of dates, only its date counts, unless it is an instant: some write the first or the last second for the date. */
function readUntil(given: GivenTime, ofDates: boolean): GivenTime {
  const midnight = dayOf(given.wall) * DAY_MS;
  const isInstant = given.zone === UTC && ![0, DAY_MS - 1000].includes(given.wall - midnight);
  return ofDates && !isInstant ? { wall: midnight, isDate: true, zone: null } : given;
}

/** Returns whether RFC 5545 allows a rule: it excludes some for a frequency. */
function isAllowed({ frequency, weekdays, monthDays }: Rule): boolean {
  const hasNth = weekdays?.some(({ nth }) => nth !== 0) ?? false;
  return frequency === "YEARLY" || frequency === "MONTHLY" || !(hasNth || (frequency === "WEEKLY" && monthDays));
}

/** The most times in so many days: an upper bound, so that a text that would take long is refused when it is read. */
export function mostTimes(rule: Rule, days: number): number {
  const { frequency, interval, count = Number.POSITIVE_INFINITY, weekdays, monthDays, months } = rule;
  const periods = (length: number) => Math.ceil(days / length / interval) + 1;
  const ofMonth = monthDays?.length ?? weekdays?.reduce((sum, { nth }) => sum + (nth === 0 ? 5 : 1), 0) ?? 1;
  const inYear = (months?.length ?? (monthDays || weekdays ? 12 : 1)) * ofMonth;
  const most = {
    DAILY: periods(1),
    WEEKLY: periods(7) * (weekdays?.length ?? 1),
    MONTHLY: periods(28) * Math.min(31, ofMonth),
    YEARLY: periods(365) * Math.min(366, inYear),
  };
  return Math.min(count, most[frequency]);
}

/** The last time on the wall clock that a rule can reach. It may be a day too late if its end is an instant. */
export function endOf({ until }: Rule): number {
  if (!until) return Number.POSITIVE_INFINITY;
  if (until.isDate) return (dayOf(until.wall) + 1) * DAY_MS - 1;
  return until.zone === null ? until.wall : until.wall + DAY_MS;
}
