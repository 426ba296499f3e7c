import { type DayEntry, WEEKDAYS } from "./schedule";
import { joined, type Span } from "./spans";
import { opening } from "./time-of-day";

const DAY = 24 * 60 * 60;
const WEEK = WEEKDAYS.length * DAY;

/**
 * Whether two weeks are open at the same times, however their entries are written: in another order, in one piece or in
 * several, with a close at 23:59 or at 24:00.
 */
export function sameOpenings(a: readonly DayEntry[], b: readonly DayEntry[]): boolean {
  const [first, second] = [joined(a.flatMap(spansOf)), joined(b.flatMap(spansOf))];
  return (
    first.length === second.length &&
    first.every(({ start, end }, index) => start === second[index]?.start && end === second[index]?.end)
  );
}

/** The parts of an opening in seconds since Monday's midnight. What reaches into the next week is open at the start of this one. */
function spansOf({ day, open, close }: DayEntry): Span[] {
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
