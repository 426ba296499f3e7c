import assert from "node:assert/strict";
import { calendar, isZone, loadZone, readExceptions, readSchedule } from "../../../../src/hours";
import { WINDOWS_ZONES, zoneNamed } from "../../../../src/hours/icalendar/zone-name";
import { ics } from "../../../support/calendars/server";
import { OWN_ZONE } from "../../../support/calendars/texts";
import { ALWAYS, OFFICE, verdictAt } from "../cases";

describe("hours: series and zones of iCalendar text", () => {
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
      assert.equal(
        await opensAt("2026-11-24T12:30", "DTSTART;VALUE=DATE:20260101", "RDATE;VALUE=DATE:20261124"),
        "closed 2026-11-25T08:00",
      );
    });

    it("RDATE with a period adds one that has its own end", async () => {
      const once = ["DTSTART:20260101T120000", "DTEND:20260101T130000"];
      const periods = ["20261124T120000/PT2H", "20261124T120000/20261124T140000", "20261124T050000Z/20261124T070000Z"];
      for (const period of periods) {
        const line = `RDATE;VALUE=PERIOD:20261123T120000/PT30M,${period}`;
        assert.equal(await opensAt("2026-11-24T12:30", ...once, line), "closed 2026-11-24T14:00", line);
        assert.equal(await opensAt("2026-11-23T12:15", ...once, line), "closed 2026-11-23T12:30", line);
        assert.equal(await opensAt("2026-01-01T12:30", ...once, line), "closed 2026-01-01T13:00", line);
      }
      // Where it begins with the event, the later end applies.
      const longer = "RDATE;VALUE=PERIOD:20260101T120000/PT3H";
      assert.equal(await opensAt("2026-01-01T12:30", ...once, longer), "closed 2026-01-01T15:00");
      // Longer than the event, and begun long before.
      const long = "RDATE;VALUE=PERIOD:20261001T120000/P80D";
      assert.equal(await opensAt("2026-11-24T12:30", ...once, long), "closed 2026-12-21T08:00");
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
      calendar(readSchedule({ days: ALWAYS }), readExceptions(text), await loadZone(zone)).at(Date.parse(at)).open;
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
      assert.equal(WINDOWS_ZONES.size, 139);
      assert.deepEqual(
        [...WINDOWS_ZONES].filter(([, zone]) => !isZone(zone)),
        [],
      );
      assert.equal(zoneNamed("UTC-02"), "Etc/GMT+2");
      assert.equal(zoneNamed("Central Standard Time (Mexico)"), "America/Mexico_City");
      assert.equal(zoneNamed("SE Asia Standard Time"), "Asia/Bangkok");
      assert.equal(zoneNamed(""), undefined);
    });

    it("the end of an all-day series in UTC is the day of the gate's zone; the first and the last second mean that date", async () => {
      for (const [zone, until, last] of [
        ["Europe/Berlin", "20261224T230000Z", "2026-12-25"],
        ["Europe/Berlin", "20261224T225959Z", "2026-12-24"],
        ["Europe/Berlin", "20261224T235959Z", "2026-12-24"],
        ["America/Los_Angeles", "20260202T080000Z", "2026-02-02"],
        ["America/Los_Angeles", "20260202T075959Z", "2026-02-01"],
        ["America/Los_Angeles", "20260202T000000Z", "2026-02-02"],
        ["Asia/Ho_Chi_Minh", "20261224T170000Z", "2026-12-25"],
      ] as const) {
        const text = ics(["DTSTART;VALUE=DATE:20260101", `RRULE:FREQ=DAILY;UNTIL=${until}`]);
        const own = await loadZone(zone);
        const isOpenAtNoon = (days: number) => {
          const noon = own.instantAt(Date.parse(`${last}T12:00Z`) + days * 86_400_000);
          return calendar(readSchedule({ days: ALWAYS }), readExceptions(text), own).at(noon).open;
        };
        assert.deepEqual([isOpenAtNoon(0), isOpenAtNoon(1)], [false, true], `${zone} ${until}`);
      }
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

    it("every wall time of a description is the instant that the IANA zone has for it", async () => {
      const berlin = await loadZone("Europe/Berlin");
      const walls = [Date.UTC(2026, 2, 29), Date.UTC(2026, 9, 25), Date.UTC(2027, 2, 28), Date.UTC(2035, 6, 1)];
      for (const midnight of walls) {
        for (let minute = 0; minute < 300; minute += 15) {
          const wall = midnight + minute * 60_000;
          const text = new Date(wall).toISOString().replace(/[-:]|\.000Z/g, "");
          const event = ics([`DTSTART;TZID=Own zone:${text}`, "DURATION:PT1M"]);
          const described = event.replace("BEGIN:VEVENT", `${OWN_ZONE}\r\nBEGIN:VEVENT`);
          const instant = berlin.instantAt(wall);
          const verdictOf = calendar(readSchedule({ days: ALWAYS }), readExceptions(described), berlin).at;
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
});
