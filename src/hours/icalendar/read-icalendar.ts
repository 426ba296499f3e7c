import { components, type LeftOut } from "./components";
import { type CalendarEvent, readEvents } from "./events";
import { describedZones, type Observance } from "./time-zone";

/** An iCalendar text (RFC 5545), read. What it means for a day depends on the zone: resolve.ts. */
export interface ICalendar {
  readonly events: readonly CalendarEvent[];
  /** A time zone that the text describes itself, by its name. */
  readonly described: (zone: string) => readonly Observance[] | undefined;
  readonly leftOut: Readonly<LeftOut>;
}

/**
 * Reads iCalendar text, step by step, because ten thousand events take a while. One that cannot be read is left out.
 * @throws ValueError `icalLong`; where no event can be read, with the line: `icalLine` (what cannot be read), `icalEnd`,
 * `icalStart`, `icalZone`, `icalOften` (more than can be computed for each message)
 */
export function* calendarSteps(value: string | Uint8Array): Generator<undefined, ICalendar> {
  const leftOut: LeftOut = { count: 0, first: undefined };
  const found = yield* components(value, leftOut);
  const described = describedZones(found.filter(({ name }) => name === "VTIMEZONE"));
  return { events: yield* readEvents(found, described, leftOut), described, leftOut };
}

/** As {@link calendarSteps}, at once. */
export function readICalendar(value: string | Uint8Array): ICalendar {
  return atOnce(calendarSteps(value));
}

/** Carries out all steps. */
export function atOnce<Result>(steps: Generator<undefined, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
