import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { loadZone, type Zone } from "../../../src/hours";
import { readICalendar, resolver } from "../../../src/hours/icalendar";
import { root } from "../../support/root";
import { type NaiveRule, naiveDays, ruleText, textOf } from "./naive-rule";

/** Runs of the comparison; fewer where host.test.ts repeats this folder in other time zones. */
const RUNS = process.env["HOURS_RUNS"] ? 30 : 600;
const DAY = 86_400_000;

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const some = <T>(arbitrary: fc.Arbitrary<T>, maxLength = 4) => fc.uniqueArray(arbitrary, { minLength: 1, maxLength });
const weekday = fc.constantFrom("MO", "TU", "WE", "TH", "FR", "SA", "SU");
const either = (last: number) =>
  fc.oneof(
    fc.integer({ min: 1, max: last }),
    fc.integer({ min: 1, max: last }).map((number) => -number),
  );
const nth = (last: number) =>
  fc.oneof(
    weekday,
    fc.tuple(either(last), weekday).map(([number, day]) => `${number}${day}`),
  );
const month = fc.integer({ min: 1, max: 12 });

const common = {
  INTERVAL: maybe(fc.integer({ min: 1, max: 5 })),
  COUNT: maybe(fc.integer({ min: 1, max: 40 })),
  UNTIL: maybe(fc.constantFrom("20240301", "20250630", "20261231", "20280101")),
  WKST: maybe(weekday),
  BYMONTH: maybe(some(month)),
};
const position = maybe(some(either(4), 2));
const rules: fc.Arbitrary<NaiveRule> = fc.oneof(
  fc.record({
    FREQ: fc.constant("DAILY" as const),
    ...common,
    BYDAY: maybe(some(weekday)),
    BYMONTHDAY: maybe(some(either(31))),
  }),
  fc.record({ FREQ: fc.constant("WEEKLY" as const), ...common, BYDAY: maybe(some(weekday)), BYSETPOS: position }),
  fc.record({
    FREQ: fc.constant("MONTHLY" as const),
    ...common,
    BYDAY: maybe(some(nth(5))),
    BYMONTHDAY: maybe(some(either(31))),
    BYSETPOS: position,
  }),
  fc.record({
    FREQ: fc.constant("YEARLY" as const),
    ...common,
    BYDAY: maybe(some(nth(20))),
    BYMONTHDAY: maybe(some(either(31))),
    BYSETPOS: position,
  }),
);

/** Rules that calendars have. Of others, dateutil has its own reading. */
const { INTERVAL, UNTIL } = common;
const plainRules: fc.Arbitrary<NaiveRule> = fc.oneof(
  fc.record({ FREQ: fc.constant("DAILY" as const), INTERVAL, UNTIL }),
  fc.record({ FREQ: fc.constant("WEEKLY" as const), INTERVAL, UNTIL, BYDAY: some(weekday) }),
  fc.record({ FREQ: fc.constant("MONTHLY" as const), INTERVAL, UNTIL, BYMONTHDAY: some(either(28)) }),
  fc.record({ FREQ: fc.constant("MONTHLY" as const), INTERVAL, UNTIL, BYDAY: some(fc.constantFrom("1MO", "-1FR"), 1) }),
  fc.record({ FREQ: fc.constant("YEARLY" as const), INTERVAL, UNTIL }),
  fc.record({
    FREQ: fc.constant("YEARLY" as const),
    INTERVAL,
    UNTIL,
    BYMONTH: some(month),
    BYDAY: some(fc.constantFrom("2TU", "-1SU"), 1),
  }),
);

describe("hours: recurrence rules against a slow reading of RFC 5545", () => {
  let utc: Zone;
  before(async () => {
    utc = await loadZone("UTC");
  });

  it(`agree ${RUNS} times on every day of a year, near the start and later`, () => {
    const first = Date.UTC(2024, 0, 1);
    fc.assert(
      fc.property(rules, fc.nat(366), fc.nat(1500), (rule, startDay, later) => {
        const start = textOf(new Date(first + startDay * DAY));
        const from = first + later * DAY;
        const to = from + 366 * DAY;
        const lines = [`DTSTART;VALUE=DATE:${start}`, `RRULE:${ruleText(rule)}`];
        const text = ["BEGIN:VCALENDAR", "BEGIN:VEVENT", ...lines, "END:VEVENT", "END:VCALENDAR"].join("\n");
        const closed = [...resolver(readICalendar(text), utc).at(from).days.keys()].map((day) => day * DAY);
        const found = closed.filter((day) => day >= from && day <= to).map((day) => textOf(new Date(day)));
        const expected = [...naiveDays(rule, start, textOf(new Date(to)))].filter(
          (day) => day >= textOf(new Date(from)),
        );
        assert.deepEqual(found.sort(), expected.sort(), lines.join(" "));
      }),
      { numRuns: RUNS },
    );
  });

  it("agree with python-dateutil on the days of events of one to five days, where it is installed", function () {
    const probe = spawnSync("python3", ["-c", "import dateutil"]);
    if (probe.status !== 0) this.skip();
    const arbitrary = fc.record({
      rule: plainRules,
      startDay: fc.nat(366),
      later: fc.nat(1500),
      days: fc.integer({ min: 1, max: 5 }),
    });
    const samples = fc.sample(arbitrary, { numRuns: 100, seed: 5545 }).map(({ rule, startDay, later, days }) => {
      const start = Date.UTC(2024, 0, 1) + startDay * DAY;
      const from = Date.UTC(2024, 0, 1) + later * DAY;
      const texts = [start, start + days * DAY, from, from + 366 * DAY].map((time) => textOf(new Date(time)));
      return { rule: ruleText(rule), days, texts };
    });
    const { stdout, stderr } = spawnSync("python3", [join(root, "test/unit/hours/closed-days.py")], {
      input: JSON.stringify(samples),
      encoding: "utf8",
    });
    assert.equal(stderr, "");
    const expected = JSON.parse(stdout) as string[][];
    for (const [index, { rule, texts }] of samples.entries()) {
      const [start = "", end = "", first = "", last = ""] = texts;
      const lines = [`DTSTART;VALUE=DATE:${start}`, `DTEND;VALUE=DATE:${end}`, `RRULE:${rule}`];
      const text = ["BEGIN:VCALENDAR", "BEGIN:VEVENT", ...lines, "END:VEVENT", "END:VCALENDAR"].join("\n");
      const instant = Date.parse(first.replace(/(....)(..)(..)/, "$1-$2-$3"));
      const closed = [...resolver(readICalendar(text), utc).at(instant).days.keys()].map((day) =>
        textOf(new Date(day * DAY)),
      );
      assert.deepEqual(closed.filter((day) => day >= first && day <= last).sort(), expected[index], lines.join(" "));
    }
  });
});
