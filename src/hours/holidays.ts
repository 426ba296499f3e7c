import { DAY_MS, dateOf, dayOf, weekdayIndex } from "./dates";
import { type Exceptions, exceptionOn, exceptionsAround, type SpecialDay } from "./exceptions";
import { type ICalendar, lastOf, recurrence } from "./icalendar";
import { dayIn, type Zone } from "./zone";

/** A day with an exception. */
interface Holiday {
  /** YYYY-MM-DD */
  readonly date: string;
  readonly name: string | null;
}

/** A summary of exceptions for the dialog, for every source alike. */
export interface Holidays {
  /** Entries of a list; all-day events of iCalendar text, or its timed ones where it has no others. */
  readonly count: number;
  /** Today's, or the next one. */
  readonly next: Holiday | null;
  /** The date of the last event, where iCalendar text has none that is next. */
  readonly last: string | null;
  /** Events of iCalendar text that cannot be read. */
  readonly leftOut: number;
}

/** The number of days ahead in which the next holiday is looked for: as far as iCalendar text is resolved. */
const DAYS_AHEAD = 366;

export function holidaysOf(exceptions: Exceptions, zone: Zone, instant: number): Holidays {
  const { icalendar } = exceptions;
  const next = nextOf(exceptions, zone, instant);
  const last = next || !icalendar || isEmpty(exceptions) ? null : lastDateOf(icalendar, zone);
  return { count: countOf(exceptions), next, last, leftOut: icalendar?.leftOut.count ?? 0 };
}

export function isEmpty({ icalendar, ranges }: Exceptions): boolean {
  return (icalendar?.events ?? ranges).length === 0;
}

/** The days of the next year that are closed only because all-day events count where they are marked as free. */
export function daysMarkedFree(exceptions: Exceptions, zone: Zone, instant: number): Holiday[] {
  const { days = [] } = exceptions.icalendar?.resolverIn(zone).at(instant) ?? {};
  const today = dayIn(zone, instant);
  return days
    .filter(({ day, isFree }) => isFree && day >= today && day <= today + DAYS_AHEAD)
    .map(({ day, name }) => ({ date: dateOf(day), name }));
}

/** A day with an exception, in the week that is shown. */
export interface DayOfWeek extends SpecialDay {
  /** 0 is Monday. -1 is the Sunday before, whose last opening may reach into the week. */
  readonly day: number;
}

/** The days with an exception in the week of an instant, from the Sunday before it to its own. */
export function specialWeek(exceptions: Exceptions, zone: Zone, instant: number): DayOfWeek[] {
  const today = dayIn(zone, instant);
  const around = exceptionsAround(exceptions, zone)(instant);
  const monday = today - weekdayIndex(today);
  return [-1, 0, 1, 2, 3, 4, 5, 6].flatMap((day) => {
    const special = exceptionOn(around, monday + day);
    return special ? [{ day, ...special }] : [];
  });
}

function countOf({ icalendar, ranges }: Exceptions): number {
  if (!icalendar) return ranges.length;
  return icalendar.events.filter(({ start }) => start.isDate).length || icalendar.events.length;
}

function nextOf(exceptions: Exceptions, zone: Zone, instant: number): Holiday | null {
  const around = exceptionsAround(exceptions, zone)(instant);
  const today = dayIn(zone, instant);
  for (let day = today; day <= today + DAYS_AHEAD; day += 1) {
    const special = exceptionOn(around, day);
    if (special) return { date: dateOf(day), name: special.name };
  }
  const horizon = instant + DAYS_AHEAD * DAY_MS;
  const closing = around.closings?.find(({ start, end }) => end > instant && start < horizon);
  if (closing) return { date: dateOf(dayIn(zone, Math.max(closing.start, instant))), name: closing.name };
  if (exceptions.icalendar) return null;
  const later = around.ranges.filter(({ yearly, from }) => !yearly && from > today);
  const [first] = later.sort((a, b) => a.from - b.from);
  return first ? { date: dateOf(first.from), name: first.special.name } : null;
}

/** Series that have ended are searched this far back from their end. */
const FIVE_YEARS = 5 * 366 * DAY_MS;

/** The date on which the last event begins, apart from series that never end. */
function lastDateOf({ events }: ICalendar, zone: Zone): string {
  const walls = events.flatMap(({ start, added }) => [start.wall, ...added.map(({ wall }) => wall)]);
  let latest = walls.reduce((last, wall) => Math.max(last, wall));
  const ended = events
    .flatMap(({ start, series }) =>
      series.map((one) => ({ rule: one.rule, last: lastOf(one, start, zone), start: start.wall })),
    )
    .filter(({ last }) => Number.isFinite(last))
    .sort((a, b) => b.last - a.last);
  // Of ten thousand series, only those are computed that may end later than the others.
  for (const { rule, last, start } of ended)
    if (last > latest)
      for (const wall of recurrence(rule, start, last - FIVE_YEARS, last)) latest = Math.max(latest, wall);
  return dateOf(dayOf(latest));
}
