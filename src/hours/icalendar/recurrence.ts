import { DAY_MS, dayOf, weekdayIndex } from "../dates";
import type { Frequency, Rule } from "./rule";

/** Counts what is looked at; throws where that is too much. */
export type Effort = (looks: number) => void;

/** Generates the times of a whole rule on the wall clock, in order, within `[from, to]` and not before its start. */
export function* recurrence(rule: Rule, start: number, from: number, to: number, effort?: Effort): Generator<number> {
  const timeOfDay = start - dayOf(start) * DAY_MS;
  const first = indexOf(rule, dayOf(start));
  // The periods before `from` need not be looked at.
  const skipped = Math.max(0, Math.floor((indexOf(rule, dayOf(from)) - first) / rule.interval));
  const matches = weekdayFilter(rule);
  for (let index = first + skipped * rule.interval; ; index += rule.interval) {
    const { firstDay, lastDay } = periodOf(rule, index);
    if (firstDay * DAY_MS > to) return;
    const days = candidates(rule, firstDay, lastDay);
    effort?.(1 + days.length);
    for (const day of chosen(days.filter(matches), rule.positions)) {
      const time = day * DAY_MS + timeOfDay;
      if (time >= start && time >= from && time <= to) yield time;
    }
  }
}

/** A whole rule: what it does not say is as at the start (RFC 5545). */
export function withDefaults(rule: Rule, start: number): Rule {
  const { frequency, months, monthDays, weekdays } = rule;
  const date = new Date(start);
  const isOpen = (...frequencies: Frequency[]) => frequencies.includes(frequency) && !monthDays && !weekdays;
  return {
    ...rule,
    months: months ?? (isOpen("YEARLY") ? [date.getUTCMonth() + 1] : undefined),
    monthDays: monthDays ?? (isOpen("YEARLY", "MONTHLY") ? [date.getUTCDate()] : undefined),
    weekdays: weekdays ?? (isOpen("WEEKLY") ? [{ weekday: weekdayIndex(dayOf(start)), nth: 0 }] : undefined),
  };
}

function chosen(days: number[], positions: readonly number[] | undefined): number[] {
  if (!positions) return days;
  return days.filter((_, index) => positions.includes(index + 1) || positions.includes(index - days.length));
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
  return new Date(0).setUTCFullYear(Math.floor(month / 12), month % 12, 1) / DAY_MS;
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

/** The number of months since January of the year 0. */
function indexOfMonth(day: number): number {
  const date = new Date(day * DAY_MS);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function weekdayFilter({ frequency, months, weekdays }: Rule): (day: number) => boolean {
  if (!weekdays) return () => true;
  const everyWeekday = new Set(weekdays.filter(({ nth }) => nth === 0).map(({ weekday }) => weekday));
  const nthWeekdays = new Set(weekdays.filter(({ nth }) => nth !== 0).map(({ weekday, nth }) => nth * 7 + weekday));
  /** A weekday is counted within the year only in yearly rules without months. */
  const isOfYear = frequency === "YEARLY" && !months;
  return (day) => {
    const weekday = weekdayIndex(day);
    if (everyWeekday.has(weekday)) return true;
    if (nthWeekdays.size === 0) return false;
    const month = indexOfMonth(day);
    const [from, length] = isOfYear ? [month - (month % 12), 12] : [month, 1];
    const fromStart = Math.floor((day - firstOf(from)) / 7) + 1;
    const fromEnd = -Math.floor((firstOf(from + length) - 1 - day) / 7) - 1;
    return nthWeekdays.has(fromStart * 7 + weekday) || nthWeekdays.has(fromEnd * 7 + weekday);
  };
}
