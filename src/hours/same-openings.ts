import { type DayEntry, WEEKDAYS } from "./schedule";
import { opening } from "./time-of-day";

const DAY = 24 * 60 * 60;
const WEEK = WEEKDAYS.length * DAY;

/** Seconds since Monday's midnight, within one week. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

/**
 * Whether two weeks are open at the same times, however their entries are written: in another order, in one piece or in
 * several, with a close at 23:59 or at 24:00.
 */
export function sameOpenings(a: readonly DayEntry[], b: readonly DayEntry[]): boolean {
  const [first, second] = [openWeek(a), openWeek(b)];
  return (
    first.length === second.length &&
    first.every(({ start, end }, index) => start === second[index]?.start && end === second[index]?.end)
  );
}

/** The open times of a week, in order. What reaches into the next week is open at the beginning of this one. */
function openWeek(days: readonly DayEntry[]): Stretch[] {
  const result: Stretch[] = [];
  for (const { start, end } of days.flatMap(stretches).sort((a, b) => a.start - b.start)) {
    const before = result.at(-1);
    if (before && start <= before.end) {
      result[result.length - 1] = { start: before.start, end: Math.max(before.end, end) };
    } else result.push({ start, end });
  }
  return result;
}

function stretches({ day, open, close }: DayEntry): Stretch[] {
  const midnight = WEEKDAYS.indexOf(day) * DAY;
  const given = opening(open, close);
  const [start, end] = [midnight + given.open, midnight + given.close];
  if (start >= WEEK) return [{ start: start - WEEK, end: end - WEEK }];
  if (end <= WEEK) return [{ start, end }];
  return [
    { start, end: WEEK },
    { start: 0, end: end - WEEK },
  ];
}
