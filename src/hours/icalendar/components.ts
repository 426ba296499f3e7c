import { refusal, ValueError } from "../value-error";
import { contentLines, type Property, readProperty, unreadable } from "./content-lines";

/** An event, a time zone, or one of the two times of a zone. */
export interface Component {
  readonly name: string;
  /** The line of its BEGIN. */
  readonly line: number;
  readonly isRead: boolean;
  readonly properties: Property[];
  readonly children: Component[];
  /** The reason why one of its properties cannot be read. */
  problem?: ValueError | undefined;
}

/** The number of events that cannot be read, and the reason of the first. */
export interface LeftOut {
  count: number;
  first: ValueError | undefined;
  /** Whether the end of a calendar is missing. */
  breaksOff?: boolean;
}

export function leaveOut(leftOut: LeftOut, problem: ValueError | undefined): void {
  if (!problem) return;
  leftOut.count += 1;
  leftOut.first ??= problem;
}

/** The properties that decide when an event takes place. The others are not read, so that they may be as they like. */
const PROPERTIES: Readonly<Record<string, readonly string[]>> = {
  VEVENT: [
    ...["DTSTART", "DTEND", "DURATION", "RRULE", "EXRULE", "RDATE", "EXDATE", "RECURRENCE-ID"],
    ...["UID", "SEQUENCE", "SUMMARY", "STATUS", "TRANSP"],
  ],
  VTIMEZONE: ["TZID"],
  STANDARD: ["DTSTART", "RRULE", "RDATE", "TZOFFSETFROM", "TZOFFSETTO"],
  DAYLIGHT: ["DTSTART", "RRULE", "RDATE", "TZOFFSETFROM", "TZOFFSETTO"],
};

/** The components inside which a component is read. */
const PARENTS: Readonly<Record<string, string>> = {
  VCALENDAR: "",
  VEVENT: "VCALENDAR",
  VTIMEZONE: "VCALENDAR",
  STANDARD: "VTIMEZONE",
  DAYLIGHT: "VTIMEZONE",
};

/** Nothing is nested as deep as this. */
const MAX_DEPTH = 10;

/**
 * Reads the events and time zones of an iCalendar text: what stands between a BEGIN and its END. Lines that are no property,
 * and those behind a calendar of the text, are read over.
 * @throws ValueError `icalLine` for the first line, and those of {@link contentLines}
 */
export function* components(text: string, leftOut: LeftOut): Generator<undefined, Component[]> {
  const found: Component[] = [];
  const open: Component[] = [];
  let isFirst = true;
  for (const line of contentLines(text)) {
    yield;
    const name = /:\s*(\S{0,100})/.exec(line.text)?.[1]?.toUpperCase() ?? "";
    // Where an event begins within another one, the end of that is missing: without this, it would take all others along.
    const level = name === "VCALENDAR" ? 0 : PARENTS[name] === "VCALENDAR" ? 1 : open.length;
    if (line.name === "BEGIN") leaveOut(leftOut, unended(open.splice(level)));
    const inner = open.at(-1);
    if (line.name === "BEGIN" && (inner ? open.length < MAX_DEPTH : name === "VCALENDAR")) {
      const isRead = PARENTS[name] === (inner?.name ?? "") && (inner?.isRead ?? true);
      open.push({ name, line: line.number, isRead, properties: [], children: [] });
    } else if (isFirst)
      throw unreadable(line.number, line.name === "BEGIN" ? `BEGIN:${name}` : line.name || line.text.slice(0, 40));
    else if (line.name === "END") {
      const [ended, ...others] = open.splice(open.findLastIndex((component) => component.name === name) >>> 0);
      if (ended && others.length > 0) leaveOut(leftOut, unended([ended, ...others]));
      if (ended?.isRead && others.length === 0)
        (PARENTS[name] === "VCALENDAR" ? found : open.at(-1)?.children)?.push(ended);
    } else if (inner?.isRead && PROPERTIES[inner.name]?.includes(line.name))
      inner.problem ??= refusal(() => inner.properties.push(...readProperty(line)));
    isFirst = false;
  }
  leaveOut(leftOut, endMissing(open.at(-1)));
  leftOut.breaksOff = open.length > 0;
  return found;
}

/** Returns the reason why an event is left out; a time zone is only not described then. */
function unended(open: readonly Component[]): ValueError | undefined {
  return open.some(({ name, isRead }) => isRead && name === "VEVENT") ? endMissing(open.at(-1)) : undefined;
}

function endMissing(inner: Component | undefined): ValueError | undefined {
  return inner && new ValueError("input.hours.icalEnd", "", { line: inner.line, value: `BEGIN:${inner.name}` });
}

export function propertiesOf({ properties }: Component, name: string): Property[] {
  return properties.filter((property) => property.name === name);
}

/** The value of the property of that name, of two the first; empty where there is none. */
export function textOf({ properties }: Component, name: string): string {
  return properties.find((property) => property.name === name)?.value ?? "";
}
