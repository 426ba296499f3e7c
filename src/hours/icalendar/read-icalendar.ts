import { ValueError } from "../value-error";
import { type Component, components } from "./components";
import { type CalendarEvent, readEvents } from "./events";
import { type Observance, readTimeZone } from "./time-zone";
import { zoneNamed } from "./zone-name";

/** An iCalendar text (RFC 5545), read. What it means for a day depends on the zone: resolve.ts. */
export interface ICalendar {
  readonly events: readonly CalendarEvent[];
  /** The time zones that the text describes itself, by name. */
  readonly zones: ReadonlyMap<string, readonly Observance[]>;
}

/**
 * Reads iCalendar text.
 * @throws ValueError `icalLong`, `icalLine` (what cannot be read), `icalEnd` (a component without an end), `icalStart` (an
 * event without a start), `icalZone`, `icalOften` (more than can be computed for each message), each but the first with
 * its line
 */
export function readICalendar(value: string | Uint8Array): ICalendar {
  const found = components(value);
  const zones = new Map(found.filter(({ name }) => name === "VTIMEZONE").map(readTimeZone));
  checkZones(found, zones);
  return { events: readEvents(found), zones };
}

/** Each time names a zone that the text describes, or a known one. */
function checkZones(found: readonly Component[], zones: ReadonlyMap<string, unknown>): void {
  for (const { name, properties } of found) {
    if (name !== "VEVENT") continue;
    for (const { line, parameters } of properties) {
      const { tzid } = parameters;
      if (typeof tzid !== "string" || zones.has(tzid) || zoneNamed(tzid)) continue;
      throw new ValueError("input.hours.icalZone", "", { line, value: tzid });
    }
  }
}
