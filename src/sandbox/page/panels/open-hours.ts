import type { DayEntry } from "../../service/schedules";

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
export const DAY = 1440;
const WEEK = 7 * DAY;

/** Minutes since Monday, 0:00. An end may lie beyond Sunday's midnight. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The intervals of a week: closing at or before opening is on the next day, and 23:59 counts to midnight. */
export function spansOf(days: readonly DayEntry[]): Span[] {
  return days.flatMap(({ day, open, close }) => {
    const index = DAYS.indexOf(day.toLowerCase());
    const [opens, closes] = [minuteOf(open), minuteOf(close)];
    if (index < 0 || Number.isNaN(opens) || Number.isNaN(closes)) return [];
    const end = closes >= DAY - 1 ? DAY : closes;
    const start = index * DAY + opens;
    return { start, end: index * DAY + (end <= opens ? end + DAY : end) };
  });
}

/** The parts of the intervals on each day, in minutes of that day. */
export function byDay(spans: readonly Span[]): Span[][] {
  return DAYS.map((_, day) =>
    spans.flatMap(({ start, end }) =>
      [0, WEEK].flatMap((shift) => {
        const from = Math.max(start - shift - day * DAY, 0);
        const to = Math.min(end - shift - day * DAY, DAY);
        return from < to ? { start: from, end: to } : [];
      }),
    ),
  );
}

/** `08:30:00` */
function minuteOf(time: string): number {
  const [, hours, minutes, seconds = "0"] = /^(\d{1,2}):(\d\d)(?::(\d\d))?/.exec(time) ?? [];
  return hours === undefined ? Number.NaN : Number(hours) * 60 + Number(minutes) + Number(seconds) / 60;
}
