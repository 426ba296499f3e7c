import { MILLISECONDS_A_DAY } from "./dates";
import type { DayPlan } from "./day-plan";
import type { Zone } from "./zone";

/** A time during which it is open throughout: `[start, end)` in epoch milliseconds. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const MINUTE = 60_000;

/**
 * The spans that begin on the days `first` to `last`, in order, touching and overlapping ones as one. Days are looked at
 * only as the next span is asked for.
 */
export function* spans(plan: DayPlan, zone: Zone, first: number, last: number): Generator<Span, void> {
  let open: Span[] = [];
  for (let day = first; day <= last; day++) {
    const added = spansOf(plan, zone, day);
    if (added.length > 0) open = joined([...open, ...added]);
    if (open.length === 0) continue;
    // A leap of the clock moves times past one another, but never the next day's to before this day's midnight.
    const settled = zone.instantAt(day * MILLISECONDS_A_DAY);
    yield* open.filter(({ end }) => end < settled);
    open = open.filter(({ end }) => end >= settled);
  }
  yield* open;
}

function spansOf(plan: DayPlan, zone: Zone, day: number): Span[] {
  const instantAt = (minutes: number) => zone.instantAt(day * MILLISECONDS_A_DAY + minutes * MINUTE);
  const openings = plan.openingsOn(day);
  if (openings.length === 0) return [];
  const closedNextDay = plan.exceptionOn(day + 1)?.length === 0;
  const latest = closedNextDay ? instantAt(24 * 60) : Number.POSITIVE_INFINITY;
  return openings
    .map(({ open, close }) => ({ start: instantAt(open), end: Math.min(instantAt(close), latest) }))
    .filter(({ start, end }) => start < end);
}

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
