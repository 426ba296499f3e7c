import { DAY_MS, weekdayIndex } from "./dates";
import { type Exceptions, exceptionOn, exceptionsAround, NO_EXCEPTIONS, type SpecialDay } from "./exceptions";
import type { Closing } from "./icalendar";
import { UTC_CLOCK, type WallClock } from "./instant";
import { memoizeLast } from "./memoize";
import { type DayEntry, WEEKDAYS } from "./schedule";
import { type Opening, opening } from "./time-of-day";
import type { Zone } from "./zone";

/** The openings of single days, by a week and its exceptions. Days are counted since 1970-01-01. */
export interface DayPlan {
  exceptionOn(day: number): SpecialDay | undefined;
  openingsOn(day: number): readonly Opening[];
  /** Times that are closed whatever the openings, in order; none overlaps another. */
  readonly closings: readonly Closing[];
}

function dayPlan(days: readonly DayEntry[], exceptions: Exceptions): DayPlan {
  const week = WEEKDAYS.map((weekday) =>
    days.filter(({ day }) => day === weekday).map(({ open, close }) => opening(open, close)),
  );
  return {
    exceptionOn: (day) => exceptionOn(exceptions, day),
    openingsOn: (day) => exceptionOn(exceptions, day)?.openings ?? week[weekdayIndex(day)] ?? [],
    closings: exceptions.closings ?? [],
  };
}

/** The plan of the days around an instant. The last one is kept. */
export function planAround(
  days: readonly DayEntry[],
  exceptions: Exceptions,
  zone: Zone,
): (instant: number) => DayPlan {
  const around = exceptionsAround(exceptions, zone);
  const plan = memoizeLast((there: Exceptions) => dayPlan(days, there));
  return (instant) => plan(around(instant));
}

/** A time that is open throughout: `[start, end)`, in epoch milliseconds. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Generates the spans that begin on the days `first` to `last`, in order, without the plan's closings. */
export function* spans(plan: DayPlan, zone: WallClock, first: number, last: number): Generator<Span, void> {
  if (plan.closings.length === 0) return yield* openSpans(plan, zone, first, last);
  let next = 0;
  for (const { start, end } of openSpans(plan, zone, first, last)) {
    let from = start;
    // A closing may reach beyond this span, so it is looked at for the next one too.
    while ((plan.closings[next]?.end ?? end) <= start) next += 1;
    for (let index = next; from < end; index++) {
      const closing = plan.closings[index];
      const until = Math.min(end, closing?.start ?? end);
      if (from < until) yield { start: from, end: until };
      from = Math.max(from, closing?.end ?? end);
    }
  }
}

/**
 * Generates the spans that begin on the days `first` to `last`, in order. Spans that touch or overlap are joined. Each day
 * is computed only when the next span is requested.
 */
function* openSpans(plan: DayPlan, zone: WallClock, first: number, last: number): Generator<Span, void> {
  let open: Span[] = [];
  for (let day = first; day <= last; day++) {
    const added = spansOf(plan, zone, day);
    if (added.length > 0) open = joined([...open, ...added]);
    if (open.length === 0) continue;
    // A change of the clock may reorder times, but never moves a time of the next day before this day's midnight.
    const settled = zone.instantAt(day * DAY_MS);
    yield* open.filter(({ end }) => end < settled);
    open = open.filter(({ end }) => end >= settled);
  }
  yield* open;
}

function spansOf(plan: DayPlan, zone: WallClock, day: number): Span[] {
  const instantAt = (seconds: number) => zone.instantAt(day * DAY_MS + seconds * 1000);
  const openings = plan.openingsOn(day);
  if (openings.length === 0) return [];
  const closedNextDay = plan.exceptionOn(day + 1)?.openings.length === 0;
  const latest = closedNextDay ? zone.instantAt((day + 1) * DAY_MS) : Number.POSITIVE_INFINITY;
  return openings
    .map(({ open, close }) => ({ start: instantAt(open), end: Math.min(instantAt(close), latest) }))
    .filter(({ start, end }) => start < end);
}

/** Sorts spans and joins those that touch or overlap. */
function joined(list: Span[]): Span[] {
  const result: Span[] = [];
  for (const span of list.sort((a, b) => a.start - b.start)) {
    const before = result.at(-1);
    if (before && span.start <= before.end) {
      result[result.length - 1] = { start: before.start, end: Math.max(before.end, span.end) };
    } else result.push(span);
  }
  return result;
}

const WEEK_MS = WEEKDAYS.length * DAY_MS;

/**
 * Whether two weeks are open at the same times, however their entries are written: in another order, in one piece or in
 * several, with a close at 23:59 or at 24:00.
 */
export function sameOpenings(a: readonly DayEntry[], b: readonly DayEntry[]): boolean {
  return JSON.stringify(openingsOf(a)) === JSON.stringify(openingsOf(b));
}

/** The openings of the second of two equal weeks. */
function openingsOf(days: readonly DayEntry[]): Span[] {
  return [...spans(dayPlan(days, NO_EXCEPTIONS), UTC_CLOCK, 0, 2 * WEEKDAYS.length - 1)]
    .map(({ start, end }) => ({ start: Math.max(start, WEEK_MS), end: Math.min(end, 2 * WEEK_MS) }))
    .filter(({ start, end }) => start < end);
}
