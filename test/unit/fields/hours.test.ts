import { deepStrictEqual, fail } from "node:assert/strict";
import { shownParams, toExceptions, toInstant, toSchedule, ValueError } from "../../../src/fields";

/** The place of a value that a reader of schedules refuses, and what a sentence shows of it. */
function refusalOf(read: () => unknown) {
  try {
    read();
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    const { field, source: _, ...params } = shownParams(error);
    return { field, params };
  }
  return fail("nothing was refused");
}

const schedule = (value: unknown) => toSchedule(value, "schedule");
const exceptions = (value: unknown) => toExceptions(value, "exceptions");
const monday = { day: "mon", open: "08:00", close: "17:00" };

describe("values that a reader of schedules refuses", () => {
  const PLACES: readonly [field: string, read: (number: unknown) => unknown][] = [
    ["notAfter", (number) => toInstant(number, "notAfter")],
    ["schedule.enabled", (number) => schedule({ enabled: number, days: [] })],
    ["schedule.days[0]", (number) => schedule({ days: [number] })],
    ["schedule.days[0].day", (number) => schedule({ days: [{ ...monday, day: number }] })],
    ["schedule.days[1].close", (number) => schedule({ days: [monday, { ...monday, close: number }] })],
    ["exceptions[0]", (number) => exceptions([number])],
    ["exceptions[0].date", (number) => exceptions([{ date: number }])],
    ["exceptions[0].hours[0].open", (number) => exceptions([{ date: "12-24", hours: [{ open: number }] }])],
  ];
  for (const [field, read] of PLACES) {
    it(`are quoted with phone numbers masked: ${field}`, () => {
      const { field: place, params } = refusalOf(() => read("+84 901 234 567"));
      deepStrictEqual([place, params], [field, { value: '"+•• ••• ••• 567"' }]);
      if (field !== "notAfter") deepStrictEqual(refusalOf(() => read(84901234567)).params, { value: "••••••••567" });
      deepStrictEqual(refusalOf(() => read(["0901234567"])).params, { value: { word: "list" } });
    });
  }

  const READABLE: readonly [given: string, read: (text: string) => unknown][] = [
    ["2026-11-21", (text) => toInstant(text, "notAfter")],
    ["2026-02-30T09:00:00+07:00", (text) => toInstant(text, "notAfter")],
    ["2026-04-31", (text) => exceptions([{ date: text }])],
    ["2026-12-24T00:00Z", (text) => exceptions([{ date: text }])],
    ["08:00:30", (text) => schedule({ days: [{ ...monday, open: text }] })],
  ];
  for (const [given, read] of READABLE)
    it(`are quoted in full if they are a date or a time: ${given}`, () =>
      deepStrictEqual(refusalOf(() => read(given)).params, { value: `"${given}"` }));

  it("are quoted with both ends of a range", () => {
    const range = { from: "2026-12-26", to: "2026-12-24" };
    deepStrictEqual(refusalOf(() => exceptions([range])).params, { from: '"2026-12-26"', to: '"2026-12-24"' });
  });

  it("are quoted on one line, shortened", () => {
    const { value } = refusalOf(() => toInstant(`soon\n\u2028${"x".repeat(100)}`, "notAfter")).params;
    deepStrictEqual(value, `"soon ${"x".repeat(54)}…`);
  });
});
