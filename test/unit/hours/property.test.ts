import assert from "node:assert/strict";
import fc from "fast-check";
import { calendar, loadZone, readExceptions, readGivenSchedule, type Zone } from "../../../src/hours";
import { type Row, type Special, Wall, walk } from "./reference";

const ZONES = [
  "UTC",
  "Asia/Ho_Chi_Minh",
  "Asia/Kolkata",
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "Pacific/Chatham",
  "America/St_Johns",
  "Africa/Casablanca",
  "America/Santiago",
  "Asia/Beirut",
  "America/Havana",
];

/** Runs of the comparison; fewer where host.test.ts repeats this file in other time zones. */
const RUNS = Number(process.env["HOURS_RUNS"] ?? 4000);

const SECOND = 1000;
const MINUTE = 60_000;
const FIRST = Date.UTC(2025, 0, 1) / MINUTE;
const LAST = Date.UTC(2028, 0, 1) / MINUTE;

const walls = ZONES.map((zone) => new Wall(zone));
const changes = new Map(walls.map((wall) => [wall, wall.changes(FIRST, LAST)]));

const two = (value: number) => String(value).padStart(2, "0");
const time = fc
  .oneof(
    { arbitrary: fc.nat(4 * 60 - 1), weight: 4 },
    { arbitrary: fc.nat(24 * 60 - 1), weight: 4 },
    { arbitrary: fc.constantFrom(0, 23 * 60 + 59, 24 * 60 - 30), weight: 2 },
  )
  .map((minutes) => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`);
/** A time as the service may give it. */
const givenTime = fc.oneof(
  { arbitrary: time, weight: 3 },
  { arbitrary: fc.tuple(time, fc.nat(59)).map(([minute, second]) => `${minute}:${two(second)}`), weight: 3 },
  { arbitrary: fc.constantFrom("23:59:59", "24:00:00", "24:00"), weight: 1 },
);
const hours = fc.record({ open: time, close: time });
const rows: fc.Arbitrary<Row[]> = fc.array(
  fc.record({
    day: fc.constantFrom("mon", "tue", "wed", "thu", "fri", "sat", "sun"),
    open: givenTime,
    close: givenTime,
  }),
  { maxLength: 12, size: "max" },
);

/** A schedule, exceptions near the instant, the instant: half of them within two days of a change of the clock. */
const situation = fc
  .constantFrom(...walls)
  .chain((wall) => {
    const anywhere = fc.integer({ min: FIRST, max: LAST });
    const near = changes.get(wall) ?? [];
    const minute =
      near.length === 0
        ? anywhere
        : fc.oneof(
            anywhere,
            fc.tuple(fc.constantFrom(...near), fc.integer({ min: -2880, max: 2880 })).map(([at, off]) => at + off),
          );
    return fc.tuple(fc.constant(wall), minute, fc.nat(MINUTE - 1));
  })
  .chain(([wall, minute, rest]) =>
    fc.record({
      wall: fc.constant(wall),
      instant: fc.constant(minute * MINUTE + rest),
      rows,
      specials: fc.oneof(fc.constant<Special[]>([]), specialsNear(minute)),
    }),
  );

function specialsNear(minute: number): fc.Arbitrary<Special[]> {
  const dates = (from: number, to: number) =>
    fc
      .integer({ min: from, max: to })
      .map((days) => new Date((minute + days * 1440) * MINUTE).toISOString().slice(0, 10));
  const ends = fc.tuple(dates(-3, 0), dates(0, 3));
  const own = fc.option(fc.array(hours, { maxLength: 3 }), { nil: undefined });
  const span = fc.oneof(
    dates(-2, 2).map((date) => ({ date })),
    dates(-2, 2).map((date) => ({ date: date.slice(5) })),
    ends.map(([from, to]) => ({ from, to })),
    ends.map(([from, to]) => ({ from: from.slice(5), to: to.slice(5) })),
  );
  return fc.array(
    fc.tuple(span, own).map(([when, times]) => (times ? { ...when, hours: times } : when)),
    { maxLength: 4 },
  );
}

describe("hours: against a slow reference", () => {
  const zones = new Map<string, Zone>();
  before(async () => {
    for (const name of ZONES) zones.set(name, await loadZone(name));
  });

  const calendarOf = (days: Row[], specials: Special[], { zone: name }: Wall) => {
    const zone = zones.get(name);
    assert.ok(zone);
    return calendar(readGivenSchedule({ days }), readExceptions(specials), zone);
  };

  it(`agrees ${RUNS} times on open or closed and the reason`, () => {
    fc.assert(
      fc.property(situation, ({ wall, instant, rows: days, specials }) => {
        const { open, reason } = calendarOf(days, specials, wall)(instant);
        const expected = walk(days, specials, wall, Math.floor(instant / SECOND), 1);
        assert.equal(open, expected.open[0] === 1);
        assert.equal(reason, expected.special ? "exception" : open ? "hours" : "outside");
      }),
      { numRuns: RUNS },
    );
  });

  it("agrees on when it closes and opens within ten days", () => {
    fc.assert(
      fc.property(situation, ({ wall, instant, rows: days, specials }) => {
        const verdict = calendarOf(days, specials, wall)(instant);
        const from = Math.floor(instant / SECOND);
        const { open } = walk(days, specials, wall, from, 10 * 86_400);
        const [now, then] = verdict.open ? [1, 0] : [0, 1];
        const first = open.indexOf(then);
        const second = first < 0 ? -1 : open.indexOf(now, first);
        const [opens, closes] = verdict.open ? [second, first] : [first, second];
        const found = (text: string | null, index: number) => {
          const at = text === null ? Number.POSITIVE_INFINITY : Date.parse(text) / SECOND;
          if (index < 0) assert.ok(at >= from + open.length);
          else assert.equal(at, from + index);
        };
        found(verdict.opensAt, opens);
        found(verdict.closesAt, closes);
        assert.equal(verdict.opensIn, verdict.opensAt === null ? null : Date.parse(verdict.opensAt) - instant);
      }),
      { numRuns: RUNS / 20 },
    );
  });

  it("a cached verdict is the same as a new one and holds until validUntil", () => {
    const offsets = fc.array(fc.integer({ min: -3 * 1440 * MINUTE, max: 3 * 1440 * MINUTE }), { minLength: 2 });
    fc.assert(
      fc.property(situation, offsets, ({ wall, instant, rows: days, specials }, later) => {
        const cached = calendarOf(days, specials, wall);
        for (const offset of later) {
          const at = instant + offset;
          const verdict = cached(at);
          assert.deepEqual(verdict, { ...calendarOf(days, specials, wall)(at), validUntil: verdict.validUntil });
          assert.ok(verdict.validUntil !== null && verdict.validUntil > at);
          const { opensIn: _, ...last } = calendarOf(days, specials, wall)(verdict.validUntil - 1);
          assert.deepEqual({ ...last, opensIn: verdict.opensIn }, verdict);
        }
      }),
      { numRuns: RUNS / 10 },
    );
  });
});
