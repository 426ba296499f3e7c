import assert from "node:assert/strict";
import { mock } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  calendar,
  daysMarkedFree,
  holidaysOf,
  loadZone,
  readExceptions,
  readSchedule,
  ValueError,
} from "../../../../src/hours";
import { recurrence } from "../../../../src/hours/icalendar/recurrence";
import { exceptionsInSlices, resolvedInSlices } from "../../../../src/runtime/schedules/read-in-slices";
import { casesOf } from "../../../support/until";
import { OFFICE } from "../cases";

/** The largest text that is read. */
const LIMIT = 5 * 1024 * 1024;
/** That of the texts here. */
const LENGTH = casesOf(LIMIT);
/** Microseconds of processor time that reading one may take: not all of it grows with the text. */
const MOST_WORK = 2_000_000 + (8_000_000 * LENGTH) / LIMIT;

function ics(...lines: string[]): string {
  return ["BEGIN:VCALENDAR", ...lines, "END:VCALENDAR"].join("\n");
}

const event = (...lines: string[]) => ["BEGIN:VEVENT", "DTSTART:20200101T000000", ...lines, "END:VEVENT"].join("\n");
const filled = (piece: string) => piece.repeat(Math.floor((LENGTH - 200) / piece.length));
const numbers = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

const EVERY_DAY = `FREQ=YEARLY;BYMONTH=${numbers(1, 12)};BYMONTHDAY=${numbers(1, 31)}`;
const OFTEN = `FREQ=WEEKLY;BYDAY=MO${",MO".repeat(1000)}`;

/** Texts that would take long, or much memory, if they were read in the simple way. */
const TEXTS: Readonly<Record<string, string>> = {
  "a rule for each second": ics(event("DURATION:PT1S", "RRULE:FREQ=SECONDLY")),
  "a rule for each day, with a count": ics(event("DURATION:PT1S", "RRULE:FREQ=DAILY;COUNT=1000000")),
  "a long rule for each day, many times": ics(filled(`${event("DURATION:PT1S", `RRULE:${EVERY_DAY}`)}\n`)),
  "a rule that never comes true": ics(event("RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30")),
  "a rule that never comes true, counted": ics(event("RRULE:FREQ=WEEKLY;BYMONTH=2;BYDAY=MO;BYSETPOS=9;COUNT=2")),
  "many that never come true, counted": ics(filled(`${event("RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=2")}\n`)),
  "many that are counted": ics(filled(`${event("RRULE:FREQ=DAILY;INTERVAL=100;COUNT=100")}\n`)),
  "a huge interval": ics(event("RRULE:FREQ=DAILY;INTERVAL=999999999999999999999")),
  "many events": ics(filled(`${event()}\n`)),
  "many events each day": ics(filled(`${event("DURATION:PT1S", "RRULE:FREQ=DAILY")}\n`)),
  "many yearly events": ics(filled(`${event("DURATION:PT1S", "RRULE:FREQ=YEARLY")}\n`)),
  "many that last for decades": ics(filled(`${event("DURATION:P9999D")}\n`)),
  "one each day that lasts for decades": ics(event("DURATION:P9999D", "RRULE:FREQ=DAILY")),
  "many ranges of days": ics(filled("BEGIN:VEVENT\nDTSTART:20200101\nDTEND:20400101\nEND:VEVENT\n")),
  "many dates that are taken out": ics(event("RRULE:FREQ=DAILY", filled("EXDATE:20200101T000000\n"))),
  "many dates that are added": ics(event(filled("RDATE:20200101T000000\n"))),
  "many replaced ones": ics(filled(`${event("UID:a", "RECURRENCE-ID:20200101T000000")}\n`)),
  "a long list": ics(event(`RDATE:${filled("20200101T000000,")}`)),
  "one long line": filled("BEGIN:VCALENDAR"),
  "one long folded line": ics(event(`SUMMARY:a${filled("\n b")}`)),
  "many parameters": ics(event(`SUMMARY${filled(";A=B")}:x`)),
  "many quotes": ics(event(`SUMMARY;A=${filled('"')}:x`)),
  "quotes that do not end": ics(event(`SUMMARY;A=${filled('";"')}`)),
  "many escapes": ics(event(`SUMMARY:${filled("\\n")}`)),
  "components in components": filled("BEGIN:VCALENDAR\n"),
  "ends without beginnings": ics(filled("END:VEVENT\n")),
  "empty lines": ics(filled("\n")),
  blanks: ics(filled(" \n")),
  "many zones": ics(
    filled(
      "BEGIN:VTIMEZONE\nTZID:A\nBEGIN:STANDARD\nDTSTART:16010101T000000\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0000\nRRULE:FREQ=YEARLY\nEND:STANDARD\nEND:VTIMEZONE\n",
    ),
  ),
  "a zone that changes often": ics(
    "BEGIN:VTIMEZONE\nTZID:A\nBEGIN:STANDARD\nDTSTART:16010101T000000\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0000",
    `RRULE:${OFTEN}\nEND:STANDARD\nEND:VTIMEZONE`,
    event().replace("DTSTART", "DTSTART;TZID=A"),
  ),
  "a zone that changes each day": ics(
    "BEGIN:VTIMEZONE\nTZID:A\nBEGIN:STANDARD\nDTSTART:16010101T000000\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0000",
    `RRULE:${EVERY_DAY}\nEND:STANDARD\nEND:VTIMEZONE`,
    event().replace("DTSTART", "DTSTART;TZID=A"),
  ),
  "a zone of many changes": ics(
    "BEGIN:VTIMEZONE\nTZID:A\nBEGIN:STANDARD\nDTSTART:16010101T000000\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0000",
    `${filled("RDATE:20200101T000000\n").slice(0, 22 * 20_000)}END:STANDARD\nEND:VTIMEZONE`,
    `${event().replace("DTSTART", "DTSTART;TZID=A")}\n`.repeat(casesOf(8000)),
  ),
  "many events that cannot be read": ics(event(), filled("BEGIN:VEVENT\nEND:VEVENT\n")),
  "many zones that nobody knows": ics(
    event(),
    Array.from({ length: casesOf(60_000) }, (_, index) => event().replace("DTSTART", `DTSTART;TZID=Z${index}`)).join(
      "\n",
    ),
  ),
  "names of properties that are names of functions": ics(
    event("CONSTRUCTOR:a", "__PROTO__;__PROTO__=a:b", "SUMMARY;__proto__=a:b"),
  ),
};

describe("hours: iCalendar text that is made to take long", () => {
  for (const [name, text] of Object.entries(TEXTS)) {
    it(`${name} is read, or refused`, async () => {
      const zone = await loadZone("Europe/Berlin");
      const before = process.cpuUsage();
      try {
        const exceptions = readExceptions(text);
        assert.equal(
          typeof calendar(readSchedule({ days: OFFICE }), exceptions, zone).at(1_795_000_000_000).open,
          "boolean",
        );
      } catch (error) {
        assert.ok(error instanceof ValueError, String(error));
      }
      const { user, system } = process.cpuUsage(before);
      assert.ok(user + system < MOST_WORK, `${(user + system) / 1_000_000} s of work`);
    });
  }

  it("more than five megabytes is refused unread", () => {
    const long = `BEGIN:VCALENDAR\n${"x".repeat(LIMIT)}`;
    assert.throws(() => readExceptions(long), { key: "input.hours.icalLong" });
    assert.throws(() => readExceptions(Buffer.from(long)), { key: "input.hours.icalLong" });
  });

  it("what repeats too often is refused with its line", () => {
    for (const [length, rule] of [
      ["PT1S", OFTEN],
      ["P400D", "FREQ=YEARLY"],
    ] as const)
      assert.throws(
        () => readExceptions(ics(event(`DURATION:${length}`, `RRULE:${rule}`))),
        (error) => error instanceof ValueError && error.key === "input.hours.icalOften" && error.params["line"] === 5,
        rule,
      );
  });

  it("ten thousand yearly events are read in many turns of the event loop, to the same result", async () => {
    const text = ics(...Array.from({ length: 10_000 }, () => event("RRULE:FREQ=YEARLY")));
    let isOver = false;
    let turns = 0;
    const reading = exceptionsInSlices(text, "exceptions").finally(() => {
      isOver = true;
    });
    for (; !isOver; turns += 1) await nextTurn();
    assert.ok(turns > 3, `${turns} turns`);
    assert.deepEqual((await reading).icalendar?.events, readExceptions(text).icalendar?.events);
    const refused = { key: "input.hours.icalLine", path: "exceptions" };
    await assert.rejects(exceptionsInSlices(ics(event("RRULE:FREQ=OFTEN")), "exceptions"), refused);
  });

  /** Makes ten thousand yearly events, and counts how often any was looked at. */
  function watched(...lines: string[]) {
    const yearly = ["BEGIN:VEVENT", ...lines, "RRULE:FREQ=YEARLY", "END:VEVENT"].join("\n");
    const exceptions = readExceptions(ics(...Array.from({ length: 10_000 }, () => yearly)));
    const looks = { count: 0 };
    for (const event of exceptions.icalendar?.events ?? []) {
      const { series } = event;
      const get = () => {
        looks.count += 1;
        return series;
      };
      Object.defineProperty(event, "series", { get });
    }
    return { exceptions, looks };
  }

  for (const [what, ...lines] of [
    ["dated", "DTSTART;VALUE=DATE:20200101"],
    ["timed", "DTSTART:20200101T000000", "DURATION:PT1H"],
  ] as const) {
    it(`ten thousand ${what} yearly events are resolved in many turns, and once for all who ask`, async () => {
      const zone = await loadZone("Europe/Berlin");
      const now = Date.parse("2026-11-23T08:00Z");
      const days = readSchedule({ days: OFFICE });
      const atOnce = watched(...lines);
      const expected = calendar(days, atOnce.exceptions, zone).at(now);
      const { exceptions, looks } = watched(...lines);
      let isOver = false;
      let [most, clock] = [0, 0];
      // Each step takes a millisecond.
      mock.method(performance, "now", () => clock++);
      const ask = async () => resolvedInSlices({ exceptions, zone }, now);
      const resolving = Promise.all([ask(), ask()]).finally(() => {
        isOver = true;
      });
      for (let before = 0; !isOver; before = looks.count) {
        await nextTurn();
        most = Math.max(most, looks.count - before);
      }
      await resolving;
      mock.restoreAll();
      assert.ok(most < 1000, `${most} of ${atOnce.looks.count} looks in one turn`);
      assert.deepEqual(calendar(days, exceptions, zone).at(now), expected);
      holidaysOf(exceptions, zone, now);
      daysMarkedFree(exceptions, zone, now);
      assert.equal(looks.count, atOnce.looks.count);
    });
  }

  it("a rule looks only at the days on which it may be", () => {
    for (const [rule, most] of [
      ["FREQ=YEARLY", 3 * 3],
      ["FREQ=YEARLY;BYMONTH=3,12;BYMONTHDAY=1,-1", 3 * 9],
      ["FREQ=MONTHLY;BYMONTHDAY=31", 26 * 3],
      ["FREQ=YEARLY;BYMONTH=5;BYDAY=-1MO", 3 * 33],
    ] as const) {
      const { icalendar } = readExceptions(ics(event(`RRULE:${rule}`)));
      const [series] = icalendar?.events[0]?.series ?? [];
      assert.ok(series);
      let looks = 0;
      const [from, to] = [Date.UTC(2026, 0, 1), Date.UTC(2027, 11, 31)];
      const times = [...recurrence(series.rule, Date.UTC(2020, 0, 1), from, to, (more) => (looks += more))];
      assert.ok(times.length > 0 && looks <= most, `${rule}: ${looks} looks for ${times.length} times`);
    }
  });
});
