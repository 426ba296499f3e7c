import { memoizeLast } from "../memoize";
import type { Zone } from "../zone";
import { components, type LeftOut } from "./components";
import { readEvents } from "./events";
import { type Events, type Resolver, resolver } from "./resolve";
import { describedZones } from "./time-zone";

/** An iCalendar text (RFC 5545), read. */
export interface ICalendar extends Events {
  readonly leftOut: Readonly<LeftOut>;
  /** Computes what it means for a day, which depends on the zone. The same object for the same zone. */
  readonly resolverIn: (zone: Zone) => Resolver;
}

/**
 * Reads iCalendar text, step by step, because ten thousand events take a while. One that cannot be read is left out.
 * @throws ValueError `icalLong`; where no event can be read, with the line: `icalLine` (what cannot be read), `icalEnd`,
 * `icalStart`, `icalZone`, `icalOften` (more than can be computed for each message)
 */
export function* calendarSteps(text: string): Generator<undefined, ICalendar> {
  const leftOut: LeftOut = { count: 0, first: undefined };
  const found = yield* components(text, leftOut);
  const described = describedZones(found.filter(({ name }) => name === "VTIMEZONE"));
  const events = yield* readEvents(found, described, leftOut);
  return { events, described, leftOut, resolverIn: memoizeLast((zone) => resolver({ events, described }, zone)) };
}
