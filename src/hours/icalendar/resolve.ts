import { dayOf, MILLISECONDS_A_DAY } from "../dates";
import { UTC_CLOCK, type WallClock } from "../instant";
import { memoizeEach } from "../memoize";
import { dayIn, type Zone } from "../zone";
import type { CalendarEvent } from "./events";
import type { ICalendar } from "./read-icalendar";
import { recurrence } from "./recurrence";
import { clockOf } from "./time-zone";
import { type GivenTime, type Length, lengthOf, UTC } from "./times";
import { zoneNamed } from "./zone-name";

/** A time `[start, end)` that is closed, in epoch milliseconds. */
export interface Closing {
  readonly start: number;
  readonly end: number;
  readonly name: string | null;
}

/** What an iCalendar text closes around a day. */
export interface Closings {
  /** Days since 1970-01-01 that are closed all day, with their names. */
  readonly days: ReadonlyMap<number, string | null>;
  /** In order, and none overlaps another. */
  readonly times: readonly Closing[];
}

/** Days that are computed before the first day for which the result is used, and after its last: docs/contract/gate.md. */
const BEFORE = 10;
const AFTER = 366 + 7;
/** Further days for which a result is used. */
const REUSED = 31;

/** Computes closings around instants. The last result is kept for a month. */
export function resolver(calendar: ICalendar, zone: Zone): (instant: number) => Closings {
  let kept: { from: number; closings: Closings } | undefined;
  return (instant) => {
    const day = dayOf(instant);
    if (!kept || day < kept.from || day >= kept.from + REUSED)
      kept = { from: day, closings: closingsWithin(calendar, zone, day - BEFORE, day + REUSED + AFTER) };
    return kept.closings;
  };
}

/** A time of an event: the wall clock's start. The end is that of the event, if it has none of its own. */
interface Occurrence {
  readonly event: CalendarEvent;
  readonly start: GivenTime;
  readonly end: GivenTime | Length | undefined;
  readonly isFirst: boolean;
}

function closingsWithin({ events, described }: ICalendar, zone: Zone, firstDay: number, lastDay: number): Closings {
  // A day more on both sides: no wall clock differs from another by more.
  const [from, to] = [(firstDay - 1) * MILLISECONDS_A_DAY, (lastDay + 2) * MILLISECONDS_A_DAY];
  const clockFor = memoizeEach((name: string | null): WallClock => {
    if (name === null) return zone;
    if (name === UTC) return UTC_CLOCK;
    const known = zoneNamed(name);
    return known ? zone.sibling(known) : clockOf(described(name) ?? [], from, to);
  });
  // A time in UTC is on the day that it is here.
  const dayFor = ({ zone: name, wall }: GivenTime) => (name === UTC ? dayIn(zone, wall) : dayOf(wall));
  const found = events.flatMap((event) => occurrencesOf(event, from, to));
  const [dates, times] = [found.filter(({ start }) => start.isDate), found.filter(({ start }) => !start.isDate)];
  return {
    days: closedDays(dates, firstDay, lastDay, dayFor),
    times: closedTimes(times, ({ zone: name, wall }) => clockFor(name).instantAt(wall)),
  };
}

/** The occurrences that touch the window, in the order of the event's rules. Some may lie beside it. */
function occurrencesOf(event: CalendarEvent, from: number, to: number): Occurrence[] {
  const { start, end, series, added } = event;
  const length = Math.max(0, lengthOf(start, end)) + MILLISECONDS_A_DAY;
  const found: Occurrence[] = [];
  const add = (given: GivenTime, own: GivenTime | Length | undefined, isFirst: boolean) => {
    const last = given.wall + (own ? Math.max(0, lengthOf(given, own)) + MILLISECONDS_A_DAY : length);
    if (given.wall <= to && last >= from) found.push({ event, start: given, end: own, isFirst });
  };
  add(start, undefined, true);
  for (const { rule, last } of series) {
    for (const wall of recurrence(rule, start.wall, from - length, Math.min(to, last)))
      if (wall !== start.wall) add({ ...start, wall }, undefined, false);
  }
  for (const { start: given, end: own } of added) if (given.wall !== start.wall || own) add(given, own, false);
  return found;
}

/** Single days take precedence over ranges, and what comes first in the text over what comes later. */
function closedDays(
  found: readonly Occurrence[],
  firstDay: number,
  lastDay: number,
  dayFor: (time: GivenTime) => number,
): ReadonlyMap<number, string | null> {
  const daysAfter = (start: GivenTime, end: GivenTime | Length) =>
    "wall" in end
      ? dayFor({ ...end, wall: end.wall - 1 }) - dayOf(start.wall)
      : Math.ceil(lengthOf(start, end) / MILLISECONDS_A_DAY) - 1;
  const painted = new Int32Array(lastDay - firstDay + 1).fill(-1);
  const ranges = found.map(({ event, start, end }) => {
    const first = start.wall / MILLISECONDS_A_DAY;
    // The end of an event is that of its first recurrence; the others last as long.
    const more = end ? daysAfter(start, end) : daysAfter(event.start, event.end);
    return { event, first, last: first + Math.max(0, more) };
  });
  const excludedDays = memoizeEach(({ excluded }: CalendarEvent) => new Set(excluded.map(dayFor)));
  for (const isSingle of [false, true]) {
    for (let index = ranges.length - 1; index >= 0; index--) {
      const { event, first, last } = ranges[index] as (typeof ranges)[number];
      if ((first === last) !== isSingle || excludedDays(event).has(first)) continue;
      painted.fill(index, Math.max(0, first - firstDay), Math.max(0, last - firstDay + 1));
    }
  }
  const days = new Map<number, string | null>();
  painted.forEach((index, day) => {
    if (index >= 0) days.set(firstDay + day, ranges[index]?.event.name ?? null);
  });
  return days;
}

function closedTimes(found: readonly Occurrence[], instantOf: (time: GivenTime) => number): Closing[] {
  const exclusions = memoizeEach((event: CalendarEvent) => exclusionsOf(event, instantOf));
  /** How long the first of a series lasts, exactly, where the event has an end. */
  const durationOf = memoizeEach(({ start, end }: CalendarEvent) =>
    "wall" in end ? instantOf(end) - instantOf(start) : 0,
  );
  const endOf = ({ event, start, end, isFirst }: Occurrence, instant: number): number => {
    const given = end ?? event.end;
    if (!("wall" in given)) {
      const day =
        given.days === 0 ? instant : instantOf({ ...start, wall: start.wall + given.days * MILLISECONDS_A_DAY });
      return day + given.milliseconds;
    }
    if (end || isFirst) return instantOf(given);
    return instant + durationOf(event);
  };
  // In the order of time, so that a zone's clock is read in one direction; apart from them, what began long ago.
  for (const { event } of found.toSorted((a, b) => a.event.start.wall - b.event.start.wall)) durationOf(event);
  const times = found
    .toSorted((a, b) => a.start.wall - b.start.wall)
    .flatMap((occurrence) => {
      const { event, start } = occurrence;
      const instant = instantOf(start);
      if (exclusions(event)(start, instant) || isAfterItsEnd(event, start, instant)) return [];
      return [{ start: instant, end: endOf(occurrence, instant), name: event.name }];
    })
    .sort((a, b) => a.start - b.start);
  return disjoint(times);
}

/** An end in UTC is exact only here. */
function isAfterItsEnd({ series, start: first, added }: CalendarEvent, start: GivenTime, instant: number): boolean {
  if (start.wall === first.wall || series.length !== 1 || added.some((other) => other.start === start)) return false;
  const { until } = series[0]?.rule ?? {};
  return until?.zone === UTC && !until.isDate && instant > until.wall;
}

function exclusionsOf({ excluded }: CalendarEvent, instantOf: (time: GivenTime) => number) {
  const days = new Set(excluded.filter(({ isDate }) => isDate).map(({ wall }) => dayOf(wall)));
  const instants = new Set(excluded.filter(({ isDate }) => !isDate).map(instantOf));
  return ({ wall }: GivenTime, instant: number) => instants.has(instant) || days.has(dayOf(wall));
}

/** Where two overlap, the one that began first applies, until its end. */
function disjoint(times: readonly Closing[]): Closing[] {
  const result: Closing[] = [];
  let settled = Number.NEGATIVE_INFINITY;
  for (const { start, end, name } of times) {
    if (end <= settled) continue;
    if (end > start) result.push({ start: Math.max(start, settled), end, name });
    settled = Math.max(settled, end);
  }
  return result;
}
