import assert from "node:assert/strict";
import { loadZone, readExceptions, type Zone } from "../../../../src/hours";
import { EXAMPLES, expectedTimes } from "./rfc-5545";

const DAY = 86_400_000;

/** A calendar with one event of a minute. */
function eventText(start: string, ...lines: string[]): string {
  const event = [`DTSTART;TZID=America/New_York:${start}`, "DURATION:PT1M", ...lines];
  return ["BEGIN:VCALENDAR", "BEGIN:VEVENT", ...event, "END:VEVENT", "END:VCALENDAR"].join("\r\n");
}

describe("hours: recurrences as RFC 5545 lists them", () => {
  let newYork: Zone;
  before(async () => {
    newYork = await loadZone("America/New_York");
  });

  const clock = new Intl.DateTimeFormat("sv-SE", {
    timeZone: "America/New_York",
    dateStyle: "short",
    timeStyle: "short",
  });
  const wallOf = (instant: number) => clock.format(instant).replace(" ", "T");

  /** Returns what is closed from the start until the end of the year after the last time that is expected. */
  function closed(text: string, first: number, last: number): string[] {
    const around = readExceptions(text).icalendar?.resolverIn(newYork) ?? assert.fail();
    const found = new Set<number>();
    for (let instant = first; instant < last; instant += 300 * DAY) {
      for (const { start, end } of around.at(instant).times) {
        assert.equal(end - start, 60_000);
        if (start >= first - DAY && start < last) found.add(start);
      }
    }
    return [...found].sort((a, b) => a - b).map(wallOf);
  }

  for (const example of EXAMPLES) {
    const { name, rule, start = "19970902T090000", exdate, goesOn } = example;
    it(`${name}: ${rule}`, () => {
      const lines = [`RRULE:${rule}`, ...(exdate ? [`EXDATE;TZID=America/New_York:${exdate}`] : [])];
      const expected = expectedTimes(example);
      const first = Date.parse(`${start.slice(0, 4)}-${start.slice(4, 6)}-${start.slice(6, 8)}T00:00:00Z`);
      const last = Date.parse(`${expected.at(-1)?.slice(0, 10)}T00:00:00Z`) + 500 * DAY;
      const found = closed(eventText(start, ...lines), first, last);
      assert.deepEqual(goesOn ? found.slice(0, expected.length) : found, expected);
    });
  }
});
