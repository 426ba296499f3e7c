import { DAY_MS } from "../dates";
import { memoizeEach } from "../memoize";
import { refusal, ValueError } from "../value-error";
import { type Component, type LeftOut, leaveOut, propertiesOf, textOf } from "./components";
import { type Property, unreadable } from "./content-lines";
import { type Effort, recurrence, withDefaults } from "./recurrence";
import { endOf, mostTimes, type Rule, readRule } from "./rule";
import { type GivenTime, type Length, lengthOf, listOf, readLength, readTime } from "./times";
import { zoneNamed } from "./zone-name";

/** A rule, and the last time on the wall clock that it reaches; it may be a day too late if its end is an instant. */
export interface Series {
  readonly rule: Rule;
  readonly last: number;
}

/** A recurrence without a rule. It may have an end of its own. */
export interface Added extends GivenTime {
  readonly end?: GivenTime | Length;
}

/** An event that closes: all day, or at a time. */
export interface CalendarEvent {
  readonly name: string | null;
  /** Whether it is marked as free, and closes only because it lasts all day. */
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
/** Once so many cannot be read, the others are left out unread: refusing takes longer than reading. */
const MAX_REFUSALS = 5000;
/** A series with a count that ends later is one without an end. */
const LATEST = Date.UTC(2200, 0, 1);
const MAX_NAME = 200;

interface ReadEvent extends CalendarEvent {
  readonly uid: string;
  /** The recurrence of the series with the same UID in whose place it is. */
  readonly replaces: GivenTime | undefined;
  /** Whether it is not cancelled, and busy or all-day, since public calendars mark their holidays as free. */
  readonly counts: boolean;
}

type ReadTime = (property: Property, value?: string) => GivenTime;

/**
 * Reads the events that count. One that cannot be read is left out.
 * @param described the zones that the text describes
 * @throws ValueError where none can be read: of the first that cannot
 */
export function* readEvents(
  components: readonly Component[],
  described: (zone: string) => unknown,
  leftOut: LeftOut,
): Generator<undefined, CalendarEvent[]> {
  const isZone = memoizeEach((name: string) => (zoneNamed(name) ?? described(name)) !== undefined);
  const time: ReadTime = (property, value) => {
    const given = readTime(property, value);
    if (given.zone === null || isZone(given.zone)) return given;
    throw new ValueError("input.hours.icalZone", "", { line: property.line, value: given.zone });
  };
  const limits = { times: MAX_TIMES, effort: MAX_EFFORT };
  const read: ReadEvent[] = [];
  for (const component of lastVersions(components)) {
    yield;
    const isUnread = leftOut.count >= MAX_REFUSALS;
    leaveOut(leftOut, isUnread ? leftOut.first : refusal(() => read.push(readEvent(component, time, limits))));
  }
  if (read.length === 0 && leftOut.first) throw leftOut.first;
  const replaced = memoizeEach((_uid: string): GivenTime[] => []);
  for (const { uid, replaces } of read) if (replaces) replaced(uid).push(replaces);
  return read
    .filter(({ counts }) => counts)
    .map((event) => (event.replaces ? event : { ...event, excluded: [...event.excluded, ...replaced(event.uid)] }));
}

/** Chooses among the versions of an event the one with the highest number, of equal ones the last. */
function lastVersions(components: readonly Component[]): Iterable<Component> {
  const versions = new Map<unknown, Component>();
  const sequenceOf = (component: Component) => Number(textOf(component, "SEQUENCE")) || 0;
  for (const component of components) {
    if (component.name !== "VEVENT") continue;
    const uid = textOf(component, "UID");
    const key = uid === "" ? component : `${uid} ${textOf(component, "RECURRENCE-ID")}`;
    const other = versions.get(key);
    if (!other || sequenceOf(component) >= sequenceOf(other)) versions.set(key, component);
  }
  return versions.values();
}

function readEvent(component: Component, time: ReadTime, limits: { times: number; effort: number }): ReadEvent {
  if (component.problem) throw component.problem;
  const all = (name: string) => propertiesOf(component, name);
  const has = (name: string, value: string) => textOf(component, name).toUpperCase() === value;
  const [[given], [id], [unknown]] = [all("DTSTART"), all("RECURRENCE-ID"), all("EXRULE")];
  if (!given) throw new ValueError("input.hours.icalStart", "", { line: component.line });
  if (unknown) throw unreadable(unknown.line, unknown.name);
  // This recurrence and all later ones: nothing writes it any more.
  if (id && /;RANGE=/i.test(id.parameters)) throw unreadable(id.line, id.name);
  const start = time(given);
  const end = endOfEvent(component, start, time);
  const excluded = all("EXDATE").flatMap((property) => listOf(property).map((value) => time(property, value)));
  const added = all("RDATE").flatMap((property) => listOf(property).map((value) => readAdded(property, value, time)));
  const days = Math.ceil(lengthOf(start, end) / DAY_MS);
  const often = (line: number) => new ValueError("input.hours.icalOften", "", { line });
  let left = limits.times - 1 - added.length;
  const series = all("RRULE").map((property) => {
    const rule = readRule(property, start.isDate);
    const effort = (looks: number) => {
      limits.effort -= looks;
      if (limits.effort < 0) throw often(rule.line);
    };
    const last = Math.min(endOf(rule), lastOfCount(rule, start.wall, effort));
    const span = Math.min(WINDOW_DAYS + days, Math.max(1, Math.ceil((last - start.wall) / DAY_MS) + 1));
    left -= mostTimes(rule, span);
    if (days > 366 || left < 0) throw often(rule.line);
    return { rule: withDefaults(rule, start.wall), last };
  });
  if (left < 0) throw often(given.line);
  limits.times = left;
  const isFree = has("TRANSP", "TRANSPARENT");
  const counts = !has("STATUS", "CANCELLED") && (start.isDate || !isFree);
  const [uid, name] = [textOf(component, "UID"), nameOf(textOf(component, "SUMMARY"))];
  return { uid, replaces: id && time(id), counts, name, isFree, start, end, series, added, excluded };
}

/** Reads the end. Without one, an event lasts its day, or no time at all. */
function endOfEvent(component: Component, start: GivenTime, time: ReadTime): GivenTime | Length {
  const [end] = propertiesOf(component, "DTEND");
  const [duration] = propertiesOf(component, "DURATION");
  if (end) {
    const given = time(end);
    // The clocks of two zones cannot be compared without the zones.
    const isReversed = given.zone === start.zone && given.wall < start.wall;
    // A date may end at a time, on that day: resolve.ts.
    if ((given.isDate && !start.isDate) || isReversed) throw unreadable(end.line, end.name);
    return given;
  }
  if (duration) return readLength(duration, duration.value);
  return { days: start.isDate ? 1 : 0, milliseconds: 0 };
}

function readAdded(property: Property, value: string, time: ReadTime): Added {
  const [start, end] = value.split("/");
  const given = time(property, start);
  if (end === undefined) return given;
  return { ...given, end: /P/i.test(end) ? readLength(property, end) : time(property, end) };
}

/** The last time of a rule with a count. The start is the first, also where the rule does not say so. */
function lastOfCount(rule: Rule, start: number, effort: Effort): number {
  const { count } = rule;
  if (count === undefined) return Number.POSITIVE_INFINITY;
  let [last, counted] = [start, 1];
  if (counted === count) return last;
  for (const time of recurrence(withDefaults(rule, start), start, start, Math.min(LATEST, endOf(rule)), effort)) {
    if (time === start) continue;
    last = time;
    counted += 1;
    if (counted === count) return last;
  }
  return Number.POSITIVE_INFINITY;
}

/** Shortens a summary to a name on one line. */
function nameOf(summary: string): string | null {
  const name = summary
    .slice(0, 4 * MAX_NAME)
    .replaceAll(/\\([nN;,\\])/g, (_, escaped: string) => (/n/i.test(escaped) ? " " : escaped))
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ");
  // A character of two units is not cut in half.
  const cut = name.trim().slice(0, MAX_NAME);
  return cut.replace(/[\uD800-\uDBFF]$/, "").trim() || null;
}
