import assert from "node:assert/strict";
import { ALWAYS, cases, EVERY_DAY, hours, OFFICE, verdictAt, week } from "./cases";

describe("hours: weekdays", () => {
  cases(OFFICE, [], {
    "2026-11-23T07:59:59.999": "closed outside, opens 2026-11-23T08:00, closes 2026-11-23T17:00",
    "2026-11-23T08:00": "open hours, closes 2026-11-23T17:00, opens 2026-11-24T08:00",
    "2026-11-23T16:59:59.999": "open hours, closes 2026-11-23T17:00, opens 2026-11-24T08:00",
    "2026-11-23T17:00": "closed outside, opens 2026-11-24T08:00, closes 2026-11-24T17:00",
    "2026-11-27T12:00": "open hours, closes 2026-11-27T17:00, opens 2026-11-30T08:00",
    "2026-11-28T12:00": "closed outside, opens 2026-11-30T08:00, closes 2026-11-30T17:00",
  });
});

describe("hours: past midnight", () => {
  cases(week("mon 22:00-06:00"), [], {
    "2026-11-23T21:59": "closed outside, opens 2026-11-23T22:00, closes 2026-11-24T06:00",
    "2026-11-24T05:59": "open hours, closes 2026-11-24T06:00, opens 2026-11-30T22:00",
    "2026-11-24T06:00": "closed outside, opens 2026-11-30T22:00, closes 2026-12-01T06:00",
    "2026-11-24T22:00": "closed outside, opens 2026-11-30T22:00, closes 2026-12-01T06:00",
  });

  describe("a close at 00:00 is the following midnight", () => {
    cases(week("mon 20:00-00:00"), [], {
      "2026-11-23T23:59:59.999": "open hours, closes 2026-11-24T00:00, opens 2026-11-30T20:00",
      "2026-11-24T00:00": "closed outside, opens 2026-11-30T20:00, closes 2026-12-01T00:00",
    });
  });

  describe("a close at 23:59 means the following midnight", () => {
    cases(week("mon 08:00-23:59"), [], {
      "2026-11-23T23:59:59.999": "open hours, closes 2026-11-24T00:00, opens 2026-11-30T08:00",
    });
    cases(week("mon 08:00-23:59", "tue 00:00-12:00"), [], {
      "2026-11-23T23:59:30": "open hours, closes 2026-11-24T12:00, opens 2026-11-30T08:00",
      "2026-11-24T00:00": "open hours, closes 2026-11-24T12:00, opens 2026-11-30T08:00",
    });
    // The close is not later than the open, so it is on the next day, and 23:59 there also means the following midnight.
    cases(week("mon 23:59-23:59"), [], {
      "2026-11-24T23:59:30": "open hours, closes 2026-11-25T00:00, opens 2026-11-30T23:59",
    });
  });
});

describe("hours: always and never", () => {
  cases(ALWAYS, [], { "2026-11-23T12:00": "open hours, closes never, opens never" });
  cases(week(...EVERY_DAY.map((day) => `${day} 09:00-09:00`)), [], {
    "2026-11-23T09:00": "open hours, closes never, opens never",
  });
  cases([], [], { "2026-11-23T12:00": "closed outside, opens never, closes never" });
  cases([], [{ date: "2026-12-24", hours: hours("08:00-12:00") }], {
    "2026-11-23T12:00": "closed outside, opens 2026-12-24T08:00, closes 2026-12-24T12:00",
    "2026-12-24T12:00": "closed exception, opens never, closes never",
  });

  it("disabled takes precedence over an exception", async () => {
    const verdict = await verdictAt(
      OFFICE,
      [{ date: "2026-11-23", hours: hours("08:00-12:00") }],
      "2026-11-23T09:00",
      0,
    );
    const never = { exception: null, closesAt: null, opensAt: null, opensIn: null, validUntil: null };
    assert.deepEqual(verdict, { open: false, reason: "disabled", ...never });
  });
});
