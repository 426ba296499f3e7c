import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { calendar, readExceptions, readGivenSchedule } from "../../../src/hours";
import { casesOf } from "../../support/until";
import { ALWAYS, OFFICE } from "./cases";
import { type Row, type Special, type Wall, walk } from "./reference";
import { FIRST, LAST, MINUTE, places, read, rows, specialsNear } from "./situations";

const RUNS = Number(process.env["HOURS_RUNS"] ?? casesOf(1500));
const DAY = 1440;
const offset = fc.oneof(fc.constant(0), fc.constantFrom(-15, 15, -DAY, DAY), fc.integer({ min: -DAY, max: DAY }));

/** A range of up to five days. */
const range = places.chain(([wall, minute]) =>
  fc.record({
    wall: fc.constant(wall),
    from: fc.constant(minute - 2 * DAY),
    length: fc.integer({ min: 1, max: 5 * DAY }),
  }),
);

/** The edges of a walk over every minute, which knows nothing of spans. */
function walked(days: Row[], specials: Special[], wall: Wall, from: number, minutes: number) {
  // One second more on each side: an edge is where a second differs from the one before it.
  const { open } = walk(days, specials, wall, from * 60 - 1, minutes * 60 + 2);
  const found: { opens: boolean; at: number }[] = [];
  const next = (second: number) => open.indexOf(1 - (open[second] ?? 0), second);
  for (let second = next(0); second > 0; second = next(second))
    found.push({ opens: open[second] === 1, at: (from * 60 - 1 + second) * 1000 });
  return found;
}

const inOrder = (list: { opens: boolean; at: number }[]) =>
  list.sort((a, b) => a.at - b.at || Number(a.opens) - Number(b.opens));

describe("hours: edges against a walk over each second", () => {
  const edgesOf = (days: object[], specials: object[], zone: string, opening = 0, closing = 0) => {
    const { edges } = calendar(...read(days, specials, zone));
    const offsets = { opening: opening * MINUTE, closing: closing * MINUTE };
    return (after: number, until: number) => edges(after, until, offsets);
  };

  it(`finds each edge once and no other, ${RUNS} times`, () => {
    const situation = range.chain((given) => {
      const specials = specialsNear(given.from + 2 * DAY);
      return fc.record({ given: fc.constant(given), days: rows, specials, opening: offset, closing: offset });
    });
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
      { numRuns: casesOf(300) },
    );
  });

  it("finds an edge at the very instant that the range ends with, and not at the one that it begins after", () => {
    const find = edgesOf(OFFICE, [], "UTC");
    const [opens = 0, closes = 0] = ["2026-11-23T08:00Z", "2026-11-23T17:00Z"].map(Date.parse);
    for (const at of [opens, closes]) {
      deepStrictEqual(find(at - 1, at), [{ opens: at === opens, at }]);
      deepStrictEqual([...find(at - 1, at - 1), ...find(at, at + 1)], []);
    }
  });

  it("finds none in a schedule that never closes, never opens or is disabled", () => {
    for (const schedule of [{ days: ALWAYS }, { days: [] }, { days: OFFICE, enabled: false }]) {
      const [, exceptions, zone] = read([], [], "UTC");
      const find = calendar(readGivenSchedule(schedule), exceptions, zone).edges;
      deepStrictEqual(find(FIRST * MINUTE, LAST * MINUTE), []);
    }
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
    const [schedule, , zone] = read(OFFICE, [], "Asia/Ho_Chi_Minh");
    const find = calendar(schedule, readExceptions(text), zone).edges;
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
