import assert from "node:assert/strict";
import { calendar, loadZone, readExceptions, readSchedule, ValueError } from "../../../../src/hours";
import { ics } from "../../../support/calendars/server";
import { DAY_OFF, OWN_ZONE } from "../../../support/calendars/texts";
import { ALWAYS, OFFICE, verdictAt } from "../cases";

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

describe("hours: iCalendar text", () => {
  describe("the text", () => {
    const closes = async (text: string | Uint8Array) => {
      const { open, exception } = await verdictAt(OFFICE, text, "2026-11-24T12:00");
      return !open && exception;
    };

    it("may be bytes, with any line ends, a byte order mark and blanks before it", async () => {
      const text = ics(DAY_OFF);
      assert.equal(await closes(Buffer.from(text)), "Founding day");
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
      for (const fold of ["\r\n ", "\n\t"]) {
        const parts = [bytes.subarray(0, within), bytes.subarray(within, within + 1), bytes.subarray(within + 1)];
        const folded = Buffer.from(parts.map((part) => part.toString("latin1")).join(fold), "latin1");
        assert.equal(await closes(folded), "Tết Nguyên Đán");
      }
      const bad = Buffer.from(ics(["SUMMARY:T\xE1\r\n \xBA\xBFt", "DTSTART:20261324"]), "latin1");
      assert.equal(problem(bad), "icalLine 6 DTSTART");
    });

    it("that is longer than a string can be is refused as too long", () => {
      assert.equal(problem(new Uint8Array(2 ** 30)), "icalLong");
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
    /** Shows the 23rd, 24th and 25th of November, `o` for open and `c` for closed; and how many events are left out. */
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
      ["an event without an end before others", ics(DAY_OFF, DAY_OFF).replace("END:VEVENT\r\n", ""), "oco 1"],
      ["a zone without an end", day.replace("BEGIN:VEVENT", "BEGIN:VTIMEZONE\r\nTZID:x\r\nBEGIN:VEVENT")],
      [
        "a part of a zone without an end",
        day.replace("BEGIN:VEVENT", `${OWN_ZONE.replace(/END:\w+\r?\n/, "")}\r\nBEGIN:VEVENT`),
      ],
      [
        "a calendar without an end before another",
        day.replace("END:VCALENDAR\r\n", "") + ics(["DTSTART:20261123"]),
        "cco 0",
      ],
      ["an event without an end at the end", day.replace("END:VCALENDAR", "BEGIN:VEVENT\r\nDTSTART:20261123"), "oco 1"],
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
        const verdictOf = calendar(readSchedule({ days: ALWAYS }), exceptions, await loadZone("Europe/Berlin")).at;
        const closed = ["10", "11", "12", "13"].map((hour) => `${hour}:00Z`);
        const starts = closed.filter((at) => !verdictOf(Date.parse(`2026-12-07T${at}`)).open);
        assert.equal(`${starts.join() || "never"} ${exceptions.icalendar?.leftOut.count}`, expected);
      });
  });
});
