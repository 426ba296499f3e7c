import assert from "node:assert/strict";
import fc from "fast-check";
import { calendar } from "../../../src/hours";
import { casesOf } from "../../support/until";
import { type Row, type Special, type Wall, walk } from "./reference";
import { MINUTE, places, read, rows, specialsNear } from "./situations";

/** Runs of the comparison; fewer where host.test.ts repeats this file in other time zones. */
const RUNS = Number(process.env["HOURS_RUNS"] ?? casesOf(4000));
const SECOND = 1000;

/** A schedule, exceptions near the instant, and the instant. */
const situation = fc.tuple(places, fc.nat(MINUTE - 1)).chain(([[wall, minute], rest]) =>
  fc.record({
    wall: fc.constant(wall),
    instant: fc.constant(minute * MINUTE + rest),
    rows,
    specials: fc.oneof(fc.constant<Special[]>([]), specialsNear(minute)),
  }),
);

describe("hours: against a slow reference", () => {
  const calendarOf = (days: Row[], specials: Special[], wall: Wall) => calendar(...read(days, specials, wall.zone)).at;

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
