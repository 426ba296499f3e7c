/**
 * A second, slow reading of recurrence rules: it visits every day since the start. It is written from RFC 5545, 3.3.10, and
 * shares no code with src/hours, so that the two check each other.
 */

export interface NaiveRule {
  FREQ: "DAILY" | "WEEKLY" | "MONTHLY" | "YEARLY";
  INTERVAL?: number | undefined;
  COUNT?: number | undefined;
  /** `20261124` */
  UNTIL?: string | undefined;
  WKST?: string | undefined;
  BYDAY?: string[] | undefined;
  BYMONTHDAY?: number[] | undefined;
  BYMONTH?: number[] | undefined;
  BYSETPOS?: number[] | undefined;
}

const NAMES = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
const DAY = 86_400_000;

export function ruleText(rule: NaiveRule): string {
  const given = Object.entries(rule).filter(([, value]) => value !== undefined);
  return given.map(([name, value]) => `${name}=${Array.isArray(value) ? value.join(",") : value}`).join(";");
}

/** The days of a rule, as `20261124`, until the day `last`. The start is always one of them. */
export function naiveDays(rule: NaiveRule, start: string, last: string): Set<string> {
  const first = dateOf(start);
  const found = new Set([start]);
  let period: Date[] = [];
  let [key, number] = ["", -1];
  const close = () => {
    if (number % (rule.INTERVAL ?? 1) !== 0) return;
    const matching = period.filter((date) => matches(rule, date, first));
    matching.forEach((date, index) => {
      const positions = [index + 1, index - matching.length];
      if (rule.BYSETPOS && !rule.BYSETPOS.some((position) => positions.includes(position))) return;
      const text = textOf(date);
      if (text <= start || (rule.UNTIL && text > rule.UNTIL) || (rule.COUNT && found.size >= rule.COUNT)) return;
      found.add(text);
    });
  };
  // A year before the start, so that its period is whole.
  for (let at = Date.UTC(first.getUTCFullYear() - 1, 0, 1); at <= dateOf(last).getTime() + 366 * DAY; at += DAY) {
    const date = new Date(at);
    const next = periodOf(rule, date);
    if (next !== key) {
      if (number >= 0) close();
      if (number >= 0 || next === periodOf(rule, first)) number += 1;
      [key, period] = [next, []];
    }
    period.push(date);
  }
  return new Set([...found].filter((text) => text <= last));
}

function periodOf({ FREQ, WKST }: NaiveRule, date: Date): string {
  const text = textOf(date);
  if (FREQ === "YEARLY") return text.slice(0, 4);
  if (FREQ === "MONTHLY") return text.slice(0, 6);
  return FREQ === "DAILY" ? text : textOf(weekOf(date, WKST));
}

function matches(rule: NaiveRule, date: Date, first: Date): boolean {
  const { FREQ, BYDAY, BYMONTHDAY, BYMONTH } = rule;
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
  if (BYMONTH && !BYMONTH.includes(month)) return false;
  const fromEnd = day - new Date(Date.UTC(year, month, 0)).getUTCDate() - 1;
  if (BYMONTHDAY && !BYMONTHDAY.includes(day) && !BYMONTHDAY.includes(fromEnd)) return false;
  if (BYDAY) return BYDAY.some((text) => isWeekday(rule, text, date));
  // What the rule leaves open is as at the start.
  if (FREQ === "WEEKLY") return date.getUTCDay() === first.getUTCDay();
  if (FREQ === "DAILY" || BYMONTHDAY) return true;
  return (
    day === first.getUTCDate() && (FREQ === "MONTHLY" || BYMONTH !== undefined || month === first.getUTCMonth() + 1)
  );
}

function isWeekday({ FREQ, BYMONTH }: NaiveRule, text: string, date: Date): boolean {
  if (NAMES[date.getUTCDay()] !== text.slice(-2)) return false;
  const nth = Number(text.slice(0, -2));
  if (nth === 0) return true;
  const isYear = FREQ === "YEARLY" && !BYMONTH;
  const within = (other: Date) =>
    other.getUTCFullYear() === date.getUTCFullYear() && (isYear || other.getUTCMonth() === date.getUTCMonth());
  let counted = 0;
  for (let at = date; within(at); at = new Date(at.getTime() - Math.sign(nth) * 7 * DAY)) counted += 1;
  return counted === Math.abs(nth);
}

/** The first day of the week of a date. */
function weekOf(date: Date, start = "MO"): Date {
  let first = date;
  while (NAMES[first.getUTCDay()] !== start) first = new Date(first.getTime() - DAY);
  return first;
}

export function dateOf(text: string): Date {
  return new Date(`${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6, 8)}T00:00:00Z`);
}

export function textOf(date: Date): string {
  return date.toISOString().slice(0, 10).replaceAll("-", "");
}
