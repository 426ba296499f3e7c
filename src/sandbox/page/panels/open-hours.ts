import type { DayEntry } from "../../service/schedules";

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
/** Minutes. */
export const DAY = 1440;

/** A part of a day, in its minutes. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** When each day is open, from Monday on: closing at or before opening is on the next day, and 23:59 counts to midnight. */
export function spansByDay(days: readonly DayEntry[]): Span[][] {
  const week = DAYS.map((): Span[] => []);
  for (const { day, open, close } of days) {
    const index = DAYS.indexOf(day.toLowerCase());
    const [start, closes] = [minuteOf(open), minuteOf(close)];
    const end = closes >= DAY - 1 ? DAY : closes;
    if (index < 0 || Number.isNaN(start) || Number.isNaN(end)) continue;
    week[index]?.push({ start, end: start < end ? end : DAY });
    if (start >= end && end > 0) week[(index + 1) % DAYS.length]?.push({ start: 0, end });
  }
  return week;
}

/** `08:30:00` */
function minuteOf(time: string): number {
  const [, hours, minutes, seconds = "0"] = /^(\d{1,2}):(\d\d)(?::(\d\d))?/.exec(time) ?? [];
  return hours === undefined ? Number.NaN : Number(hours) * 60 + Number(minutes) + Number(seconds) / 60;
}
