import { MILLISECONDS_A_DAY } from "./dates";
import { type Exceptions, exceptionOn, exceptionsAround } from "./exceptions";
import type { Zone } from "./zone";

/** A day with an exception. */
export interface Holiday {
  /** YYYY-MM-DD */
  readonly date: string;
  readonly name: string | null;
}

/** What a person wants to know of exceptions, whatever their source. */
export interface Holidays {
  /** Entries of a list; all-day events of iCalendar text, or its timed ones where it has no others. */
  readonly count: number;
  /** Today's, or the next one. */
  readonly next: Holiday | null;
}

/** How far ahead the next holiday is looked for: as far as iCalendar text is resolved. */
const DAYS_AHEAD = 366;

export function holidaysOf(exceptions: Exceptions, zone: Zone, instant: number): Holidays {
  return { count: countOf(exceptions), next: nextOf(exceptions, zone, instant) };
}

/** Whether there is no exception at all. */
export function isEmpty(exceptions: Exceptions): boolean {
  const { icalendar } = exceptions;
  return icalendar ? icalendar.events.length === 0 : countOf(exceptions) === 0;
}

/** The days of the next year that are closed only because all-day events count where they are marked as free. */
export function daysMarkedFree(exceptions: Exceptions, zone: Zone, instant: number): Holiday[] {
  const { icalendar } = exceptions;
  if (!icalendar?.events.some(({ isFree }) => isFree)) return [];
  const busy = icalendar.events.filter(({ isFree }) => !isFree);
  const around = exceptionsAround(exceptions, zone)(instant);
  const others = exceptionsAround({ ...exceptions, icalendar: { ...icalendar, events: busy } }, zone)(instant);
  const today = dayOf(zone, instant);
  return [...around.dates]
    .filter(([day]) => day >= today && day <= today + DAYS_AHEAD && !others.dates.has(day))
    .sort(([a], [b]) => a - b)
    .map(([day, { name }]) => ({ date: dateOf(day), name }));
}

function countOf({ icalendar, dates, ranges, yearlyDates, yearlyRanges }: Exceptions): number {
  if (!icalendar) return dates.size + ranges.length + yearlyDates.size + yearlyRanges.length;
  return icalendar.events.filter(({ start }) => start.isDate).length || icalendar.events.length;
}

function nextOf(exceptions: Exceptions, zone: Zone, instant: number): Holiday | null {
  const around = exceptionsAround(exceptions, zone)(instant);
  const today = dayOf(zone, instant);
  for (let day = today; day <= today + DAYS_AHEAD; day += 1) {
    const special = exceptionOn(around, day);
    if (special) return { date: dateOf(day), name: special.name };
  }
  const closing = around.closings?.find(({ end }) => end > instant);
  if (closing) return { date: dateOf(dayOf(zone, Math.max(closing.start, instant))), name: closing.name };
  const later = [...around.dates.keys(), ...around.ranges.map(({ from }) => from)].filter((day) => day > today);
  if (later.length === 0) return null;
  const day = later.reduce((first, other) => Math.min(first, other));
  return { date: dateOf(day), name: exceptionOn(around, day)?.name ?? null };
}

function dayOf(zone: Zone, instant: number): number {
  return Math.floor((instant + zone.offsetPeriodAt(instant).offset) / MILLISECONDS_A_DAY);
}

function dateOf(day: number): string {
  return new Date(day * MILLISECONDS_A_DAY).toISOString().slice(0, 10);
}
