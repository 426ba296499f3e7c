import assert from "node:assert/strict";
import { daysMarkedFree, holidaysOf, isEmpty, loadZone, readExceptions, type Zone } from "../../../src/hours";

const NOW = Date.parse("2026-11-23T10:00:00+07:00");

function ics(...events: string[][]): string {
  const lines = events.flatMap((event) => ["BEGIN:VEVENT", ...event, "END:VEVENT"]);
  return ["BEGIN:VCALENDAR", ...lines, "END:VCALENDAR"].join("\n");
}

const NEW_YEAR = ["DTSTART;VALUE=DATE:20270101", "SUMMARY:New Year", "TRANSP:TRANSPARENT"];
const CHRISTMAS = ["DTSTART;VALUE=DATE:20201225", "RRULE:FREQ=YEARLY", "SUMMARY:Christmas"];
const DRILL = ["DTSTART:20261130T090000Z", "DURATION:PT1H", "SUMMARY:Fire drill"];

describe("hours: what there is of holidays", () => {
  let zone: Zone;
  before(async () => {
    zone = await loadZone("Asia/Ho_Chi_Minh");
  });
  const next = (value: unknown) => {
    const { count, next } = holidaysOf(readExceptions(value), zone, NOW);
    return [count, next?.date, next?.name];
  };

  it("counts them, and names the next one", () => {
    assert.deepEqual(next([{ date: "2026-11-22" }, { date: "12-25", name: "Christmas" }]), [
      2,
      "2026-12-25",
      "Christmas",
    ]);
    assert.deepEqual(next([{ from: "2026-11-20", to: "2026-11-25", name: "Now" }]), [1, "2026-11-23", "Now"]);
    assert.deepEqual(next([{ date: "2030-02-03", name: "Tết" }]), [1, "2030-02-03", "Tết"]);
    assert.deepEqual(next([{ date: "2020-02-03" }]), [1, undefined, undefined]);
    assert.deepEqual(next(ics(NEW_YEAR, CHRISTMAS, DRILL)), [2, "2026-12-25", "Christmas"]);
    assert.deepEqual(next(ics(NEW_YEAR)), [1, "2027-01-01", "New Year"]);
    assert.deepEqual(next(ics(DRILL)), [1, "2026-11-30", "Fire drill"]);
  });

  it("knows a list, and a calendar, that has none", () => {
    for (const nothing of ["", undefined, [], "[]", ics(), ics([...NEW_YEAR, "STATUS:CANCELLED"])])
      assert.equal(isEmpty(readExceptions(nothing)), true, String(nothing));
    for (const some of [[{ date: "12-25" }], ics(NEW_YEAR), ics(DRILL)])
      assert.equal(isEmpty(readExceptions(some)), false, String(some));
  });

  it("knows the last event of a calendar that has none for the next 366 days, and what it cannot read", () => {
    const last = (...events: string[][]) => holidaysOf(readExceptions(ics(...events)), zone, NOW).last;
    const past = ["DTSTART;VALUE=DATE:20251225"];
    assert.equal(last(["DTSTART;VALUE=DATE:20200101"], past, ["DTSTART:20240101"]), "2025-12-25");
    assert.equal(last(["DTSTART:20201225", "RRULE:FREQ=YEARLY;UNTIL=20251231"]), "2025-12-25");
    assert.equal(last(["DTSTART:20201225", "RRULE:FREQ=DAILY;UNTIL=20251231T165959Z"]), "2025-12-31");
    assert.equal(last(["DTSTART:20201225", "RRULE:FREQ=YEARLY;COUNT=5", "RDATE:20250101"]), "2025-01-01");
    assert.equal(last(["DTSTART;VALUE=DATE:20271125"]), "2027-11-25");
    assert.equal(last(["DTSTART:20271124T020000Z", "DURATION:PT1H"]), null);
    assert.equal(last(past, NEW_YEAR), null);
    assert.equal(last(), null);
    const partly = readExceptions(ics(past, ["DTSTART:20271399"]));
    assert.deepEqual([holidaysOf(partly, zone, NOW).leftOut, isEmpty(partly)], [1, false]);
  });

  it("names the days to come that only events close which are marked as free", () => {
    const days = (value: unknown) => daysMarkedFree(readExceptions(value), zone, NOW);
    const past = ["DTSTART;VALUE=DATE:20261101", "TRANSP:TRANSPARENT"];
    assert.deepEqual(days(ics(past, NEW_YEAR, CHRISTMAS)), [{ date: "2027-01-01", name: "New Year" }]);
    assert.deepEqual(days(ics(NEW_YEAR, [...CHRISTMAS.with(0, "DTSTART;VALUE=DATE:20210101")])), []);
    assert.deepEqual(days([{ date: "2027-01-01" }]), []);
  });
});
