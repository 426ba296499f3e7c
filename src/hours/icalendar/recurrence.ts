import { dayOf, MILLISECONDS_A_DAY, weekdayIndex } from "../dates";
import type { Frequency, Rule } from "./rule";

const SECONDS_A_DAY = 86_400;
/** Seconds of the frequencies within a day. */
const UNITS: { readonly [F in Frequency]?: number } = { SECONDLY: 1, MINUTELY: 60, HOURLY: 3600 };

/** Counts what is looked at; throws where that is too much. */
export type Effort = (looks: number) => void;

/**
 * Generates the times of a whole rule on the wall clock, in order, within `[from, to]` and not before its start.
 */
export function* recurrence(rule: Rule, start: number, from: number, to: number, effort?: Effort): Generator<number> {
  const unit = UNITS[rule.frequency];
  const periods =
    unit === undefined
      ? periodsOfDays(rule, start, from, to, effort)
      : periodsOfDay(rule, unit, start, from, to, effort);
  for (const times of periods) {
    for (const time of chosen(times, rule.positions)) if (time >= start && time >= from && time <= to) yield time;
  }
}

/** A whole rule: what it does not say is as at the start (RFC 5545). */
export function withDefaults(rule: Rule, start: number): Rule {
  const date = new Date(start);
  const isIn = (...frequencies: Frequency[]) => frequencies.includes(rule.frequency);
  const { months, monthDays, yearDays, weeks, weekdays } = rule;
  const hasDays = monthDays || yearDays || weekdays;
  const isYearly = isIn("YEARLY") && !hasDays;
  return {
    ...rule,
    months: months ?? (isYearly && !weeks ? [date.getUTCMonth() + 1] : undefined),
    monthDays: monthDays ?? ((isYearly && !weeks) || (isIn("MONTHLY") && !hasDays) ? [date.getUTCDate()] : undefined),
    weekdays:
      weekdays ??
      ((isYearly && weeks) || isIn("WEEKLY") ? [{ weekday: weekdayIndex(dayOf(start)), nth: 0 }] : undefined),
    hours: rule.hours ?? (isIn("SECONDLY", "MINUTELY", "HOURLY") ? undefined : [date.getUTCHours()]),
    minutes: rule.minutes ?? (isIn("SECONDLY", "MINUTELY") ? undefined : [date.getUTCMinutes()]),
    seconds: rule.seconds ?? (isIn("SECONDLY") ? undefined : [date.getUTCSeconds()]),
  };
}

/** The times of each day, week, month or year. */
function* periodsOfDays(rule: Rule, start: number, from: number, to: number, effort?: Effort): Generator<number[]> {
  const times = timesOfDay(rule);
  const first = indexOf(rule, dayOf(start));
  // The periods before `from` need not be looked at.
  const skipped = Math.max(0, Math.floor((indexOf(rule, dayOf(from)) - first) / rule.interval));
  const matches = dayFilter({ ...rule, monthDays: undefined });
  for (let index = first + skipped * rule.interval; ; index += rule.interval) {
    const { firstDay, lastDay } = periodOf(rule, index);
    if (firstDay * MILLISECONDS_A_DAY > to) return;
    const found: number[] = [];
    effort?.(1);
    for (const day of candidates(rule, firstDay, lastDay)) {
      effort?.(1);
      if (!matches(day)) continue;
      effort?.(times.length);
      for (const time of times) found.push(day * MILLISECONDS_A_DAY + time * 1000);
    }
    yield found;
  }
}

/** The times of each hour, minute or second. */
function* periodsOfDay(
  rule: Rule,
  unit: number,
  start: number,
  from: number,
  to: number,
  effort?: Effort,
): Generator<number[]> {
  const matches = dayFilter(rule);
  const first = Math.floor(start / 1000 / unit);
  const aligned = (seconds: number) =>
    first + Math.max(0, Math.ceil((Math.ceil(seconds / unit) - first) / rule.interval)) * rule.interval;
  const within = timesOfDay({
    ...rule,
    hours: [0],
    minutes: unit < 3600 ? [0] : rule.minutes,
    seconds: unit < 60 ? [0] : rule.seconds,
  });
  let index = aligned(Math.floor(from / 1000 / unit) * unit);
  while (index * unit * 1000 <= to) {
    effort?.(1);
    const second = index * unit;
    const day = Math.floor(second / SECONDS_A_DAY);
    const ofDay = second - day * SECONDS_A_DAY;
    const isIn = (list: readonly number[] | undefined, value: number) => list === undefined || list.includes(value);
    if (!(isIn(rule.months, monthOf(day)) && matches(day))) index = aligned((day + 1) * SECONDS_A_DAY);
    else if (!isIn(rule.hours, Math.floor(ofDay / 3600))) index = aligned((Math.floor(second / 3600) + 1) * 3600);
    else if (unit < 3600 && !isIn(rule.minutes, Math.floor(ofDay / 60) % 60))
      index = aligned((Math.floor(second / 60) + 1) * 60);
    else {
      if (unit >= 60 || isIn(rule.seconds, ofDay % 60)) {
        effort?.(within.length);
        yield within.map((time) => (second + time) * 1000);
      }
      index += rule.interval;
    }
  }
}

/** Seconds since midnight, in order. */
function timesOfDay({ hours = [0], minutes = [0], seconds = [0] }: Rule): number[] {
  return hours.flatMap((hour) =>
    minutes.flatMap((minute) => seconds.map((second) => (hour * 60 + minute) * 60 + second)),
  );
}

function chosen(times: number[], positions: readonly number[] | undefined): number[] {
  if (!positions) return times;
  return times.filter((_, index) => positions.includes(index + 1) || positions.includes(index - times.length));
}

/** Numbers the periods of a frequency, so that each `interval`th can be taken. */
function indexOf({ frequency, weekStart }: Rule, day: number): number {
  if (frequency === "DAILY") return day;
  if (frequency === "WEEKLY") return Math.floor((day - firstWeek(weekStart)) / 7);
  return frequency === "YEARLY" ? Math.floor(indexOfMonth(day) / 12) : indexOfMonth(day);
}

function periodOf({ frequency, weekStart }: Rule, index: number): { firstDay: number; lastDay: number } {
  if (frequency === "DAILY") return { firstDay: index, lastDay: index };
  if (frequency === "WEEKLY") {
    const firstDay = index * 7 + firstWeek(weekStart);
    return { firstDay, lastDay: firstDay + 6 };
  }
  const [month, length] = frequency === "YEARLY" ? [index * 12, 12] : [index, 1];
  return { firstDay: firstOf(month), lastDay: firstOf(month + length) - 1 };
}

/** The first day of a week since 1970-01-01, which is a Thursday. */
function firstWeek(weekStart: number): number {
  return (weekStart + 4) % 7;
}

/** The first day of a month, counted from January of the year 0. */
function firstOf(month: number): number {
  return new Date(0).setUTCFullYear(Math.floor(month / 12), month % 12, 1) / MILLISECONDS_A_DAY;
}

function monthOf(day: number): number {
  return (indexOfMonth(day) % 12) + 1;
}

/** The days of a period in the months of a rule, and on its days of the month, in order. */
function candidates({ months, monthDays }: Rule, firstDay: number, lastDay: number): number[] {
  const found: number[] = [];
  for (let month = indexOfMonth(firstDay), last = indexOfMonth(lastDay); month <= last; month++) {
    if (months && !months.includes((month % 12) + 1)) continue;
    const [first, next] = [firstOf(month), firstOf(month + 1)];
    const [from, to] = [Math.max(first, firstDay), Math.min(next - 1, lastDay)];
    const days = monthDays
      ? monthDays.map((nth) => (nth > 0 ? first + nth - 1 : next + nth)).sort((a, b) => a - b)
      : Array.from({ length: next - first }, (_, index) => first + index);
    for (const day of days) if (day >= from && day <= to && day !== found.at(-1)) found.push(day);
  }
  return found;
}

/** Counted from January of the year 0. */
function indexOfMonth(day: number): number {
  const date = new Date(day * MILLISECONDS_A_DAY);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** Whether a day is among those of a rule, apart from its month. */
function dayFilter({ frequency, months, monthDays, yearDays, weeks, weekdays, weekStart }: Rule) {
  /** A weekday is counted within the year only in yearly rules without months. */
  const isOfYear = frequency === "YEARLY" && !months;
  const everyWeekday = new Set(weekdays?.filter(({ nth }) => nth === 0).map(({ weekday }) => weekday));
  const nthWeekdays = new Set(weekdays?.filter(({ nth }) => nth !== 0).map(({ weekday, nth }) => nth * 7 + weekday));
  if (!monthDays && !yearDays && !weeks && !weekdays) return () => true;
  return (day: number): boolean => {
    const month = indexOfMonth(day);
    const among = (numbers: readonly number[], first: number, next: number) =>
      numbers.includes(day - first + 1) || numbers.includes(day - next);
    if (monthDays && !among(monthDays, firstOf(month), firstOf(month + 1))) return false;
    const january = month - (month % 12);
    if (yearDays && !among(yearDays, firstOf(january), firstOf(january + 12))) return false;
    if (weeks && !isInWeek(weeks, weekStart, day)) return false;
    if (!weekdays) return true;
    const weekday = weekdayIndex(day);
    if (everyWeekday.has(weekday)) return true;
    if (nthWeekdays.size === 0) return false;
    const first = isOfYear ? firstOf(january) : firstOf(month);
    const last = (isOfYear ? firstOf(january + 12) : firstOf(month + 1)) - 1;
    const fromStart = Math.floor((day - first) / 7) + 1;
    const fromEnd = -Math.floor((last - day) / 7) - 1;
    return nthWeekdays.has(fromStart * 7 + weekday) || nthWeekdays.has(fromEnd * 7 + weekday);
  };
}

/** Whether the week of a day has one of the numbers. The first week of a year has at least four days of it. */
function isInWeek(weeks: readonly number[], weekStart: number, day: number): boolean {
  const first = day - ((weekdayIndex(day) - weekStart + 7) % 7);
  const year = new Date((first + 3) * MILLISECONDS_A_DAY).getUTCFullYear();
  const week = (first - firstWeekOf(year, weekStart)) / 7;
  const count = (firstWeekOf(year + 1, weekStart) - firstWeekOf(year, weekStart)) / 7;
  return weeks.includes(week + 1) || weeks.includes(week - count);
}

function firstWeekOf(year: number, weekStart: number): number {
  const fourth = firstOf(year * 12) + 3;
  return fourth - ((weekdayIndex(fourth) - weekStart + 7) % 7);
}
