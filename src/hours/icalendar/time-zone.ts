import { MILLISECONDS_A_DAY } from "../dates";
import type { WallClock } from "../instant";
import { ValueError } from "../value-error";
import type { Component, Property } from "./components";
import { unreadable } from "./content-lines";
import { type Effort, recurrence } from "./recurrence";
import { endOf, mostTimes, type Rule, readRule } from "./rule";
import { propertyOf, readTime, textOf, timeOf, UTC } from "./times";

/** Changes of the clock that a text describes itself: to standard time, or to daylight saving time. */
export interface Observance {
  /** The first change, on the wall clock before it. */
  readonly start: number;
  /** Wall clock minus UTC, before a change and after it. */
  readonly before: number;
  readonly after: number;
  readonly rules: readonly Rule[];
  readonly more: readonly number[];
}

/** Changes are searched this far back, so that at least one is found where they recur. */
const LOOK_BACK = 3 * 366 * MILLISECONDS_A_DAY;

/** Most changes of a rule in a year. More are not a time zone, and take long. */
const MAX_CHANGES = 100;

/** Reads a time zone of a text: its name and its changes. */
export function readTimeZone(component: Component): [name: string, observances: Observance[]] {
  const name = textOf(propertyOf(component, "TZID"));
  if (name === "" || component.children.length === 0) throw unreadable(component.line, "BEGIN:VTIMEZONE");
  return [name, component.children.map(readObservance)];
}

function readObservance(component: Component): Observance {
  const required = (name: string): Property => {
    const property = propertyOf(component, name);
    if (!property) throw unreadable(component.line, `BEGIN:${component.name}`);
    return property;
  };
  const { properties } = component;
  const rules = properties.filter(({ name }) => name === "RRULE").map(readRule);
  const more = properties
    .filter(({ name }) => name === "RDATE")
    .flatMap((property) => property.values.map((value) => readTime(property, value).wall));
  const often = rules.find((rule) => mostTimes(rule, 366) > MAX_CHANGES);
  if (often || more.length > 10 * MAX_CHANGES)
    throw new ValueError("input.hours.icalOften", "", { line: often?.line ?? component.line });
  return {
    start: timeOf(required("DTSTART")).wall,
    before: readOffset(required("TZOFFSETFROM")),
    after: readOffset(required("TZOFFSETTO")),
    rules,
    more,
  };
}

function readOffset(property: Property): number {
  const match = /^([+-])([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(textOf(property));
  if (!match) throw unreadable(property.line, property.name);
  const [, sign, hours, minutes, seconds = "0"] = match;
  return (sign === "-" ? -1000 : 1000) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds));
}

/** The wall clock of a zone that a text describes, for wall times within `[from, to]`. */
export function clockOf(observances: readonly Observance[], from: number, to: number, effort: Effort): WallClock {
  const changes = observances
    .flatMap((observance) => {
      const { before, after } = observance;
      return changesOf(observance, from, to, effort).map((wall) => ({ at: wall - before, before, after }));
    })
    .sort((a, b) => a.at - b.at);
  const offsetAt = (instant: number): number => {
    const next = changes.findIndex(({ at }) => at > instant);
    return (next === 0 ? changes[0]?.before : changes.at(next < 0 ? -1 : next - 1)?.after) ?? 0;
  };
  return {
    instantAt(wall) {
      // As a zone: the first of two, and a time that is skipped is moved forward by the length of the gap.
      const earlier = wall - offsetAt(wall - MILLISECONDS_A_DAY);
      const later = wall - offsetAt(wall + MILLISECONDS_A_DAY);
      return offsetAt(earlier) === wall - earlier || offsetAt(later) !== wall - later ? earlier : later;
    },
  };
}

function changesOf({ start, before, rules, more }: Observance, from: number, to: number, effort: Effort): number[] {
  const changes = [start, ...more];
  for (const rule of rules) {
    const { until } = rule;
    const end = until?.zone === UTC ? until.wall + before : endOf(rule);
    // Where a rule has ended, its last change still holds.
    const last = Math.min(to + MILLISECONDS_A_DAY, end);
    changes.push(...recurrence(rule, start, Math.min(from, last) - LOOK_BACK, last, effort));
  }
  return changes;
}
