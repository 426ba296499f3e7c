import { dayOf, MILLISECONDS_A_DAY } from "../dates";
import { type Property, unreadable } from "./content-lines";
import { type GivenTime, readTime } from "./times";

const FREQUENCIES = ["SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** A weekday, 0 is Monday; `nth` of its month or year, from the end where negative, or 0 for each. */
interface NthWeekday {
  readonly weekday: number;
  readonly nth: number;
}

/** The lists of numbers of a rule: their part, the least and the greatest number. A negative one counts from the end. */
const LISTS = {
  seconds: ["BYSECOND", 0, 60],
  minutes: ["BYMINUTE", 0, 59],
  hours: ["BYHOUR", 0, 23],
  monthDays: ["BYMONTHDAY", -31, 31],
  yearDays: ["BYYEARDAY", -366, 366],
  weeks: ["BYWEEKNO", -53, 53],
  months: ["BYMONTH", 1, 12],
  positions: ["BYSETPOS", -366, 366],
} as const;
type Lists = { readonly [List in keyof typeof LISTS]: readonly number[] | undefined };

/** A recurrence rule (RFC 5545, 3.3.10). A list that is absent is undefined. */
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

/** Reads a rule. A part that is not known is refused: without it, the rule would mean other days. */
export function readRule(property: Property): Rule {
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
  /** A number or several, without 0 where they may be negative. */
  const numbers = (part: string, least: number, most: number) =>
    take(part)
      ?.split(",")
      .map((text) => {
        const number = /^[+-]?\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
        if (number >= least && number <= most && (number !== 0 || least === 0)) return number;
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
    until: until === undefined ? undefined : readTime(property, until),
    weekStart: weekday(take("WKST") ?? "MO").weekday,
    seconds: lists.seconds?.filter((second) => second < 60),
    weekdays: take("BYDAY")?.split(",").map(weekday),
  };
  if (parts.size > 0 || !isAllowed(rule)) throw refused();
  return rule;
}

/** What RFC 5545 excludes for a frequency. */
function isAllowed({ frequency, weekdays, monthDays, yearDays, weeks }: Rule): boolean {
  const hasNth = weekdays?.some(({ nth }) => nth !== 0) ?? false;
  if (frequency === "YEARLY") return !(hasNth && weeks);
  if (weeks || (hasNth && frequency !== "MONTHLY")) return false;
  if (frequency === "WEEKLY" && monthDays) return false;
  return !yearDays || ["SECONDLY", "MINUTELY", "HOURLY"].includes(frequency);
}

/** Most times in so many days: an upper bound, so that a text that would take long is refused when it is read. */
export function mostTimes(rule: Rule, days: number): number {
  const { frequency, interval, count = Number.POSITIVE_INFINITY } = rule;
  const among = (list: readonly unknown[] | undefined, otherwise: number) => list?.length ?? otherwise;
  const [hours, minutes, seconds] = [among(rule.hours, 24), among(rule.minutes, 60), among(rule.seconds, 60)];
  const aDay = {
    SECONDLY: Math.min(hours * minutes * seconds, Math.ceil(86_400 / interval)),
    MINUTELY: Math.min(hours * minutes, Math.ceil(1440 / interval)) * among(rule.seconds, 1),
    HOURLY: Math.min(hours, Math.ceil(24 / interval)) * among(rule.minutes, 1) * among(rule.seconds, 1),
  };
  const onADay =
    aDay[frequency as keyof typeof aDay] ?? among(rule.hours, 1) * among(rule.minutes, 1) * among(rule.seconds, 1);
  return Math.min(count, mostDays(rule, days) * onADay);
}

function mostDays(rule: Rule, days: number): number {
  const { frequency, interval, weekdays, monthDays, yearDays, weeks, months } = rule;
  const periods = (length: number) => Math.ceil(days / length / interval) + 1;
  const ofMonth = monthDays?.length ?? weekdays?.reduce((sum, { nth }) => sum + (nth === 0 ? 5 : 1), 0) ?? 1;
  if (frequency === "DAILY") return periods(1);
  if (frequency === "WEEKLY") return periods(7) * (weekdays?.length ?? 1);
  if (frequency === "MONTHLY") return periods(28) * Math.min(31, ofMonth);
  if (frequency !== "YEARLY") return days;
  const isEveryMonth = monthDays !== undefined || weekdays !== undefined;
  const inYear = yearDays?.length ?? (weeks ? weeks.length * 7 : (months?.length ?? (isEveryMonth ? 12 : 1)) * ofMonth);
  return periods(365) * Math.min(366, inYear);
}

/**
 * The last time on the wall clock that a rule can reach. It may be a day too late for times whose end is in UTC.
 * @param ofDates whether the rule repeats dates: of their end, too, only the date counts
 */
export function endOf({ until }: Rule, ofDates = false): number {
  if (!until) return Number.POSITIVE_INFINITY;
  if (until.isDate || ofDates) return (dayOf(until.wall) + 1) * MILLISECONDS_A_DAY - 1;
  return until.zone === null ? until.wall : until.wall + MILLISECONDS_A_DAY;
}
