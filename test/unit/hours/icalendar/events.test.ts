import assert from "node:assert/strict";
import { calendar, loadZone, readExceptions, readSchedule, specialWeek } from "../../../../src/hours";
import { ics } from "../../../support/calendars/server";
import { DAY_OFF } from "../../../support/calendars/texts";
import { ALWAYS, cases, OFFICE, verdictAt, week } from "../cases";

describe("hours: exceptions from iCalendar text", () => {
  describe("an all-day event closes its day", () => {
    const table = {
      "2026-11-23T12:00": "open hours, closes 2026-11-23T17:00, opens 2026-11-25T08:00",
      "2026-11-24T12:00": "closed exception, opens 2026-11-25T08:00, closes 2026-11-25T17:00",
      "2026-11-25T08:00": "open hours, closes 2026-11-25T17:00, opens 2026-11-26T08:00",
    };
    for (const end of [
      [],
      ["DTEND;VALUE=DATE:20261125"],
      ["DTEND;VALUE=DATE:20261124"],
      ["DURATION:P1D"],
      ["DTEND:20261125"],
    ])
      describe(end.join() || "without an end", () => cases(OFFICE, ics([...DAY_OFF, ...end]), table));
    describe("without VALUE", () => cases(OFFICE, ics(["DTSTART:20261124"]), table));
  });

  describe("an all-day event of several days closes the days before its end", () => {
    for (const end of ["DTEND;VALUE=DATE:20261126", "DURATION:P2D"])
      cases(OFFICE, ics([...DAY_OFF, end]), {
        "2026-11-24T12:00": "closed exception, opens 2026-11-26T08:00, closes 2026-11-26T17:00",
        "2026-11-25T12:00": "closed exception, opens 2026-11-26T08:00, closes 2026-11-26T17:00",
        "2026-11-26T12:00": "open hours, closes 2026-11-26T17:00, opens 2026-11-27T08:00",
      });
  });

  describe("an all-day event of several days that recurs closes all of them each time", () => {
    const christmas = ["DTSTART;VALUE=DATE:20251224", "SUMMARY:Christmas"];
    for (const [end, again, closes] of [
      ["DTEND;VALUE=DATE:20251227", "RRULE:FREQ=YEARLY", "2027-12-24T00:00"],
      ["DURATION:P3D", "RRULE:FREQ=YEARLY", "2027-12-24T00:00"],
      ["DTEND;VALUE=DATE:20251227", "RDATE;VALUE=DATE:20261224", "never"],
    ] as const)
      describe(`${end}, ${again}`, () =>
        cases(ALWAYS, ics([...christmas, end, again]), {
          "2026-12-23T12:00": "open hours, closes 2026-12-24T00:00, opens 2026-12-27T00:00",
          "2026-12-25T12:00": `closed exception, opens 2026-12-27T00:00, closes ${closes}`,
          "2026-12-26T23:59": `closed exception, opens 2026-12-27T00:00, closes ${closes}`,
        }));
  });

  describe("a closed day ends an opening of the previous day at midnight", () => {
    cases(ALWAYS, ics(DAY_OFF), {
      "2026-11-23T12:00": "open hours, closes 2026-11-24T00:00, opens 2026-11-25T00:00",
      "2026-11-24T12:00": "closed exception, opens 2026-11-25T00:00, closes never",
    });
  });

  describe("a timed event closes its time only", () => {
    const party = ["DTSTART:20261124T120000", "DTEND:20261124T140000", "SUMMARY:Party"];
    cases(OFFICE, ics(party), {
      "2026-11-24T08:00": "open hours, closes 2026-11-24T12:00, opens 2026-11-24T14:00",
      "2026-11-24T11:59": "open hours, closes 2026-11-24T12:00, opens 2026-11-24T14:00",
      "2026-11-24T12:00": "closed exception, opens 2026-11-24T14:00, closes 2026-11-24T17:00",
      "2026-11-24T13:59": "closed exception, opens 2026-11-24T14:00, closes 2026-11-24T17:00",
      "2026-11-24T14:00": "open hours, closes 2026-11-24T17:00, opens 2026-11-25T08:00",
    });
    cases(OFFICE, ics(["DTSTART:20261124T160000", "DURATION:PT18H"]), {
      "2026-11-24T15:00": "open hours, closes 2026-11-24T16:00, opens 2026-11-25T10:00",
      "2026-11-24T20:00": "closed exception, opens 2026-11-25T10:00, closes 2026-11-25T17:00",
      "2026-11-25T10:00": "open hours, closes 2026-11-25T17:00, opens 2026-11-26T08:00",
    });
    describe("also outside of the openings", () =>
      cases(OFFICE, ics(["DTSTART:20261124T200000", "DURATION:PT1H"]), {
        "2026-11-24T19:59": "closed outside, opens 2026-11-25T08:00, closes 2026-11-25T17:00",
        "2026-11-24T20:00": "closed exception, opens 2026-11-25T08:00, closes 2026-11-25T17:00",
        "2026-11-24T21:00": "closed outside, opens 2026-11-25T08:00, closes 2026-11-25T17:00",
      }));
    describe("also across midnight, and the opening around it", () =>
      cases(week("mon 20:00-04:00"), ics(["DTSTART:20261123T233000", "DTEND:20261124T003000"]), {
        "2026-11-23T22:00": "open hours, closes 2026-11-23T23:30, opens 2026-11-24T00:30",
        "2026-11-24T00:10": "closed exception, opens 2026-11-24T00:30, closes 2026-11-24T04:00",
        "2026-11-24T01:00": "open hours, closes 2026-11-24T04:00, opens 2026-11-30T20:00",
      }));
    describe("without an end, it closes nothing", () =>
      cases(OFFICE, ics(["DTSTART:20261124T120000"]), {
        "2026-11-24T12:00": "open hours, closes 2026-11-24T17:00, opens 2026-11-25T08:00",
      }));
    describe("that began long ago and still lasts", () =>
      cases(OFFICE, ics(["DTSTART:20250101T000000", "DTEND:20261125T120000"]), {
        "2026-11-24T12:00": "closed exception, opens 2026-11-25T12:00, closes 2026-11-25T17:00",
      }));

    it("gives its name, and a verdict that ends at its edges", async () => {
      const text = ics(party);
      const inside = await verdictAt(OFFICE, text, "2026-11-24T13:00");
      assert.equal(inside.exception, "Party");
      assert.equal(inside.validUntil, Date.parse("2026-11-24T14:00+07:00"));
      const before = await verdictAt(OFFICE, text, "2026-11-24T09:00");
      assert.deepEqual([before.exception, before.validUntil], [null, Date.parse("2026-11-24T12:00+07:00")]);
      const evening = ics(["DTSTART:20261124T200000", "DURATION:PT1H"]);
      const closed = await verdictAt(OFFICE, evening, "2026-11-24T18:00");
      assert.equal(closed.validUntil, Date.parse("2026-11-24T20:00+07:00"));
    });

    it("is the same for a cached verdict and a new one", async () => {
      const zone = await loadZone("Asia/Ho_Chi_Minh");
      const schedule = readSchedule({ days: OFFICE });
      const text = ics(
        party,
        ["DTSTART:20261124T133000", "DTEND:20261124T150000"],
        ["DTSTART:20261124T200000Z", "DURATION:PT9H"],
      );
      const one = calendar(schedule, readExceptions(text), zone).at;
      const minutes = Array.from({ length: 600 }, (_, index) => index * 7);
      // Backwards too: messages may bring any instant.
      for (const minute of [...minutes, ...minutes.toReversed()]) {
        const instant = Date.parse("2026-11-23T00:00+07:00") + minute * 60_000;
        const { validUntil: _, ...cached } = one(instant);
        const { validUntil: __, ...fresh } = calendar(schedule, readExceptions(text), zone).at(instant);
        assert.deepEqual(cached, fresh);
      }
    });
  });

  describe("events that overlap close until the last of them ends; the first gives its name", () => {
    const [first, second] = [
      ["DTSTART:20261124T100000", "DTEND:20261124T120000", "SUMMARY:First"],
      ["DTSTART:20261124T110000", "DTEND:20261124T130000", "SUMMARY:Second"],
    ];
    cases(OFFICE, ics(second ?? [], first ?? []), {
      "2026-11-24T10:00": "closed exception, opens 2026-11-24T13:00, closes 2026-11-24T17:00",
    });
    it("then the second", async () => {
      const text = ics(second ?? [], first ?? []);
      assert.equal((await verdictAt(OFFICE, text, "2026-11-24T11:30")).exception, "First");
      assert.equal((await verdictAt(OFFICE, text, "2026-11-24T12:30")).exception, "Second");
    });
  });

  describe("names", () => {
    const nameOn = async (day: string, ...events: string[][]) =>
      (await verdictAt(OFFICE, ics(...events), `${day}T12:00`)).exception;

    it("a day takes precedence over a range, and the first over the second", async () => {
      const range = ["DTSTART;VALUE=DATE:20261123", "DTEND;VALUE=DATE:20261127", "SUMMARY:Range"];
      const again = ["DTSTART;VALUE=DATE:20261124", "SUMMARY:Again"];
      assert.equal(await nameOn("2026-11-24", range, DAY_OFF, again), "Founding day");
      assert.equal(await nameOn("2026-11-24", range, again, DAY_OFF), "Again");
      assert.equal(await nameOn("2026-11-25", range, DAY_OFF), "Range");
    });

    it("are unescaped, on one line and not longer than 200 characters", async () => {
      const named = (summary: string) => nameOn("2026-11-24", ["DTSTART;VALUE=DATE:20261124", `SUMMARY${summary}`]);
      assert.equal(await named(":Tết\\, the\\nnew\\; year \\\\ "), "Tết, the new; year \\");
      assert.equal(await named(';LANGUAGE=de;X-A="b:;c":Tag der Arbeit'), "Tag der Arbeit");
      assert.equal(await named(":a\u0007b\u2028c"), "a b c");
      assert.equal(await named(`:x${"🎄".repeat(300)}`), `x${"🎄".repeat(99)}`);
      assert.equal(await named(":"), null);
      assert.equal(await nameOn("2026-11-24", ["DTSTART;VALUE=DATE:20261124"]), null);
    });
  });

  describe("what does not count", () => {
    const open = { "2026-11-24T12:00": "open hours, closes 2026-11-24T17:00, opens 2026-11-25T08:00" };
    for (const line of ["STATUS:CANCELLED", "EXDATE;VALUE=DATE:20261124"])
      describe(line, () => cases(OFFICE, ics([...DAY_OFF, line]), open));
    for (const line of ["TRANSP:TRANSPARENT", "TRANSP:transparent"])
      describe(`${line} at a time`, () => cases(OFFICE, ics(["DTSTART:20261124T110000", "DURATION:PT2H", line]), open));
    for (const name of ["VTODO", "VJOURNAL", "VFREEBUSY", "X-OTHER"])
      describe(name, () => cases(OFFICE, ics(DAY_OFF).replaceAll("VEVENT", name), open));
  });

  it("an all-day event closes its day whether it is marked as free or not", async () => {
    for (const line of ["TRANSP:TRANSPARENT", "TRANSP:transparent", "TRANSP:OPAQUE"])
      assert.equal((await verdictAt(OFFICE, ics([...DAY_OFF, line]), "2026-11-24T12:00")).exception, "Founding day");
  });

  it("what an alarm says of itself is not of its event", async () => {
    const alarm = ["BEGIN:VALARM", "DURATION:P9D", "STATUS:CANCELLED", "SUMMARY:Wake up", "END:VALARM"];
    const text = ics([...alarm, ...DAY_OFF]);
    assert.equal((await verdictAt(OFFICE, text, "2026-11-24T12:00")).exception, "Founding day");
    assert.equal((await verdictAt(OFFICE, text, "2026-11-25T12:00")).open, true);
  });

  it("days of the shown week come from it too", async () => {
    const text = ics(DAY_OFF, ["DTSTART:20261127", "RRULE:FREQ=WEEKLY", "SUMMARY:Friday"]);
    const zone = await loadZone("Asia/Ho_Chi_Minh");
    assert.deepEqual(specialWeek(readExceptions(text), zone, Date.parse("2026-12-06T12:00+07:00")), [
      { day: 4, name: "Friday", openings: [] },
    ]);
    assert.deepEqual(
      specialWeek(readExceptions(text), zone, Date.parse("2026-11-29T23:00+07:00")).map(({ day, name }) => [day, name]),
      [
        [1, "Founding day"],
        [4, "Friday"],
      ],
    );
  });
});
