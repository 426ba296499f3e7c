import { DAY_MS, dayOf } from "../dates";
import { UTC_CLOCK, type WallClock } from "../instant";
import { memoizeEach } from "../memoize";
import { dayIn, type Zone } from "../zone";
import type { Added, CalendarEvent, Series } from "./events";
import { recurrence } from "./recurrence";
import { atOnce, sharedSteps } from "./steps";
import { clockOf, type Observance } from "./time-zone";
import { type GivenTime, lengthOf, UTC } from "./times";
import { zoneNamed } from "./zone-name";

/** A time `[start, end)` that is closed, in epoch milliseconds. */
export interface Closing {
  readonly start: number;
  readonly end: number;
  readonly name: string | null;
}

/** A day that is closed all day, counted since 1970-01-01. */
interface ClosedDay {
  readonly day: number;
  readonly name: string | null;
  /** Whether only events that are marked as free close it. */
  readonly isFree: boolean;
}

/** The times that an iCalendar text closes around a day. */
export interface Closings {
  readonly days: readonly ClosedDay[];
  /** In order, and none overlaps another. */
  readonly times: readonly Closing[];
}

/** Days that are computed before the first day for which the result is used, and after its last: docs/contract/gate.md. */
const BEFORE = 10;
const AFTER = 366 + 7;
/** Further days for which a result is used. */
const REUSED = 31;

/** Results that are kept: this month, the next one, and one that a message asks for. */
const MAX_KEPT = 3;

/** The events of a text, and the time zones that it describes itself, by their names. */
export interface Events {
  readonly events: readonly CalendarEvent[];
  readonly described: (zone: string) => readonly Observance[] | undefined;
}

export interface Resolver {
  /** Computes them at once, but for steps that were carried out before. */
  at(instant: number): Closings;
  /** The same step by step, because ten thousand events take a while. Several that ask share the work. */
  steps(instant: number): Generator<undefined, Closings>;
}

export function resolver(calendar: Events, zone: Zone): Resolver {
  const kept = new Map<number, () => Generator<undefined, Closings>>();
  const steps = (instant: number) => {
    const index = Math.floor(dayOf(instant) / REUSED);
    const known = kept.get(index);
    if (known) return known();
    const from = index * REUSED;
    const shared = sharedSteps(closingsWithin(calendar, zone, from - BEFORE, from + REUSED + AFTER));
    for (const [oldest] of kept) if (kept.size >= MAX_KEPT) kept.delete(oldest);
    kept.set(index, shared);
    return shared();
  };
  return { at: (instant) => atOnce(steps(instant)), steps };
}

type Lasting = Pick<CalendarEvent, "start" | "end">;

/** A time at which an event begins, on the wall clock. */
interface Occurrence {
  readonly event: CalendarEvent;
  readonly start: GivenTime;
  /** Gives its length: the first of its event, or itself where it has an end of its own. */
  readonly lasting: Lasting;
}

function* closingsWithin(
  { events, described }: Events,
  zone: Zone,
  firstDay: number,
  lastDay: number,
): Generator<undefined, Closings> {
  // A day more on both sides: no wall clock differs from another by more.
  const [from, to] = [(firstDay - 1) * DAY_MS, (lastDay + 2) * DAY_MS];
  const clockFor = memoizeEach((name: string | null): WallClock => {
    if (name === null) return zone;
    if (name === UTC) return UTC_CLOCK;
    const known = zoneNamed(name);
    return known ? zone.sibling(known) : clockOf(described(name) ?? [], from, to);
  });
  // A time in UTC is on the day that it is here.
  const dayFor = ({ zone: name, wall }: GivenTime) => (name === UTC ? dayIn(zone, wall) : dayOf(wall));
  const found: Occurrence[] = [];
  for (const event of events) {
    yield;
    found.push(...occurrencesOf(event, from, to, zone));
  }
  const [dates, times] = [found.filter(({ start }) => start.isDate), found.filter(({ start }) => !start.isDate)];
  return {
    days: yield* closedDays(dates, firstDay, lastDay, dayFor),
    times: yield* closedTimes(times, ({ zone: name, wall }) => clockFor(name).instantAt(wall)),
  };
}

/** The occurrences that touch the window, in the order of the event's rules. Some may lie beside it. */
function occurrencesOf(event: CalendarEvent, from: number, to: number, zone: Zone): Occurrence[] {
  const { start, series, added } = event;
  const reachOf = (one: Lasting) => Math.max(0, lengthOf(one.start, one.end)) + DAY_MS;
  const length = reachOf(event);
  const starts: Added[] = [start];
  for (const one of series) {
    const last = lastOf(one, start, zone);
    for (const wall of recurrence(one.rule, start.wall, from - length, Math.min(to, last)))
      if (wall !== start.wall) starts.push({ ...start, wall });
  }
  starts.push(...added.filter(({ wall, end }) => wall !== start.wall || end));
  return starts
    .map((start) => ({ event, start, lasting: start.end ? { start, end: start.end } : event }))
    .filter(({ start: { wall }, lasting }) => wall <= to && wall + reachOf(lasting) >= from);
}

/** The last time of a series on the wall clock. The end of dates is the day of the gate's zone if it is an instant. */
export function lastOf({ rule: { until }, last }: Series, start: GivenTime, zone: Zone): number {
  return start.isDate && until?.zone === UTC ? Math.min(last, dayIn(zone, until.wall) * DAY_MS) : last;
}

/** Lists the closed days. Single days take precedence over ranges, and what comes first in the text over what comes later. */
function* closedDays(
  found: readonly Occurrence[],
  firstDay: number,
  lastDay: number,
  dayFor: (time: GivenTime) => number,
): Generator<undefined, ClosedDay[]> {
  const daysAfter = ({ start, end }: Lasting) =>
    "wall" in end
      ? dayFor({ ...end, wall: end.wall - 1 }) - dayOf(start.wall)
      : Math.ceil(lengthOf(start, end) / DAY_MS) - 1;
  const painted = new Int32Array(lastDay - firstDay + 1).fill(-1);
  const busy = new Uint8Array(painted.length);
  const ranges: { readonly event: CalendarEvent; readonly first: number; readonly last: number }[] = [];
  for (const { event, start, lasting } of found) {
    yield;
    const first = start.wall / DAY_MS;
    ranges.push({ event, first, last: first + Math.max(0, daysAfter(lasting)) });
  }
  const excludedDays = memoizeEach(({ excluded }: CalendarEvent) => new Set(excluded.map(dayFor)));
  for (const isSingle of [false, true]) {
    for (let index = ranges.length - 1; index >= 0; index--) {
      yield;
      const { event, first, last } = ranges[index] as (typeof ranges)[number];
      if ((first === last) !== isSingle || excludedDays(event).has(first)) continue;
      const range = [Math.max(0, first - firstDay), Math.max(0, last - firstDay + 1)] as const;
      painted.fill(index, ...range);
      if (!event.isFree) busy.fill(1, ...range);
    }
  }
  return [...painted].flatMap((index, day) => {
    const range = ranges[index];
    return range ? [{ day: firstDay + day, name: range.event.name, isFree: !busy[day] }] : [];
  });
}

function* closedTimes(
  found: readonly Occurrence[],
  instantOf: (time: GivenTime) => number,
): Generator<undefined, Closing[]> {
  const exclusions = memoizeEach((event: CalendarEvent) => exclusionsOf(event, instantOf));
  /** Returns how long a time lasts, exactly, where it has an end. */
  const durationOf = memoizeEach(({ start, end }: Lasting) => ("wall" in end ? instantOf(end) - instantOf(start) : 0));
  const endOf = ({ start, lasting }: Occurrence, instant: number): number => {
    const { end } = lasting;
    if ("wall" in end) return instant + durationOf(lasting);
    const day = end.days === 0 ? instant : instantOf({ ...start, wall: start.wall + end.days * DAY_MS });
    return day + end.milliseconds;
  };
  // In the order of time, so that a zone's clock is read in one direction; apart from them, what began long ago.
  for (const { lasting } of found.toSorted((a, b) => a.lasting.start.wall - b.lasting.start.wall)) {
    yield;
    durationOf(lasting);
  }
  const times: Closing[] = [];
  for (const occurrence of found.toSorted((a, b) => a.start.wall - b.start.wall)) {
    yield;
    const { event, start } = occurrence;
    const instant = instantOf(start);
    if (exclusions(event)(start, instant) || isAfterItsEnd(event, start, instant)) continue;
    times.push({ start: instant, end: endOf(occurrence, instant), name: event.name });
  }
  return disjoint(times.sort((a, b) => a.start - b.start));
}

/** An end in UTC is exact only here. */
function isAfterItsEnd({ series, start: first, added }: CalendarEvent, start: GivenTime, instant: number): boolean {
  if (start.wall === first.wall || series.length !== 1 || added.includes(start)) return false;
  const { until } = series[0]?.rule ?? {};
  return until?.zone === UTC && !until.isDate && instant > until.wall;
}

function exclusionsOf({ excluded }: CalendarEvent, instantOf: (time: GivenTime) => number) {
  const days = new Set(excluded.filter(({ isDate }) => isDate).map(({ wall }) => dayOf(wall)));
  const instants = new Set(excluded.filter(({ isDate }) => !isDate).map(instantOf));
  return ({ wall }: GivenTime, instant: number) => instants.has(instant) || days.has(dayOf(wall));
}

/** Separates times that overlap: the one that began first applies, until its end. */
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
