import { ValueError } from "../value-error";
import { type ContentLine, checkReadable, contentLines, unreadable } from "./content-lines";
import { type JcalProperty, library } from "./library";

/** An event, a time zone, or one of the two times of a zone. */
export interface Component {
  readonly name: string;
  /** The line of its BEGIN. */
  readonly line: number;
  readonly properties: readonly Property[];
  readonly children: readonly Component[];
}

/** A property, read by ical.js. */
export interface Property {
  readonly name: string;
  readonly line: number;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly values: readonly unknown[];
}

/** The properties that decide when an event takes place. The others are not read, so that they may be as they like. */
const PROPERTIES: Readonly<Record<string, readonly string[]>> = {
  VEVENT: [
    ...["DTSTART", "DTEND", "DURATION", "RRULE", "EXRULE", "RDATE", "EXDATE", "RECURRENCE-ID"],
    ...["UID", "SUMMARY", "STATUS", "TRANSP"],
  ],
  VTIMEZONE: ["TZID"],
  STANDARD: ["DTSTART", "RRULE", "RDATE", "TZOFFSETFROM", "TZOFFSETTO"],
  DAYLIGHT: ["DTSTART", "RRULE", "RDATE", "TZOFFSETFROM", "TZOFFSETTO"],
};

/** Where a component is read: an event inside of an event is not. */
const PARENTS: Readonly<Record<string, string>> = {
  VCALENDAR: "",
  VEVENT: "VCALENDAR",
  VTIMEZONE: "VCALENDAR",
  STANDARD: "VTIMEZONE",
  DAYLIGHT: "VTIMEZONE",
};

type Open = Component & { readonly properties: Property[]; readonly children: Component[]; readonly isRead: boolean };

/**
 * Reads the events and time zones of an iCalendar text.
 * @throws ValueError `icalEnd`, and those of {@link contentLines}
 */
export function components(value: string | Uint8Array): Component[] {
  const found: Component[] = [];
  const open: Open[] = [];
  for (const line of contentLines(value)) {
    const inner = open.at(-1);
    if (line.name === "BEGIN") {
      const name = componentName(line);
      if (!inner && name !== "VCALENDAR") throw unreadable(line.number, `BEGIN:${name}`);
      const isRead = PARENTS[name] === (inner?.name ?? "") && (inner?.isRead ?? true);
      const begun: Open = { name, line: line.number, properties: [], children: [], isRead };
      if (isRead && inner) inner.children.push(begun);
      open.push(begun);
    } else if (!inner) throw unreadable(line.number, line.name);
    else if (line.name === "END") {
      if (componentName(line) !== inner.name) throw unended(inner);
      open.pop();
      if (open.length === 0) found.push(...inner.children);
    } else if (inner.isRead && PROPERTIES[inner.name]?.includes(line.name)) inner.properties.push(property(line));
  }
  const unclosed = open.at(-1);
  if (unclosed) throw unended(unclosed);
  return found;
}

function componentName({ text }: ContentLine): string {
  return text
    .slice(text.indexOf(":") + 1, text.indexOf(":") + 100)
    .trim()
    .toUpperCase();
}

function property(line: ContentLine): Property {
  checkReadable(line);
  // Keywords may be written in small letters, which ical.js refuses in rules.
  const text = /RULE$/.test(line.name) ? line.text.toUpperCase() : line.text;
  try {
    const [, parameters, , ...values]: JcalProperty = library().parse.property(text.trimEnd());
    // ical.js takes an interval of 0 or less for 1.
    if (/RULE$/.test(line.name) && /[:;]INTERVAL=(?:-|0*(?:;|$))/.test(text)) throw unreadable(line.number, line.name);
    return { name: line.name, line: line.number, parameters, values };
  } catch {
    throw unreadable(line.number, line.name);
  }
}

function unended({ line, name }: Component): ValueError {
  return new ValueError("input.hours.icalEnd", "", { line, value: `BEGIN:${name}` });
}
