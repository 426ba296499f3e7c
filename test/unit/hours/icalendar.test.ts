import assert from "node:assert/strict";
import { calendar, isZone, loadZone, readExceptions, readSchedule, specialWeek, ValueError } from "../../../src/hours";
import { windowsZones, zoneNamed } from "../../../src/hours/icalendar/zone-name";
import { ALWAYS, cases, OFFICE, verdictAt, week } from "./cases";

/** A calendar with these events, each given by its lines. */
function ics(...events: string[][]): string {
  const lines = events.flatMap((event) => ["BEGIN:VEVENT", ...event, "END:VEVENT"]);
  return ["BEGIN:VCALENDAR", "VERSION:2.0", ...lines, "END:VCALENDAR", ""].join("\r\n");
}

const DAY_OFF = ["DTSTART;VALUE=DATE:20261124", "SUMMARY:Founding day"];

function problem(text: unknown): string {
  try {
    readExceptions(text);
  } catch (error) {
    assert.ok(error instanceof ValueError, String(error));
    const { line, value } = error.params;
    return [error.key.replace("input.hours.", ""), line, value].filter((part) => part !== undefined).join(" ");
  }
  return "nothing";
}

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
      const one = calendar(schedule, readExceptions(text), zone);
      const minutes = Array.from({ length: 600 }, (_, index) => index * 7);
      // Backwards too: messages may bring any instant.
      for (const minute of [...minutes, ...minutes.toReversed()]) {
        const instant = Date.parse("2026-11-23T00:00+07:00") + minute * 60_000;
        const { validUntil: _, ...cached } = one(instant);
        const { validUntil: __, ...fresh } = calendar(schedule, readExceptions(text), zone)(instant);
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
    describe("an event inside of another component", () =>
      cases(OFFICE, ics(["BEGIN:VEVENT", ...DAY_OFF, "END:VEVENT", "DTSTART:20200101"]), open));
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

  describe("recurrences", () => {
    const opensAt = async (at: string, ...lines: string[]) => {
      const { open, closesAt, opensAt } = await verdictAt(OFFICE, ics(lines), at);
      return `${open ? "open" : "closed"} ${(open ? closesAt : opensAt)?.slice(0, 16)}`;
    };
    const daily = ["DTSTART:20260101T120000", "DTEND:20260101T130000", "RRULE:FREQ=DAILY"];

    it("an event each day, years after it began", async () => {
      assert.equal(await opensAt("2031-11-24T12:30", ...daily), "closed 2031-11-24T13:00");
      assert.equal(await opensAt("2031-11-24T11:30", ...daily), "open 2031-11-24T12:00");
      assert.equal(await opensAt("2025-11-24T12:30", ...daily), "open 2025-11-24T17:00");
    });

    it("a holiday each year", async () => {
      const holiday = ["DTSTART;VALUE=DATE:16041124", "RRULE:FREQ=YEARLY"];
      assert.equal(await opensAt("2026-11-24T12:30", ...holiday), "closed 2026-11-25T08:00");
      assert.equal(await opensAt("2026-11-25T12:30", ...holiday), "open 2026-11-25T17:00");
    });

    it("the end of a series counts, as a date or a time", async () => {
      for (const until of ["20261124", "20261124T120000", "20261124T050000Z"]) {
        const rule = [daily[0] ?? "", daily[1] ?? "", `RRULE:FREQ=DAILY;UNTIL=${until}`];
        assert.equal(await opensAt("2026-11-24T12:30", ...rule), "closed 2026-11-24T13:00", until);
        assert.equal(await opensAt("2026-11-25T12:30", ...rule), "open 2026-11-25T17:00", until);
      }
      for (const until of ["20261124T115959", "20261124T045959Z"]) {
        const rule = [daily[0] ?? "", daily[1] ?? "", `RRULE:FREQ=DAILY;UNTIL=${until}`];
        assert.equal(await opensAt("2026-11-24T12:30", ...rule), "open 2026-11-24T17:00", until);
      }
      for (const until of ["20261124", "20261124T235959Z", "20261124T000000"]) {
        const rule = ["DTSTART;VALUE=DATE:20260101", `RRULE:FREQ=DAILY;UNTIL=${until}`];
        assert.equal(await opensAt("2026-11-24T12:30", ...rule), "closed 2026-11-25T08:00", until);
        assert.equal(await opensAt("2026-11-25T12:30", ...rule), "open 2026-11-25T17:00", until);
      }
    });

    it("EXDATE takes one out, RDATE adds one", async () => {
      for (const line of [
        "EXDATE:20261124T120000",
        "EXDATE:20261123T120000,20261124T120000",
        "EXDATE:20261124T050000Z",
        "EXDATE;VALUE=DATE:20261124",
      ]) {
        assert.equal(await opensAt("2026-11-24T12:30", ...daily, line), "open 2026-11-24T17:00", line);
        assert.equal(await opensAt("2026-11-25T12:30", ...daily, line), "closed 2026-11-25T13:00", line);
      }
      const once = ["DTSTART:20260101T120000", "DTEND:20260101T130000"];
      assert.equal(
        await opensAt("2026-11-24T12:30", ...once, "RDATE:20261123T120000,20261124T120000"),
        "closed 2026-11-24T13:00",
      );
      for (const period of ["20261124T120000/PT2H", "20261124T120000/20261124T140000"])
        assert.equal(
          await opensAt("2026-11-24T12:30", ...once, `RDATE;VALUE=PERIOD:${period}`),
          "closed 2026-11-24T14:00",
        );
      assert.equal(
        await opensAt("2026-11-24T12:30", "DTSTART;VALUE=DATE:20260101", "RDATE;VALUE=DATE:20261124"),
        "closed 2026-11-25T08:00",
      );
    });

    const standup = ["UID:standup", ...daily];
    const moved = (...lines: string[]) => ["UID:standup", "RECURRENCE-ID:20261124T120000", ...lines];
    const with2 = async (at: string, ...events: string[][]) => (await verdictAt(OFFICE, ics(...events), at)).open;

    it("an event with RECURRENCE-ID moves one", async () => {
      const override = moved("DTSTART:20261124T150000", "DTEND:20261124T160000");
      for (const events of [
        [standup, override],
        [override, standup],
      ]) {
        assert.equal(await with2("2026-11-24T12:30", ...events), true);
        assert.equal(await with2("2026-11-24T15:30", ...events), false);
        assert.equal(await with2("2026-11-25T12:30", ...events), false);
      }
      const other = ["UID:other", ...override.slice(1)];
      assert.equal(await with2("2026-11-24T12:30", standup, other), false);
    });

    it("or cancels it, or frees its time", async () => {
      for (const line of ["STATUS:CANCELLED", "TRANSP:TRANSPARENT"]) {
        const override = moved("DTSTART:20261124T120000", "DTEND:20261124T130000", line);
        assert.equal(await with2("2026-11-24T12:30", standup, override), true);
        assert.equal(await with2("2026-11-23T12:30", standup, override), false);
      }
    });

    it("also of an all-day series", async () => {
      const series = ["UID:a", "DTSTART;VALUE=DATE:20261123", "RRULE:FREQ=DAILY;COUNT=3"];
      const override = ["UID:a", "RECURRENCE-ID;VALUE=DATE:20261124", "DTSTART;VALUE=DATE:20261127"];
      assert.equal(await with2("2026-11-23T12:30", series, override), false);
      assert.equal(await with2("2026-11-24T12:30", series, override), true);
      assert.equal(await with2("2026-11-27T12:30", series, override), false);
    });
  });

  describe("time zones", () => {
    const openAt = async (zone: string, at: string, text: string) =>
      calendar(readSchedule({ days: ALWAYS }), readExceptions(text), await loadZone(zone))(Date.parse(at)).open;
    const hour = ["DURATION:PT1H"];

    for (const zone of [
      ...["Europe/Berlin", "W. Europe Standard Time", "/freeassociation.sourceforge.net/Europe/Berlin"],
      ...[
        "/softwarestudio.org/Olson_20011030_5/Europe/Berlin",
        "/freeassociation.sourceforge.net/Tzfile/Europe/Berlin",
      ],
    ])
      it(`${zone} is the clock of Berlin, with its daylight saving`, async () => {
        for (const [date, offset] of [
          ["2026-07-15", "+02:00"],
          ["2026-12-15", "+01:00"],
        ] as const) {
          const text = ics([`DTSTART;TZID=${zone}:${date.replaceAll("-", "")}T120000`, ...hour]);
          assert.equal(await openAt("Asia/Tokyo", `${date}T12:30${offset}`, text), false);
          assert.equal(await openAt("Asia/Tokyo", `${date}T13:00${offset}`, text), true);
        }
      });

    it("each name that Windows uses is a zone that this runtime knows", () => {
      assert.equal(windowsZones().size, 139);
      assert.deepEqual(
        [...windowsZones()].filter(([, zone]) => !isZone(zone)),
        [],
      );
      assert.equal(zoneNamed("UTC-02"), "Etc/GMT+2");
      assert.equal(zoneNamed("Central Standard Time (Mexico)"), "America/Mexico_City");
      assert.equal(zoneNamed("SE Asia Standard Time"), "Asia/Bangkok");
      assert.equal(zoneNamed(""), undefined);
    });

    it("a time without a zone is on the gate's clock, one with Z in UTC", async () => {
      const floating = ics(["DTSTART:20260715T120000", ...hour]);
      assert.equal(await openAt("Europe/Berlin", "2026-07-15T12:00+02:00", floating), false);
      assert.equal(await openAt("Asia/Tokyo", "2026-07-15T12:00+09:00", floating), false);
      assert.equal(await openAt("Asia/Tokyo", "2026-07-15T12:00+02:00", floating), true);
      const utc = ics(["DTSTART:20260715T120000Z", ...hour]);
      assert.equal(await openAt("Europe/Berlin", "2026-07-15T14:00+02:00", utc), false);
      assert.equal(await openAt("Europe/Berlin", "2026-07-15T13:59+02:00", utc), true);
    });

    it("an IANA name needs no description, and recurs through daylight saving", async () => {
      const text = ics(["DTSTART;TZID=Europe/Berlin:20260101T120000", ...hour, "RRULE:FREQ=DAILY"]);
      for (const [at, offset] of [
        ["2026-03-28", "+01:00"],
        ["2026-03-29", "+02:00"],
        ["2026-10-24", "+02:00"],
        ["2026-10-25", "+01:00"],
      ]) {
        assert.equal(await openAt("Asia/Ho_Chi_Minh", `${at}T11:59${offset}`, text), true);
        assert.equal(await openAt("Asia/Ho_Chi_Minh", `${at}T12:00${offset}`, text), false);
        assert.equal(await openAt("Asia/Ho_Chi_Minh", `${at}T13:00${offset}`, text), true);
      }
    });

    it("a name that the text describes is as described", async () => {
      for (const [at, offset] of [
        ["2026-03-28", "+01:00"],
        ["2026-03-29", "+02:00"],
        ["2026-10-24", "+02:00"],
        ["2026-10-25", "+01:00"],
        ["2035-07-01", "+02:00"],
      ]) {
        const start = `DTSTART;TZID=Own zone:${at?.replaceAll("-", "")}T120000`;
        const text = ics([start, ...hour]).replace("BEGIN:VEVENT", `${OWN_ZONE}\r\nBEGIN:VEVENT`);
        assert.equal(await openAt("UTC", `${at}T11:59${offset}`, text), true);
        assert.equal(await openAt("UTC", `${at}T12:00${offset}`, text), false);
        assert.equal(await openAt("UTC", `${at}T13:00${offset}`, text), true);
      }
    });

    it("every wall time of a description is the instant that the IANA zone has for it", async () => {
      const berlin = await loadZone("Europe/Berlin");
      const walls = [Date.UTC(2026, 2, 29), Date.UTC(2026, 9, 25), Date.UTC(2027, 2, 28)];
      for (const midnight of walls) {
        for (let minute = 0; minute < 300; minute += 15) {
          const wall = midnight + minute * 60_000;
          const text = new Date(wall).toISOString().replace(/[-:]|\.000Z/g, "");
          const event = ics([`DTSTART;TZID=Own zone:${text}`, "DURATION:PT1M"]);
          const described = event.replace("BEGIN:VEVENT", `${OWN_ZONE}\r\nBEGIN:VEVENT`);
          const instant = berlin.instantAt(wall);
          const verdictOf = calendar(readSchedule({ days: ALWAYS }), readExceptions(described), berlin);
          assert.equal(verdictOf(instant).open, false, text);
          assert.equal(verdictOf(instant - 1).open, true, text);
        }
      }
    });

    it("a length in days is of the calendar, one in hours is exact", async () => {
      const night = (end: string) => ics(["DTSTART;TZID=Europe/Berlin:20260328T120000", end]);
      assert.equal(await openAt("UTC", "2026-03-29T11:59+02:00", night("DURATION:P1D")), false);
      assert.equal(await openAt("UTC", "2026-03-29T12:00+02:00", night("DURATION:P1D")), true);
      assert.equal(await openAt("UTC", "2026-03-29T12:59+02:00", night("DURATION:PT24H")), false);
      assert.equal(await openAt("UTC", "2026-03-29T13:00+02:00", night("DURATION:PT24H")), true);
      const end = "DTEND;TZID=Asia/Tokyo:20260329T190000";
      assert.equal(await openAt("UTC", "2026-03-29T18:59+09:00", night(end)), false);
      assert.equal(await openAt("UTC", "2026-03-29T19:00+09:00", night(end)), true);
    });
  });

  describe("the text", () => {
    const closes = async (text: string | Uint8Array) => {
      const { open, exception } = await verdictAt(OFFICE, text, "2026-11-24T12:00");
      return !open && exception;
    };

    it("may have any line ends, a byte order mark and blanks before it", async () => {
      const text = ics(DAY_OFF);
      for (const ends of ["\r\n", "\n", "\r"])
        assert.equal(await closes(`\uFEFF\n ${text.replaceAll("\r\n", ends)}`.replace("\n ", "\n")), "Founding day");
      assert.equal(await closes(text.toLowerCase().replace("founding", "Founding")), "Founding day");
    });

    it("may be folded anywhere, in small letters, and several calendars in one", async () => {
      const folded = ics(DAY_OFF)
        .replaceAll(/(.)(?=.)/gu, "$1\r\n ")
        .replace(/^B\r\n E[^:]*:[^\n]*(\n [^\n]*)*/, "BEGIN:VCALENDAR\r");
      assert.equal(await closes(folded), "Founding day");
      assert.equal(await closes(ics(["DTSTART:20300101"]) + ics(DAY_OFF)), "Founding day");
    });

    it("may be bytes, folded within a character", async () => {
      const bytes = Buffer.from(ics(["DTSTART:20261124", "SUMMARY:Tết Nguyên Đán"]));
      const within = bytes.indexOf(Buffer.from("ế")) + 1;
      const folded = Buffer.concat([bytes.subarray(0, within), Buffer.from("\r\n "), bytes.subarray(within)]);
      assert.equal(await closes(folded), "Tết Nguyên Đán");
    });

    it("is refused with the line of what cannot be read", () => {
      const bad = (...lines: string[]) => problem(ics(lines));
      assert.equal(bad("DTSTART:2026-11-24"), "icalLine 4 DTSTART");
      assert.equal(bad("SUMMARY:long", "\tand folded", "DTSTART:20261324"), "icalLine 6 DTSTART");
      assert.equal(bad("DTSTART:20260230"), "icalLine 4 DTSTART");
      assert.equal(bad("DTSTART:20261124T250000"), "icalLine 4 DTSTART");
      assert.equal(bad("DTSTART:20261124", "DTEND:20261123"), "icalLine 5 DTEND");
      assert.equal(bad("DTSTART:20261124T120000", "DTEND;VALUE=DATE:20261125"), "icalLine 5 DTEND");
      assert.equal(bad("DTSTART:20261124T120000+0700"), "icalLine 4 DTSTART");
      assert.equal(bad("DTSTART:20261124T120000", "DURATION:1 day"), "icalLine 5 DURATION");
      assert.equal(bad("DTSTART:20261124T120000", "DURATION:-PT1H"), "icalLine 5 DURATION");
      assert.equal(bad("DTSTART:20261124", "RDATE:soon"), "icalLine 5 RDATE");
      assert.equal(bad("DTSTART:20261124", "EXDATE:soon"), "icalLine 5 EXDATE");
      assert.equal(bad("DTSTART:20261124", "EXRULE:FREQ=DAILY"), "icalLine 5 EXRULE");
      assert.equal(bad("DTSTART:20261124", "RECURRENCE-ID;RANGE=THISANDFUTURE:20261124"), "icalLine 5 RECURRENCE-ID");
      assert.equal(bad("SUMMARY:no start"), "icalStart 3");
      assert.equal(bad("DTSTART;TZID=Nowhere/At all:20261124T120000"), "icalZone 4 Nowhere/At all");
      assert.equal(bad("DTSTART;TZID=Middle Standard Time:20261124T120000"), "icalZone 4 Middle Standard Time");
      assert.equal(bad("DTSTART;TZID=/example.org/Nowhere:20261124T120000"), "icalZone 4 /example.org/Nowhere");
      for (const page of ["<!DOCTYPE html><p>BEGIN:VCALENDAR", "\n <html lang='en'>", "<?xml version='1.0'?><html>"])
        assert.deepEqual([problem(page), problem(Buffer.from(page))], ["webPage 1", "webPage 1"]);
      assert.equal(problem(ics(DAY_OFF).replace("END:VEVENT\r\n", "")), "icalEnd 3 BEGIN:VEVENT");
      assert.equal(problem(ics(DAY_OFF).replace(/END:VEVENT[\s\S]*/, "")), "icalEnd 3 BEGIN:VEVENT");
    });

    for (const rule of [
      ...[";", "FREQ=FORTNIGHTLY", "BYDAY=MO", "FREQ=DAILY;COUNT=0", "FREQ=DAILY;INTERVAL=x", "FREQ=DAILY;UNTIL=never"],
      ...["FREQ=WEEKLY;BYDAY=XX", "FREQ=WEEKLY;BYDAY=1MO", "FREQ=WEEKLY;BYMONTHDAY=1", "FREQ=MONTHLY;BYMONTHDAY=0"],
      ...[
        "FREQ=DAILY;INTERVAL=0",
        "FREQ=DAILY;INTERVAL=-1",
        "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=0",
        "FREQ=MONTHLY;BYDAY=0MO",
      ],
      ...["FREQ=YEARLY;BYMONTH=13", "FREQ=YEARLY;RSCALE=CHINESE", "FREQ=YEARLY;BYEASTER=0"],
      // What no holiday uses.
      ...["FREQ=HOURLY", "FREQ=MINUTELY", "FREQ=SECONDLY", "FREQ=YEARLY;BYYEARDAY=100", "FREQ=YEARLY;BYWEEKNO=20"],
      ...["FREQ=DAILY;BYHOUR=9", "FREQ=DAILY;BYMINUTE=0", "FREQ=DAILY;BYSECOND=0"],
    ])
      it(`RRULE:${rule} is refused`, () =>
        assert.equal(problem(ics(["DTSTART:20261124", `RRULE:${rule}`])), "icalLine 5 RRULE"));

    for (const [damaged, value] of [
      ["BEGI:VCALENDAR", "BEGI"],
      ["EGIN VCALENDAR", "EGIN VCALENDAR"],
      ["BEGIN:VCALENDR", "BEGIN:VCALENDR"],
      ["BEGIN:VEVENT", "BEGIN:VEVENT"],
      ["\uFFFDBEGIN:VCALENDAR", "\uFFFDBEGIN:VCALENDAR"],
    ] as const)
      it(`is refused with its first line if that is ${JSON.stringify(damaged)}`, () => {
        const text = ics(DAY_OFF).replace("BEGIN:VCALENDAR", damaged);
        for (const given of [text, Buffer.from(text)]) assert.equal(problem(given), `icalLine 1 ${value}`);
      });

    it("that is a list or JSON is read as before", () => {
      assert.equal(problem([{ date: "2026-11-24" }]), "nothing");
      assert.equal(problem("BEGIN:VCARD"), "json");
    });
  });

  describe("as people publish it", () => {
    const day = ics(DAY_OFF);
    const add = (...lines: string[]) => ics([...DAY_OFF, ...lines]);
    const uid = (...lines: string[]) => ["UID:a", ...lines];
    const daily = uid("DTSTART;VALUE=DATE:20261123", "RRULE:FREQ=DAILY;COUNT=2");
    /** Of the 23rd, 24th and 25th of November, `o` for open and `c` for closed; and how many events are left out. */
    const found = async (text: string) => {
      const { leftOut } = readExceptions(text).icalendar ?? assert.fail();
      const isOpen = async (date: number) => (await verdictAt(OFFICE, text, `2026-11-${date}T12:00`)).open;
      return `${(await Promise.all([23, 24, 25].map(isOpen))).map((open) => (open ? "o" : "c")).join("")} ${leftOut.count}`;
    };

    for (const [what, text, expected = "oco 0"] of [
      [
        "properties and parts without a value",
        add("DTEND:", "EXDATE: ", "RRULE:", "RRULE:FREQ=YEARLY;UNTIL=", "STATUS:"),
      ],
      ["a blank behind the colon", ics(["DTSTART;VALUE=DATE: 20261124", "RRULE: FREQ=YEARLY"])],
      ["a comma at the end", add("RRULE:FREQ=DAILY;COUNT=3", "EXDATE;VALUE=DATE:20261125,20261126,")],
      ["a date that ends at a time", add("DTEND:20261124T235900")],
      ["a date that ends at a later time", add("DTEND:20261125T090000"), "occ 0"],
      ["a date that ends at midnight", add("DTEND:20261125T000000")],
      ["a date that ends at midnight, in UTC", add("DTEND:20261124T170000Z")],
      ["lines behind the end", `${day}X-COMMENT:cached by a proxy\r\n<!-- 0.2 s -->\r\nBEGIN:VEVENT`],
      ["a line between two", `${ics(["DTSTART:20300101"])}\r\n<hr>\r\n${day}`],
      ["unfolded text", add("DESCRIPTION:first", "and the second: without a blank", "", "<b>third</b>")],
      ["an END of nothing", add("END:VALARM")],
      ["a bad event before it", ics(["DTSTART:20261123", "RRULE:FREQ=YEARLY;BYMONTH=16"], DAY_OFF), "oco 1"],
      ["bad events behind it", ics(DAY_OFF, ["SUMMARY:x"], ["DTSTART:20261123", 'RDATE;X="a:20261125']), "oco 2"],
      [
        "one that repeats too often",
        ics(["DTSTART:20261123T120000", "DURATION:P400D", "RRULE:FREQ=DAILY"], DAY_OFF),
        "oco 1",
      ],
      ["an alarm without an end", ics(DAY_OFF, ["BEGIN:VALARM", "DTSTART:20261123"]), "oco 1"],
      ["an event without an end", day.replace("END:VCALENDAR", "BEGIN:VEVENT\r\nDTSTART:20261123"), "oco 1"],
      ["midnight under VALUE=DATE", ics(["DTSTART;VALUE=DATE:20261124T000000"])],
      ["a time under VALUE=DATE", ics(["DTSTART;VALUE=DATE:20261124T100000", "DURATION:PT3H"])],
      ["a later time under VALUE=DATE", ics(["DTSTART;VALUE=DATE:20261124T130000", "DURATION:PT3H"]), "ooo 0"],
      ["what UTC takes out", ics([...daily, "EXDATE:20261122T170000Z"])],
      ["what UTC replaces", ics(daily, uid("RECURRENCE-ID:20261122T170000Z", "DTSTART;VALUE=DATE:20270101"))],
      ["a bad replacement", ics(daily, uid("RECURRENCE-ID:20261124")), "cco 1"],
      ["two versions", ics(uid("DTSTART:20261123"), uid(...DAY_OFF))],
      ["a version with a higher number", ics(uid("SEQUENCE:10", ...DAY_OFF), uid("SEQUENCE:9", "DTSTART:20261123"))],
      ["a cancelled version", ics(uid("SEQUENCE:1", ...DAY_OFF, "STATUS:CANCELLED"), uid(...DAY_OFF)), "ooo 0"],
      ["events without a UID", ics(DAY_OFF, ["UID:", "DTSTART:20261125"], ["DTSTART:20261123"]), "ccc 0"],
    ] as const)
      it(`${what}: ${expected}`, async () => assert.equal(await found(text), expected));

    it("\\r\\r\\n ends a line, and the name is whole", async () => {
      const text = ics(["DTSTART;VALUE=DATE:20261124", "SUMMARY:Found", " ing day"]).replaceAll("\r\n", "\r\r\n");
      assert.equal((await verdictAt(OFFICE, text, "2026-11-24T12:00")).exception, "Founding day");
    });

    it("names the line of the first event that cannot be read", () => {
      const text = ics(DAY_OFF, ["DTSTART:20261123", "RRULE:FREQ=YEARLY;BYMONTH=16"], ["UID:1"]);
      assert.deepEqual(readExceptions(text).icalendar?.leftOut.first?.params, { line: 9, value: "RRULE" });
    });

    for (const [tzid, described, offset, expected] of [
      // What the machine knows: UTC-3 since 2019.
      ["America/Sao_Paulo", "America/Sao_Paulo", "-0200", "12:00Z 0"],
      ["E. South America Standard Time", "E. South America Standard Time", "-0200", "12:00Z 0"],
      ["/x.org/America/Sao_Paulo", "/x.org/America/Sao_Paulo", "-0200", "12:00Z 0"],
      ["America/Sao_Paulo", "not used", "soon", "12:00Z 0"],
      ["Eastern", "Eastern", "-0200", "11:00Z 0"],
      ["  Own zone", '"Own zone" ', "-0200", "11:00Z 0"],
      ['"(UTC-02) A, B"', "(UTC-02) A\\, B", "-0200", "11:00Z 0"],
      ["Own zone", "Own zone", "soon", "never 1"],
    ] as const)
      it(`9:00 in ${tzid}, ${described} described as ${offset}: ${expected}`, async () => {
        const zone = OWN_ZONE.replace("Own zone", described).replaceAll(/[+-]0\d00/g, offset);
        const text = ics([`DTSTART;TZID=${tzid}:20261207T090000`, "DURATION:PT1H"], ["DTSTART:20261212"]);
        const exceptions = readExceptions(text.replace("BEGIN:VEVENT", `${zone}\r\nBEGIN:VEVENT`));
        const verdictOf = calendar(readSchedule({ days: ALWAYS }), exceptions, await loadZone("Europe/Berlin"));
        const closed = ["10", "11", "12", "13"].map((hour) => `${hour}:00Z`);
        const starts = closed.filter((at) => !verdictOf(Date.parse(`2026-12-07T${at}`)).open);
        assert.equal(`${starts.join() || "never"} ${exceptions.icalendar?.leftOut.count}`, expected);
      });
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

/** As Outlook describes the zone of Berlin. */
const OWN_ZONE = [
  "BEGIN:VTIMEZONE",
  "TZID:Own zone",
  "BEGIN:STANDARD",
  "DTSTART:16010101T030000",
  "TZOFFSETFROM:+0200",
  "TZOFFSETTO:+0100",
  "RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10",
  "END:STANDARD",
  "BEGIN:DAYLIGHT",
  "DTSTART:16010101T020000",
  "TZOFFSETFROM:+0100",
  "TZOFFSETTO:+0200",
  "RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3",
  "END:DAYLIGHT",
  "END:VTIMEZONE",
].join("\r\n");
