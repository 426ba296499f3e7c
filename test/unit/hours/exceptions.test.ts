import { ALWAYS, cases, hours, OFFICE, week } from "./cases";

describe("hours: exceptions", () => {
  describe("only a closed day ends an opening of the previous day at midnight", () => {
    const bar = week("mon 20:00-04:00", "tue 20:00-04:00");
    cases(bar, [{ date: "2026-11-24" }], {
      "2026-11-23T23:00": "open hours, closes 2026-11-24T00:00, opens 2026-11-30T20:00",
      "2026-11-24T00:00": "closed exception, opens 2026-11-30T20:00, closes 2026-12-01T04:00",
    });
    cases(bar, [{ date: "2026-11-24", hours: hours("21:00-22:00") }], {
      "2026-11-24T03:59": "open exception, closes 2026-11-24T04:00, opens 2026-11-24T21:00",
    });
    cases(bar, [{ date: "2026-11-24", hours: hours("02:00-05:00") }], {
      "2026-11-24T01:00": "open exception, closes 2026-11-24T05:00, opens 2026-11-30T20:00",
    });
    cases(bar, [{ date: "2026-11-23", hours: hours("23:00-01:00") }, { date: "2026-11-24" }], {
      "2026-11-23T23:30": "open exception, closes 2026-11-24T00:00, opens 2026-11-30T20:00",
    });
    cases(ALWAYS, [{ date: "12-25" }], {
      "2026-11-23T12:00": "open hours, closes 2026-12-25T00:00, opens 2026-12-26T00:00",
      "2026-12-25T12:00": "closed exception, opens 2026-12-26T00:00, closes 2027-12-25T00:00",
    });
  });

  describe("precedence is date, range, yearly, weekday, in any order of the list", () => {
    const close = (time: string) => ({ hours: hours(`08:00-${time}`) });
    const all = [
      { date: "2026-11-24", ...close("10:00") },
      { from: "2026-11-20", to: "2026-11-25", ...close("11:00") },
      { date: "11-25", ...close("12:00") },
      { date: "11-26", ...close("12:00") },
      { from: "11-20", to: "11-27", ...close("13:00") },
    ];
    for (const exceptions of [all, all.toReversed()]) {
      cases(OFFICE, exceptions, {
        "2026-11-24T08:00": "open exception, closes 2026-11-24T10:00, opens 2026-11-25T08:00",
        "2026-11-25T08:00": "open exception, closes 2026-11-25T11:00, opens 2026-11-26T08:00",
        "2026-11-26T08:00": "open exception, closes 2026-11-26T12:00, opens 2026-11-27T08:00",
        "2026-11-27T08:00": "open exception, closes 2026-11-27T13:00, opens 2026-11-30T08:00",
        "2027-11-24T08:00": "open exception, closes 2027-11-24T13:00, opens 2027-11-25T08:00",
        "2026-11-30T08:00": "open hours, closes 2026-11-30T17:00, opens 2026-12-01T08:00",
      });
    }
  });

  describe("a yearly range may cross the new year and includes both ends", () => {
    cases(ALWAYS, [{ from: "12-24", to: "01-06" }], {
      "2026-12-23T12:00": "open hours, closes 2026-12-24T00:00, opens 2027-01-07T00:00",
      "2026-12-31T23:59": "closed exception, opens 2027-01-07T00:00, closes 2027-12-24T00:00",
      "2027-01-06T23:59": "closed exception, opens 2027-01-07T00:00, closes 2027-12-24T00:00",
    });
  });

  describe("02-29 exists only in leap years", () => {
    cases(ALWAYS, [{ date: "02-29" }], {
      "2027-02-27T23:59": "open hours, closes never, opens never",
      "2027-02-28T23:59": "open hours, closes 2028-02-29T00:00, opens never",
      "2027-03-01T00:00": "open hours, closes 2028-02-29T00:00, opens 2028-03-01T00:00",
    });
  });
});
