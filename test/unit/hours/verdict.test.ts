import assert from "node:assert/strict";
import { calendar, loadZone, readExceptions, readSchedule } from "../../../src/hours";
import { ALWAYS, cases, hours, OFFICE, verdictAt } from "./cases";

describe("hours: times in a verdict", () => {
  it("exception is the name of the exception that the day has, in order of precedence", async () => {
    const holidays = [
      { from: "12-20", to: "01-05", name: "Holidays" },
      { date: "12-25", name: " Christmas " },
      { date: "2026-12-28", hours: hours("08:00-12:00") },
      { date: "2026-12-29", name: 7 },
    ];
    const on = async (at: string, enabled?: boolean) => {
      const { reason, exception } = await verdictAt(OFFICE, holidays, at, enabled);
      return [reason, exception];
    };
    assert.deepEqual(await on("2026-12-18T09:00"), ["hours", null]);
    assert.deepEqual(await on("2026-12-21T09:00"), ["exception", "Holidays"]);
    assert.deepEqual(await on("2026-12-25T09:00"), ["exception", "Christmas"]);
    assert.deepEqual(await on("2026-12-28T09:00"), ["exception", null]);
    assert.deepEqual(await on("2026-12-29T09:00"), ["exception", null]);
    assert.deepEqual(await on("2026-12-25T09:00", false), ["disabled", null]);
  });

  it("validUntil is the next change or the next midnight", async () => {
    const until = async (at: string) => (await verdictAt(OFFICE, [], at)).validUntil;
    assert.equal(await until("2026-11-23T07:00"), Date.parse("2026-11-23T08:00+07:00"));
    assert.equal(await until("2026-11-23T08:00"), Date.parse("2026-11-23T17:00+07:00"));
    assert.equal(await until("2026-11-23T17:00"), Date.parse("2026-11-24T00:00+07:00"));
  });

  // 2027-01-02 is 366 days after 2026-01-01.
  const farAway = [{ date: "2027-01-02", hours: hours("08:00-12:00") }];
  describe("openings are searched exactly 366 days ahead", () => {
    cases([], farAway, {
      "2026-01-01T07:59:59.999": "closed outside, opens never, closes never",
      "2026-01-01T08:00": "closed outside, opens 2027-01-02T08:00, closes never",
      "2026-01-01T11:59:59.999": "closed outside, opens 2027-01-02T08:00, closes never",
      "2026-01-01T12:00": "closed outside, opens 2027-01-02T08:00, closes 2027-01-02T12:00",
    });
    cases(ALWAYS, [{ date: "2027-01-02" }], {
      "2025-12-31T23:59:59.999": "open hours, closes never, opens never",
      "2026-01-01T00:00": "open hours, closes 2027-01-02T00:00, opens never",
      "2026-01-02T00:00": "open hours, closes 2027-01-02T00:00, opens 2027-01-03T00:00",
    });
  });

  it("no verdict is cached across that limit in either direction", async () => {
    const zone = await loadZone("Asia/Ho_Chi_Minh");
    const calendarAt = calendar(readSchedule({ days: [] }), readExceptions(farAway), zone).at;
    const seven = Date.parse("2026-01-01T07:00+07:00");
    const hour = 3_600_000;
    const seen = [0, 1, 5, 1, 0].map((later) => calendarAt(seven + later * hour));
    assert.deepEqual(
      seen.map(({ opensAt, closesAt }) => [opensAt !== null, closesAt !== null]),
      [
        [false, false],
        [true, false],
        [true, true],
        [true, false],
        [false, false],
      ],
    );
    assert.equal(seen[0]?.validUntil, seven + hour);
  });
});
