import { MILLISECONDS_A_DAY } from "../dates";
import { ValueError } from "../value-error";
import type { Component, Property } from "./components";
import { unreadable } from "./content-lines";
import { type Effort, recurrence } from "./recurrence";
import { endOf, mostTimes, type Rule, readRule } from "./rule";
import { type GivenTime, type Length, propertyOf, readLength, readTime, textOf, timeOf } from "./times";

/** A rule, and the last time on the wall clock that it reaches. */
interface Series {
  readonly rule: Rule;
  readonly last: number;
}

/** A time that recurs without a rule. It may have an end of its own. */
interface Added {
  readonly start: GivenTime;
  readonly end: GivenTime | Length | undefined;
}

/** An event that closes: all day, or at a time. */
export interface CalendarEvent {
  readonly name: string | null;
  /** It is marked as free, and closes only because it lasts all day. */
  readonly isFree: boolean;
  readonly start: GivenTime;
  readonly end: GivenTime | Length;
  readonly series: readonly Series[];
  readonly added: readonly Added[];
  /** Recurrences that do not take place, or that other events of the text replace. */
  readonly excluded: readonly GivenTime[];
}

/** Days around an instant that are computed at once (resolve.ts), generously. */
const WINDOW_DAYS = 420;
/** Most times in that window, of all events together. */
const MAX_TIMES = 50_000;
/** Most that is looked at to find the ends of the series that have a count. */
const MAX_EFFORT = 250_000;
/** A series with a count that ends later is one without an end. */
const LATEST = Date.UTC(2200, 0, 1);
const MAX_NAME = 200;

/** Reads the events that count: not cancelled, and busy or all-day, since public calendars mark their holidays as free. */
export function readEvents(components: readonly Component[]): CalendarEvent[] {
  const events = components.filter(({ name }) => name === "VEVENT");
  const replaced = replacedTimes(events);
  const limits = { times: MAX_TIMES, effort: MAX_EFFORT };
  return events.flatMap((component) => {
    const uid = textOf(propertyOf(component, "UID"));
    const isReplacement = propertyOf(component, "RECURRENCE-ID") !== undefined;
    const event = readEvent(component, isReplacement ? [] : (replaced.get(uid) ?? []), limits);
    const isCancelled = hasValue(component, "STATUS", "CANCELLED");
    return isCancelled || (event.isFree && !event.start.isDate) ? [] : [event];
  });
}

function hasValue(component: Component, name: string, value: string): boolean {
  return textOf(propertyOf(component, name)).toUpperCase() === value;
}

/** The recurrences that have an event of their own, by UID. */
function replacedTimes(events: readonly Component[]): Map<string, GivenTime[]> {
  const replaced = new Map<string, GivenTime[]>();
  for (const event of events) {
    const id = propertyOf(event, "RECURRENCE-ID");
    if (!id) continue;
    // This recurrence and all later ones: nothing writes it any more.
    if (id.parameters["range"] !== undefined) throw unreadable(id.line, id.name);
    const uid = textOf(propertyOf(event, "UID"));
    const times = replaced.get(uid) ?? [];
    times.push(timeOf(id));
    replaced.set(uid, times);
  }
  return replaced;
}

function readEvent(
  component: Component,
  replaced: readonly GivenTime[],
  limits: { times: number; effort: number },
): CalendarEvent {
  const all = (name: string) => component.properties.filter((property) => property.name === name);
  const start = propertyOf(component, "DTSTART");
  if (!start) throw new ValueError("input.hours.icalStart", "", { line: component.line });
  const [unknown] = all("EXRULE");
  if (unknown) throw unreadable(unknown.line, unknown.name);
  const given = timeOf(start);
  const end = endOfEvent(component, given);
  const excluded = all("EXDATE").flatMap((property) => property.values.map((value) => readTime(property, value)));
  const added = all("RDATE").flatMap((property) => property.values.map((value) => readAdded(property, value)));
  const days = "wall" in end ? Math.ceil((end.wall - given.wall) / MILLISECONDS_A_DAY) : daysOf(end);
  const isLong = days > 366;
  limits.times -= 1 + added.length;
  const series = all("RRULE").map((property) => {
    const rule = readRule(property);
    const often = () => new ValueError("input.hours.icalOften", "", { line: rule.line });
    const effort = (looks: number) => {
      limits.effort -= looks;
      if (limits.effort < 0) throw often();
    };
    const last = Math.min(endOf(rule, given.isDate), lastOfCount(rule, given.wall, effort));
    const span = Math.min(WINDOW_DAYS + days, Math.max(1, Math.ceil((last - given.wall) / MILLISECONDS_A_DAY) + 1));
    limits.times -= mostTimes(rule, span);
    if (isLong || limits.times < 0) throw often();
    return { rule, last };
  });
  if (limits.times < 0) throw new ValueError("input.hours.icalOften", "", { line: start.line });
  const name = nameOf(textOf(propertyOf(component, "SUMMARY")));
  const isFree = hasValue(component, "TRANSP", "TRANSPARENT");
  return { name, isFree, start: given, end, series, added, excluded: [...excluded, ...replaced] };
}

/** Without an end, an event lasts its day, or no time at all. */
function endOfEvent(component: Component, start: GivenTime): GivenTime | Length {
  const end = propertyOf(component, "DTEND");
  const duration = propertyOf(component, "DURATION");
  if (end) {
    const time = timeOf(end);
    // A date and a time cannot be compared, nor can the clocks of two zones, without the zones.
    const isReversed = time.zone === start.zone && time.wall < start.wall;
    if (time.isDate !== start.isDate || isReversed) throw unreadable(end.line, end.name);
    return time;
  }
  if (duration) return readLength(duration, duration.values[0]);
  return { days: start.isDate ? 1 : 0, milliseconds: 0 };
}

function readAdded(property: Property, value: unknown): Added {
  if (!Array.isArray(value)) return { start: readTime(property, value), end: undefined };
  const [start, end] = value;
  const isLength = /^[+-]?P/.test(String(end));
  return {
    start: readTime(property, start),
    end: isLength ? readLength(property, end) : readTime(property, end),
  };
}

/** The last time of a rule with a count. The start is the first, also where the rule does not say so. */
function lastOfCount(rule: Rule, start: number, effort: Effort): number {
  const { count } = rule;
  if (count === undefined) return Number.POSITIVE_INFINITY;
  let [last, counted] = [start, 1];
  if (counted === count) return last;
  for (const time of recurrence(rule, start, start, Math.min(LATEST, endOf(rule)), effort)) {
    if (time === start) continue;
    last = time;
    counted += 1;
    if (counted === count) return last;
  }
  return Number.POSITIVE_INFINITY;
}

function daysOf({ days, milliseconds }: Length): number {
  return days + Math.ceil(milliseconds / MILLISECONDS_A_DAY);
}

/** On one line, and not longer than a name. */
function nameOf(summary: string): string | null {
  const name = summary.slice(0, 4 * MAX_NAME).replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ");
  // A character of two units is not cut in half.
  return (
    name
      .trim()
      .slice(0, MAX_NAME)
      .replace(/[\uD800-\uDBFF]$/, "")
      .trim() || null
  );
}
