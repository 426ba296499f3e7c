import assert from "node:assert/strict";
import fc from "fast-check";
import { loadZone, readExceptions, type Zone } from "../../../../src/hours";
import { casesOf } from "../../../support/until";
import { dateOf, type NaiveRule, naiveDays, ruleText, textOf } from "./naive-rule";

/** Runs of the comparison; fewer where host.test.ts repeats this folder in other time zones. */
const RUNS = process.env["HOURS_RUNS"] ? 30 : casesOf(600);
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

describe("hours: recurrence rules against a slow reading of RFC 5545", () => {
  let utc: Zone;
  before(async () => {
    utc = await loadZone("UTC");
  });

  it(`agree ${RUNS} times on every day of a year, near the start and later, for events of one to five days`, () => {
    const first = Date.UTC(2024, 0, 1);
    fc.assert(
      fc.property(rules, fc.nat(366), fc.nat(1500), fc.integer({ min: 1, max: 5 }), (rule, startDay, later, days) => {
        const [start = "", end] = [startDay, startDay + days].map((day) => textOf(new Date(first + day * DAY)));
        const from = first + later * DAY;
        const to = from + 366 * DAY;
        const lines = [`DTSTART;VALUE=DATE:${start}`, `DTEND;VALUE=DATE:${end}`, `RRULE:${ruleText(rule)}`];
        const text = ["BEGIN:VCALENDAR", "BEGIN:VEVENT", ...lines, "END:VEVENT", "END:VCALENDAR"].join("\n");
        const { days: closedDays = [] } = readExceptions(text).icalendar?.resolverIn(utc).at(from) ?? {};
        const closed = closedDays.map(({ day }) => day * DAY);
        const found = closed.filter((day) => day >= from && day <= to).map((day) => textOf(new Date(day)));
        const expected = new Set<string>();
        for (const day of naiveDays(rule, start, textOf(new Date(to))))
          for (let more = 0; more < days; more += 1) expected.add(textOf(new Date(dateOf(day).getTime() + more * DAY)));
        const within = [...expected].filter((day) => day >= textOf(new Date(from)) && day <= textOf(new Date(to)));
        assert.deepEqual(found.sort(), within.sort(), lines.join(" "));
      }),
      { numRuns: RUNS },
    );
  });
});
