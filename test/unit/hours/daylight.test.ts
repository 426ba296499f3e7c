import assert from "node:assert/strict";
import { calendar, loadZone, readExceptions, readSchedule } from "../../../src/hours";

const MINUTE = 60_000;

/** A row: weekday, open, close, and when that opens and closes in UTC; null if it is dropped. */
type Row = [day: string, open: string, close: string, start: string | null, end: string | null];

async function calendarIn(zone: string, days: unknown, exceptions: unknown = []) {
  return calendar(readSchedule({ days }), readExceptions(exceptions), await loadZone(zone)).at;
}

function rows(zone: string, change: string, table: Row[]) {
  describe(`hours: ${zone}, ${change}`, () => {
    for (const [day, open, close, start, end] of table) {
      const name = `${day} ${open}-${close}`;
      if (start === null || end === null) {
        it(`${name} does not happen`, async () => {
          const verdictAt = await calendarIn(zone, [{ day, open, close }]);
          const changed = Date.parse(change);
          const next = verdictAt(changed - 180 * MINUTE).opensAt ?? "";
          assert.equal(Math.round((Date.parse(next) - changed) / (24 * 60 * MINUTE)), 7, next);
          for (let minute = -180; minute <= 180; minute++) {
            assert.equal(verdictAt(changed + minute * MINUTE).open, false, `${minute} minutes after the change`);
          }
        });
        continue;
      }
      it(`${name} is ${start} to ${end}`, async () => {
        const [from, until] = [Date.parse(start), Date.parse(end)];
        const verdictAt = await calendarIn(zone, [{ day, open, close }]);
        for (let at = from - 180 * MINUTE; at < until + 180 * MINUTE; at += MINUTE) {
          assert.equal(verdictAt(at).open, from <= at && at < until, new Date(at).toISOString());
        }
        assert.equal(verdictAt(from - 1).open, false);
        assert.equal(verdictAt(until - 1).open, true);
        assert.equal(Date.parse(verdictAt(from - 1).opensAt ?? ""), from);
        assert.equal(Date.parse(verdictAt(from - 1).closesAt ?? ""), until);
        assert.equal(Date.parse(verdictAt(from).closesAt ?? ""), until);
      });
    }
  });
}

// 02:00 to 03:00 do not exist.
rows("Europe/Berlin", "2026-03-29T01:00Z", [
  ["sun", "02:30", "04:00", "2026-03-29T01:30Z", "2026-03-29T02:00Z"],
  ["sun", "01:00", "02:30", "2026-03-29T00:00Z", "2026-03-29T01:30Z"],
  ["sun", "01:59", "03:00", "2026-03-29T00:59Z", "2026-03-29T01:00Z"],
  ["sun", "02:30", "03:15", null, null],
  ["sun", "02:00", "03:00", null, null],
  ["sat", "22:00", "02:30", "2026-03-28T21:00Z", "2026-03-29T01:30Z"],
  ["sat", "02:30", "02:30", "2026-03-28T01:30Z", "2026-03-29T01:30Z"],
  ["sun", "02:30", "02:30", "2026-03-29T01:30Z", "2026-03-30T00:30Z"],
]);

// 02:00 to 03:00 exist twice.
rows("Europe/Berlin", "2026-10-25T01:00Z", [
  ["sun", "02:30", "04:00", "2026-10-25T00:30Z", "2026-10-25T03:00Z"],
  ["sun", "01:00", "02:30", "2026-10-24T23:00Z", "2026-10-25T00:30Z"],
  ["sun", "02:30", "03:00", "2026-10-25T00:30Z", "2026-10-25T02:00Z"],
  ["sun", "01:00", "03:00", "2026-10-24T23:00Z", "2026-10-25T02:00Z"],
  ["sat", "22:00", "02:30", "2026-10-24T20:00Z", "2026-10-25T00:30Z"],
  ["sun", "02:00", "02:00", "2026-10-25T00:00Z", "2026-10-26T01:00Z"],
]);

// 01:30 to 02:00 exist twice: clocks on Lord Howe are put back by half an hour.
rows("Australia/Lord_Howe", "2026-04-04T15:00Z", [
  ["sun", "01:45", "03:00", "2026-04-04T14:45Z", "2026-04-04T16:30Z"],
  ["sun", "01:30", "02:00", "2026-04-04T14:30Z", "2026-04-04T15:30Z"],
]);

// 02:00 to 02:30 do not exist.
rows("Australia/Lord_Howe", "2026-10-03T15:30Z", [
  ["sun", "02:15", "04:00", "2026-10-03T15:45Z", "2026-10-03T17:00Z"],
  ["sun", "02:15", "02:45", null, null],
  ["sun", "02:15", "02:46", "2026-10-03T15:45Z", "2026-10-03T15:46Z"],
]);

// Midnight does not exist: clocks skip 00:00 to 01:00.
rows("America/Havana", "2026-03-08T05:00Z", [
  ["sat", "20:00", "23:59", "2026-03-08T01:00Z", "2026-03-08T05:00Z"],
  ["sun", "00:30", "02:00", "2026-03-08T05:30Z", "2026-03-08T06:00Z"],
]);

// Clocks are put back from 00:01 to 23:01, so the previous day comes again.
rows("America/St_Johns", "2010-11-07T02:31Z", [
  ["sat", "22:00", "23:30", "2010-11-07T00:30Z", "2010-11-07T02:00Z"],
  ["sun", "00:00", "01:00", "2010-11-07T02:30Z", "2010-11-07T04:30Z"],
]);

// Clocks are put forward from 23:30 to 00:30: the second midnight after that Saturday does not exist.
rows("America/Toronto", "1919-03-31T04:30Z", [
  ["sat", "23:59", "23:59", "1919-03-30T04:59Z", "1919-03-31T05:00Z"],
  ["mon", "00:15", "02:00", "1919-03-31T05:15Z", "1919-03-31T06:00Z"],
]);

// Samoa had no 2011-12-30: its hours move forward by a day.
rows("Pacific/Apia", "2011-12-30T10:00Z", [["fri", "09:00", "12:00", "2011-12-30T19:00Z", "2011-12-30T22:00Z"]]);

/** Row 25 of docs/faults.md. */
describe("hours: around a change of the clock", () => {
  const at = Date.parse;

  it("openings that the gap moves onto each other are joined", async () => {
    const days = [
      { day: "sun", open: "03:00", close: "05:00" },
      { day: "sun", open: "01:00", close: "02:45" },
    ];
    const verdictAt = await calendarIn("Europe/Berlin", days);
    assert.equal(verdictAt(at("2026-03-29T00:30Z")).closesAt, "2026-03-29T05:00:00+02:00");
    assert.equal(verdictAt(at("2026-03-22T00:30Z")).closesAt, "2026-03-22T02:45:00+01:00");
  });

  it("openings of two days are joined when the gap around midnight moves them onto each other", async () => {
    const days = [
      { day: "sun", open: "20:00", close: "23:45" },
      { day: "mon", open: "00:30", close: "02:00" },
    ];
    const verdictAt = await calendarIn("America/Toronto", days);
    assert.equal(verdictAt(at("1919-03-31T01:00Z")).closesAt, "1919-03-31T02:00:00-04:00");
  });

  it("always open has no gap", async () => {
    const days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].map((day) => ({
      day,
      open: "00:00",
      close: "23:59",
    }));
    for (const zone of ["Europe/Berlin", "America/Havana", "America/St_Johns", "Australia/Lord_Howe"]) {
      assert.equal((await calendarIn(zone, days))(at("2026-01-01T00:00Z")).closesAt, null, zone);
    }
  });

  it("an opening of the previous day ends where a closed day begins, even if its midnight does not exist", async () => {
    const verdictAt = await calendarIn(
      "America/Havana",
      [{ day: "sat", open: "20:00", close: "04:00" }],
      [{ date: "2026-03-08" }],
    );
    assert.equal(verdictAt(at("2026-03-08T04:59Z")).closesAt, "2026-03-08T01:00:00-04:00");
    assert.equal(verdictAt(at("2026-03-08T05:00Z")).open, false);
  });

  it("the reason follows the local date, even when the clock is put back across midnight", async () => {
    const verdictAt = await calendarIn("America/St_Johns", [], [{ date: "2010-11-07" }]);
    const reasons = {
      "02:29": "outside",
      "02:30": "exception",
      "02:31": "outside",
      "03:29": "outside",
      "03:30": "exception",
    };
    const forward = Object.entries(reasons);
    for (const [time, reason] of [...forward, ...forward.toReversed()]) {
      assert.equal(verdictAt(at(`2010-11-07T${time}Z`)).reason, reason, time);
    }
  });
});
