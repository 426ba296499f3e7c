import { strict as assert } from "node:assert";
import fc from "fast-check";
import { type DayEntry, readGivenSchedule, sameOpenings, WEEKDAYS } from "../../../src/hours";

const DAY = 24 * 60;
const WEEK = 7 * DAY;

/** A schedule's days as a tenant may give them. */
const given = (days: readonly object[]) => readGivenSchedule({ days }).days;
const same = (a: readonly object[], b: readonly object[]) => sameOpenings(given(a), given(b));
const at = (day: string, open: string, close: string) => ({ day, open, close });
const everyDay = (open: string, close: string) => WEEKDAYS.map((day) => at(day, open, close));

describe("whether two weeks have the same openings", () => {
  const EQUAL: readonly [title: string, a: readonly object[], b: readonly object[]][] = [
    ["a whole week by days", everyDay("00:00", "23:59"), everyDay("00:00", "00:00")],
    ["a whole week, shifted", everyDay("00:00", "24:00"), everyDay("08:00", "08:00")],
    ["no openings", [], []],
  ];
  for (const [title, a, b] of EQUAL)
    it(`${title} makes no difference`, () => {
      assert.ok(same(a, b));
      assert.ok(same(b, a));
    });

  const DIFFERENT: readonly [title: string, a: readonly object[], b: readonly object[]][] = [
    ["a second", [at("mon", "08:00", "12:00")], [at("mon", "08:00", "12:00:01")]],
    ["a day more", everyDay("00:00", "24:00").slice(1), everyDay("00:00", "24:00")],
    ["23:58", [at("fri", "08:00", "23:58")], [at("fri", "08:00", "24:00")]],
    ["nothing", [], [at("fri", "08:00", "24:00")]],
  ];
  for (const [title, a, b] of DIFFERENT)
    it(`${title} makes a difference`, () => {
      assert.ok(!same(a, b));
      assert.ok(!same(b, a));
    });

  /** Minutes of a week that are open, 23:59 being the end of the day. */
  type Piece = readonly [start: number, end: number];
  const clock = (minute: number) =>
    `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;

  /** Writes a piece of the week as one entry, which may end on the next day. */
  function written([start, end]: Piece, spelling: number): DayEntry {
    const day = WEEKDAYS[Math.floor(start / DAY) % 7] ?? "mon";
    const close = end % DAY;
    const isMidnight = close === 0;
    const ends = ["23:59", "23:59:59", "24:00", "24:00:00", "00:00"];
    const seconds = spelling % 2 === 0 ? ":00" : "";
    // A close at 00:00 or before the open is on the next day; so a piece of 24 hours ends at its own time.
    return {
      day,
      open: `${clock(start % DAY)}${seconds}`,
      close: isMidnight && end - start < DAY ? String(ends[spelling % ends.length]) : `${clock(close)}${seconds}`,
    };
  }

  /** Cuts a piece at random minutes; no part is longer than a day, and none ends at 23:59, which means midnight. */
  function cut([start, end]: Piece, chance: () => number): Piece[] {
    const parts: Piece[] = [];
    for (let from = start; from < end; ) {
      let to = Math.min(end, from + 1 + Math.floor(chance() * (DAY - 1)));
      if (to % DAY === DAY - 1) to = to + 1 <= end ? to + 1 : to;
      parts.push([from, Math.min(to, end)]);
      // Some of it twice.
      from = chance() < 0.3 && to < end ? Math.max(from + 1, to - 7) : to;
    }
    return parts;
  }

  const pieces = fc
    .uniqueArray(fc.integer({ min: 0, max: WEEK - 1 }), { minLength: 2, maxLength: 12 })
    .map((edges) => edges.map((edge) => (edge % DAY === DAY - 1 ? edge - 1 : edge)).sort((a, b) => a - b))
    .map((edges): Piece[] =>
      edges.flatMap((start, index) => (index % 2 === 0 ? [[start, edges[index + 1] ?? WEEK]] : [])),
    )
    .map((list) => list.filter(([start, end]) => end > start));

  function rewritten(list: readonly Piece[], seed: number): DayEntry[] {
    let state = seed || 1;
    const chance = () => {
      state = (state * 48271) % 2147483647;
      return state / 2147483647;
    };
    const entries = list
      .flatMap((piece) => cut(piece, chance))
      .map((part) => ({ order: chance(), entry: written(part, Math.floor(chance() * 100)) }));
    return entries.sort((a, b) => a.order - b.order).map(({ entry }) => entry);
  }
  const seeds = fc.integer({ min: 1, max: 1_000_000 });

  it("is true of a random week, however it is written", () => {
    fc.assert(
      fc.property(pieces, seeds, seeds, (list, a, b) => same(rewritten(list, a), rewritten(list, b))),
      { numRuns: 1000 },
    );
  });

  it("is false once a minute has changed", () => {
    fc.assert(
      fc.property(pieces, seeds, seeds, fc.nat(), (list, a, b, which) => {
        const [start, end] = list[which % Math.max(1, list.length)] ?? [0, 0];
        if (end - start < 3 || (start + 1) % DAY === DAY - 1) return true;
        const changed = list.map((piece): Piece => (piece[0] === start ? [start + 1, end] : piece));
        const touches =
          list.some((piece) => piece[1] === start) || (start === 0 && list.some((piece) => piece[1] === WEEK));
        return touches || !same(rewritten(list, a), rewritten(changed, b));
      }),
      { numRuns: 1000 },
    );
  });
});
