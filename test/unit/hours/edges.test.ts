import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { edges, loadZone, readExceptions, readGivenSchedule, type Zone } from "../../../src/hours";
import { ALWAYS, OFFICE } from "./cases";
import { type Row, type Special, Wall, walk } from "./reference";

/** Zones of row 25 of docs/faults.md, and others whose clocks change by odd amounts, at midnight, or for a month of fasting. */
const ZONES = [
  "UTC",
  "Asia/Ho_Chi_Minh",
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "Pacific/Chatham",
  "Africa/Casablanca",
  "America/Santiago",
  "Asia/Beirut",
  "America/Havana",
];
const RUNS = Number(process.env["HOURS_RUNS"] ?? 1500);
const MINUTE = 60_000;
const DAY = 1440;
const FIRST = Date.UTC(2026, 0, 1) / MINUTE;
const LAST = Date.UTC(2028, 0, 1) / MINUTE;

const two = (value: number) => String(value).padStart(2, "0");
const text = (minutes: number) => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
const time = fc.oneof(fc.nat(4 * 60 - 1), fc.nat(DAY - 1), fc.constantFrom(0, DAY - 1, DAY - 30)).map(text);
const day = fc.constantFrom("mon", "tue", "wed", "thu", "fri", "sat", "sun");
const rows: fc.Arbitrary<Row[]> = fc.array(fc.record({ day, open: time, close: time }), { maxLength: 10, size: "max" });
const offset = fc.oneof(fc.constant(0), fc.constantFrom(-15, 15, -DAY, DAY), fc.integer({ min: -DAY, max: DAY }));

const walls = ZONES.map((zone) => new Wall(zone));
const changes = new Map(walls.map((wall) => [wall, wall.changes(FIRST, LAST)]));

/** A range of up to five days, half of them around a change of the clock. */
const range = fc.constantFrom(...walls).chain((wall) => {
  const anywhere = fc.integer({ min: FIRST, max: LAST });
  const near = (changes.get(wall) ?? []).map((at) => at - 2 * DAY);
  const from = near.length === 0 ? anywhere : fc.oneof(anywhere, fc.constantFrom(...near));
  return fc.record({ wall: fc.constant(wall), from, length: fc.integer({ min: 1, max: 5 * DAY }) });
});

const specialsAround = (minute: number): fc.Arbitrary<Special[]> => {
  const date = fc
    .integer({ min: -3, max: 7 })
    .map((days) => new Date((minute + days * DAY) * MINUTE).toISOString().slice(0, 10));
  const own = fc.option(fc.array(fc.record({ open: time, close: time }), { maxLength: 2 }), { nil: undefined });
  return fc.array(
    fc.tuple(date, own).map(([when, times]) => (times ? { date: when, hours: times } : { date: when })),
    { maxLength: 3 },
  );
};

/** The edges of a walk over every minute, which knows nothing of spans. */
function walked(days: Row[], specials: Special[], wall: Wall, from: number, minutes: number) {
  // One second more on each side: an edge is where a second differs from the one before it.
  const { open } = walk(days, specials, wall, from * 60 - 1, minutes * 60 + 2);
  const found: { opens: boolean; at: number }[] = [];
  for (let second = 1; second < open.length; second += 1)
    if (open[second] !== open[second - 1])
      found.push({ opens: open[second] === 1, at: (from * 60 - 1 + second) * 1000 });
  return found;
}

const inOrder = (list: { opens: boolean; at: number }[]) =>
  list.sort((a, b) => a.at - b.at || Number(a.opens) - Number(b.opens));

describe("hours: edges against a walk over each second", () => {
  const zones = new Map<string, Zone>();
  before(async () => {
    for (const name of ZONES) zones.set(name, await loadZone(name));
  });

  const edgesOf = (days: object[], specials: object[], zone: string, opening = 0, closing = 0) =>
    edges(readGivenSchedule({ days }), readExceptions(specials), zones.get(zone) as Zone, {
      opening: opening * MINUTE,
      closing: closing * MINUTE,
    });

  it(`finds each edge once and no other, ${RUNS} times`, () => {
    const situation = range.chain((given) =>
      fc.record({
        given: fc.constant(given),
        days: rows,
        specials: specialsAround(given.from),
        opening: offset,
        closing: offset,
      }),
    );
    fc.assert(
      fc.property(situation, ({ given: { wall, from, length }, days, specials, opening, closing }) => {
        const [after, until] = [from * MINUTE, (from + length) * MINUTE];
        const found = edgesOf(days, specials, wall.zone, opening, closing)(after, until);
        const all = walked(days, specials, wall, from - DAY - 1, length + 2 * DAY + 2);
        const moved = all.map(({ opens, at }) => ({ opens, at: at + (opens ? opening : closing) * MINUTE }));
        deepStrictEqual(found, inOrder(moved.filter(({ at }) => at > after && at <= until)));
      }),
      { numRuns: RUNS },
    );
  });

  it("finds the same edges in one range and in its parts, however it is cut", () => {
    const cut = fc.array(fc.nat(3 * DAY * 60), { maxLength: 20 });
    fc.assert(
      fc.property(range, rows, offset, offset, cut, ({ wall, from }, days, opening, closing, seconds) => {
        const find = edgesOf(days, [], wall.zone, opening, closing);
        const ends = [0, ...seconds, 3 * DAY * 60].sort((a, b) => a - b).map((each) => from * MINUTE + each * 1000);
        const parts = ends.slice(1).flatMap((until, index) => find(ends[index] ?? until, until));
        deepStrictEqual(parts, find(from * MINUTE, (from + 3 * DAY) * MINUTE));
      }),
      { numRuns: 300 },
    );
  });

  it("finds none in a schedule that never closes, never opens or is disabled", () => {
    const given = { opening: 0, closing: 0 };
    for (const schedule of [{ days: ALWAYS }, { days: [] }, { days: OFFICE, enabled: false }])
      deepStrictEqual(
        edges(
          readGivenSchedule(schedule),
          readExceptions([]),
          zones.get("UTC") as Zone,
          given,
        )(FIRST * MINUTE, LAST * MINUTE),
        [],
      );
  });

  it("follows the events of an iCalendar text, recurring ones too", () => {
    const event = (...lines: string[]) => ["BEGIN:VEVENT", ...lines, "END:VEVENT"].join("\r\n");
    const text = [
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:test",
      event("DTSTART:20260105T120000", "DTEND:20260105T130000", "RRULE:FREQ=WEEKLY;BYDAY=MO"),
      event("DTSTART;VALUE=DATE:20251124", "RRULE:FREQ=YEARLY"),
      "END:VCALENDAR",
    ].join("\r\n");
    const find = edges(
      readGivenSchedule({ days: OFFICE }),
      readExceptions(text),
      zones.get("Asia/Ho_Chi_Minh") as Zone,
      {
        opening: 0,
        closing: 0,
      },
    );
    const [from, to] = ["2026-11-23T00:00+07:00", "2026-11-25T12:00+07:00"].map(Date.parse);
    deepStrictEqual(
      find(from ?? 0, to ?? 0).map(
        ({ opens, at }) => `${opens} ${new Date(at + 7 * 60 * MINUTE).toISOString().slice(0, 16)}`,
      ),
      [
        "true 2026-11-23T08:00",
        "false 2026-11-23T12:00",
        "true 2026-11-23T13:00",
        "false 2026-11-23T17:00",
        "true 2026-11-25T08:00",
      ],
    );
  });
});
