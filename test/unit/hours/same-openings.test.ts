import { strict as assert } from "node:assert";
import { readGivenSchedule, sameOpenings, WEEKDAYS } from "../../../src/hours";

/** A schedule's days as a tenant may give them. */
const given = (days: readonly object[]) => readGivenSchedule({ days }).days;
const same = (a: readonly object[], b: readonly object[]) => sameOpenings(given(a), given(b));
const at = (day: string, open: string, close: string) => ({ day, open, close });
const everyDay = (open: string, close: string) => WEEKDAYS.map((day) => at(day, open, close));

type Pair = readonly [title: string, a: readonly object[], b: readonly object[]];

describe("whether two weeks have the same openings", () => {
  const [morning, evening] = [at("mon", "08:00", "12:00"), at("tue", "18:00", "22:00")];
  const EQUAL: readonly Pair[] = [
    ["a whole week by days", everyDay("00:00", "23:59"), everyDay("00:00", "00:00")],
    ["a whole week, shifted", everyDay("00:00", "24:00"), everyDay("08:00", "08:00")],
    ["no openings", [], []],
    ["the order", [morning, evening], [evening, morning]],
    ["a split", [morning], [at("mon", "10:00", "12:00"), at("mon", "08:00:00", "10:00")]],
    ["what is there twice", [morning], [at("mon", "08:00", "11:00"), at("mon", "09:00", "12:00"), morning]],
    ["midnight", [at("fri", "22:00", "02:00")], [at("fri", "22:00", "24:00"), at("sat", "00:00", "02:00")]],
    ["the end of the week", [at("sun", "22:00", "02:00")], [at("sun", "22:00", "00:00"), at("mon", "00:00", "02:00")]],
    ["24 hours", [at("sun", "08:00", "08:00")], [at("mon", "00:00", "08:00"), at("sun", "08:00", "23:59")]],
    ["an opening at 24:00", [at("sun", "24:00", "02:00")], [at("mon", "00:00", "02:00")]],
    ...["23:59", "23:59:59", "24:00:00", "00:00:00"].map(
      (close): Pair => [`a close at ${close}`, [at("wed", "08:00", "24:00")], [at("wed", "08:00", close)]],
    ),
  ];
  for (const [title, a, b] of EQUAL)
    it(`${title} makes no difference`, () => {
      assert.ok(same(a, b));
      assert.ok(same(b, a));
    });

  const DIFFERENT: readonly Pair[] = [
    ["a second", [morning], [at("mon", "08:00", "12:00:01")]],
    ["a minute", [at("sun", "22:00", "02:00")], [at("sun", "22:00", "02:01")]],
    ["a day", [morning], [{ ...morning, day: "tue" }]],
    ["a pause", [morning], [at("mon", "08:00", "10:00"), at("mon", "10:01", "12:00")]],
    ["a day more", everyDay("00:00", "24:00").slice(1), everyDay("00:00", "24:00")],
    ["23:58", [at("fri", "08:00", "23:58")], [at("fri", "08:00", "24:00")]],
    ["nothing", [], [at("fri", "08:00", "24:00")]],
  ];
  for (const [title, a, b] of DIFFERENT)
    it(`${title} makes a difference`, () => {
      assert.ok(!same(a, b));
      assert.ok(!same(b, a));
    });
});
