import { DAY_MS } from "../dates";
import type { WallClock } from "../instant";
import { memoizeEach } from "../memoize";
import { refusal, ValueError } from "../value-error";
import { type Component, propertiesOf, textOf } from "./components";
import { type Property, unreadable } from "./content-lines";
import { recurrence, withDefaults } from "./recurrence";
import { endOf, mostTimes, type Rule, readRule } from "./rule";
import { listOf, readTime, UTC, zoneName } from "./times";

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
const LOOK_BACK = 3 * 366 * DAY_MS;

/** Most changes of a rule in a year. More are not a time zone, and take long. */
const MAX_CHANGES = 100;

/** The time zones that a text describes, each read when a time names it. One that cannot be read counts as absent. */
export function describedZones(components: readonly Component[]) {
  const zones = new Map(components.map((component) => [zoneName(textOf(component, "TZID")), component.children]));
  return memoizeEach((name: string): readonly Observance[] | undefined => {
    const observances: Observance[] = [];
    const problem = refusal(() => observances.push(...(zones.get(name) ?? []).map(readObservance)));
    return problem || observances.length === 0 ? undefined : observances;
  });
}

function readObservance(component: Component): Observance {
  if (component.problem) throw component.problem;
  const required = (name: string): Property => {
    const [property] = propertiesOf(component, name);
    if (!property) throw unreadable(component.line, `BEGIN:${component.name}`);
    return property;
  };
  const rules = propertiesOf(component, "RRULE").map((property) => readRule(property));
  const more = propertiesOf(component, "RDATE").flatMap((property) =>
    listOf(property).map((value) => readTime(property, value).wall),
  );
  const often = rules.find((rule) => mostTimes(rule, 366) > MAX_CHANGES);
  if (often || more.length > 10 * MAX_CHANGES)
    throw new ValueError("input.hours.icalOften", "", { line: often?.line ?? component.line });
  return {
    start: readTime(required("DTSTART")).wall,
    before: readOffset(required("TZOFFSETFROM")),
    after: readOffset(required("TZOFFSETTO")),
    rules,
    more,
  };
}

function readOffset(property: Property): number {
  const match = /^([+-])([01]\d|2[0-3]):?([0-5]\d)(?::?([0-5]\d))?$/.exec(property.value);
  if (!match) throw unreadable(property.line, property.name);
  const [, sign, hours, minutes, seconds = "0"] = match;
  return (sign === "-" ? -1000 : 1000) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds));
}

/** The wall clock of a zone that a text describes, for wall times within `[from, to]`. */
export function clockOf(observances: readonly Observance[], from: number, to: number): WallClock {
  const changes = observances
    .flatMap((observance) => {
      const { before, after } = observance;
      return changesOf(observance, from, to).map((wall) => ({ at: wall - before, before, after }));
    })
    .sort((a, b) => a.at - b.at);
  const offsetAt = (instant: number): number => {
    const next = changes.findIndex(({ at }) => at > instant);
    return (next === 0 ? changes[0]?.before : changes.at(next < 0 ? -1 : next - 1)?.after) ?? 0;
  };
  return {
    instantAt(wall) {
      // As a zone: the first of two, and a time that is skipped is moved forward by the length of the gap.
      const earlier = wall - offsetAt(wall - DAY_MS);
      const later = wall - offsetAt(wall + DAY_MS);
      return offsetAt(earlier) === wall - earlier || offsetAt(later) !== wall - later ? earlier : later;
    },
  };
}

function changesOf({ start, before, rules, more }: Observance, from: number, to: number): number[] {
  const changes = [start, ...more];
  for (const rule of rules) {
    const { until } = rule;
    const end = until?.zone === UTC ? until.wall + before : endOf(rule);
    // Where a rule has ended, its last change still holds.
    const last = Math.min(to + DAY_MS, end);
    changes.push(...recurrence(withDefaults(rule, start), start, Math.min(from, last) - LOOK_BACK, last));
  }
  return changes;
}
