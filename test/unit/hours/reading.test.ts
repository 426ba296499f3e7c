import assert from "node:assert/strict";
import { readDays, readExceptions, readGivenSchedule, readSchedule, readTime, ValueError } from "../../../src/hours";

/** The problem: `key @ path`. */
function problem<Given extends unknown[]>(read: (...given: Given) => unknown, ...given: Given): string {
  try {
    read(...given);
  } catch (error) {
    if (error instanceof ValueError) return `${error.key.replace("input.hours.", "")} @ ${error.path}`;
    throw error;
  }
  return "nothing";
}

describe("hours: a time of day", () => {
  for (const [given, time] of [
    ["8:00", "08:00"],
    ["08:00", "08:00"],
    ["08:00:00", "08:00"],
    [" 17:30 ", "17:30"],
    ["0:00", "00:00"],
    ["23:59:00", "23:59"],
    // The end of a day in what was read, which can be created again.
    ["23:59:59", "23:59"],
    ["24:00:00", "23:59"],
  ] as const) {
    it(`${JSON.stringify(given)} is read as ${time}`, () => assert.equal(readTime(given), time));
  }

  for (const [given, key] of [
    ["24:00", "timeEnd"],
    ["24:00:01", "timeFormat"],
    ["08:00:01", "timeSeconds"],
    ["23:59:58", "timeSeconds"],
    ["25:00", "timeFormat"],
    ["24:01", "timeFormat"],
    ["08:60", "timeFormat"],
    ["08:00:60", "timeFormat"],
    ["8", "timeFormat"],
    ["8:5", "timeFormat"],
    ["8.00", "timeFormat"],
    ["8am", "timeFormat"],
    ["-1:00", "timeFormat"],
    ["08:00:00.000000", "timeFormat"],
    ["٠٨:٠٠", "timeFormat"],
    [800, "timeFormat"],
    [true, "timeFormat"],
    [{}, "timeFormat"],
    ["", "timeMissing"],
    [null, "timeMissing"],
    [undefined, "timeMissing"],
  ] as const) {
    it(`${JSON.stringify(given)} is refused as ${key}`, () => {
      assert.equal(problem(readTime, given, "open"), `${key} @ open`);
    });
  }

  it("is refused with the value in the params and not in the message", () => {
    for (const given of ["0901 234 567", 84901234567, ["0901234567"], "8\n"])
      assert.throws(
        () => readTime(given, "open"),
        (error) => {
          assert.ok(error instanceof ValueError);
          assert.equal(error.params["value"], given);
          assert.equal(error.message, "input.hours.timeFormat at open");
          return true;
        },
      );
  });

  // A pattern that backtracks over blanks would not finish within the timeout.
  it("of a megabyte is refused before a pattern is matched", () => {
    assert.equal(problem(readTime, `${" ".repeat(1_000_000)}8:00`), "timeFormat @ ");
  });
});

describe("hours: day entries", () => {
  it("are read from a list, without other keys of the entries", () => {
    const days = readDays([{ day: "mon", open: "8:00", close: "17:00:00", id: 7 }]);
    assert.deepEqual(days, [{ day: "mon", open: "08:00", close: "17:00" }]);
  });

  it("are read from JSON text, and the list may be empty", () => {
    assert.deepEqual(readDays('[{"day":"sun","open":"8:00","close":"9:00"}]'), [
      { day: "sun", open: "08:00", close: "09:00" },
    ]);
    assert.deepEqual(readDays([]), []);
  });

  it("may be several for one day", () => {
    const twice = ["08:00", "13:00"].map((open) => ({ day: "tue", open, close: "23:59" }));
    assert.deepEqual(readDays(twice), twice);
  });

  const entry = { day: "mon", open: "08:00", close: "17:00" };
  for (const [given, expected] of [
    [undefined, "listExpected @ "],
    [{ 0: entry, length: 1 }, "listExpected @ "],
    ["[", "json @ "],
    ["7", "listExpected @ "],
    [`"${"x".repeat(300_000)}"`, "textLong @ "],
    [Array(101).fill(entry), "listLong @ "],
    [[entry, "mon"], "dayEntry @ [1]"],
    [[entry, null], "dayEntry @ [1]"],
    [Array(1), "dayEntry @ [0]"],
    [[entry, [entry]], "dayEntry @ [1]"],
    [[{ ...entry, day: "Monday" }], "dayUnknown @ [0].day"],
    [[{ ...entry, day: 1 }], "dayUnknown @ [0].day"],
    [[{ open: "08:00", close: "17:00" }], "dayMissing @ [0].day"],
    [[entry, entry, { ...entry, open: "24:00" }], "timeEnd @ [2].open"],
    [[{ ...entry, close: "17:00:30" }], "timeSeconds @ [0].close"],
    [[Object.create(entry)], "dayMissing @ [0].day"],
    [JSON.parse('[{"__proto__": {"day": "mon", "open": "08:00", "close": "17:00"}}]'), "dayMissing @ [0].day"],
  ] as const) {
    it(`${JSON.stringify(given)?.slice(0, 60)}: ${expected}`, () => {
      assert.equal(problem(readDays, given), expected);
    });
  }
});

describe("hours: a schedule", () => {
  const days = [{ day: "fri", open: "08:00", close: "17:00" }];

  it("is read from a response of the service", () => {
    const read = {
      id: 12,
      name: "Office",
      enable: 1,
      provider_business_hour_id: null,
      days: [{ day: "fri", open: "08:00:00", close: "17:00:00" }],
    };
    const schedule = { id: 12, name: "Office", enabled: true, days };
    assert.deepEqual(readSchedule(read), schedule);
    assert.deepEqual(readSchedule(JSON.stringify(read)), schedule);
  });

  it("needs neither id nor name, and is enabled by default", () => {
    assert.deepEqual(readSchedule({ days }), { id: null, name: null, enabled: true, days });
  });

  for (const off of [false, 0, "false", "0", "off"]) {
    it(`is disabled by ${JSON.stringify(off)}, in either spelling`, () => {
      assert.equal(readSchedule({ days, enabled: off }).enabled, false);
      assert.equal(readSchedule({ days, enable: off }).enabled, false);
    });
  }
  for (const on of [true, 1, "true", "1", "on", null, "", undefined]) {
    it(`is enabled by ${JSON.stringify(on)}`, () => assert.equal(readSchedule({ days, enabled: on }).enabled, true));
  }

  it("reads enabled before enable, and enable if enabled is not given", () => {
    assert.equal(readSchedule({ days, enabled: false, enable: 1 }).enabled, false);
    assert.equal(readSchedule({ days, enabled: null, enable: 0 }).enabled, false);
  });

  for (const [given, expected] of [
    [days, "scheduleExpected @ "],
    [JSON.stringify(days), "scheduleExpected @ "],
    [undefined, "scheduleExpected @ "],
    ["", "scheduleExpected @ "],
    ["Office", "json @ "],
    [7, "scheduleExpected @ "],
    [{ name: "Office", enable: true, id: 3 }, "daysMissing @ days"],
    [{ days: {} }, "listExpected @ days"],
    [{ days: [...days, { day: "fri", open: "8", close: "9" }] }, "timeFormat @ days[1].open"],
    [{ days, enable: 2 }, "enabledFormat @ enable"],
    [{ days, enabled: "maybe" }, "enabledFormat @ enabled"],
  ] as const) {
    it(`${JSON.stringify(given)}: ${expected}`, () => {
      assert.equal(problem(readSchedule, given), expected);
    });
  }
});

describe("hours: a schedule that the service gives", () => {
  const read = (...days: unknown[]) => readGivenSchedule({ id: 1, name: "Office", enable: 1, days });
  const times = (open: string, close: string) => ({ day: "mon", open, close });

  it("keeps the seconds of its times, and 23:59:59 and 24:00:00 are midnight", () => {
    const { days, skipped } = read(times("08:00:30", "23:59:59"), times("8:00:00", "24:00:00"), times("24:00", "1:00"));
    assert.deepEqual(days, [times("08:00:30", "24:00"), times("08:00", "24:00"), times("24:00", "01:00")]);
    assert.equal(skipped, undefined);
  });

  it("is read without the entries that cannot be read", () => {
    const good = times("08:00:00", "17:00:00");
    const odd = [
      null,
      { day: "sun", open: null, close: null },
      "mon",
      { ...good, day: "holiday" },
      times("24:30", "8"),
    ];
    const { days, skipped = [] } = read(odd[0], good, ...odd.slice(1));
    assert.deepEqual(days, [times("08:00", "17:00")]);
    assert.deepEqual(
      skipped.map((error) =>
        problem(() => {
          throw error;
        }),
      ),
      [
        "dayEntry @ days[0]",
        "timeMissing @ days[2].open",
        "dayEntry @ days[3]",
        "dayUnknown @ days[4].day",
        "timeFormat @ days[5].open",
      ],
    );
  });

  it("is refused if no entry can be read, and may have none", () => {
    assert.equal(problem(read, null, times("8", "9")), "dayEntry @ days[0]");
    assert.deepEqual(read().days, []);
  });
});

describe("hours: exceptions", () => {
  for (const none of [undefined, null, "", [], "[]"]) {
    it(`${JSON.stringify(none)} means no exceptions`, () => {
      assert.deepEqual(readExceptions(none), { ranges: [] });
    });
  }

  for (const fine of [
    { date: "2026-12-24" },
    { date: "02-29" },
    { date: "2028-02-29", hours: null },
    { from: "2026-12-24", to: "2026-12-24" },
    { from: "12-24", to: "01-06", name: "Holidays" },
    { date: " 2026-12-24 ", from: "", to: null, hours: [{ open: "8:00", close: "12:00" }] },
  ]) {
    it(`${JSON.stringify(fine)} is an exception, in a list or its JSON text`, () => {
      assert.deepEqual(readExceptions(JSON.stringify([fine])), readExceptions([fine]));
    });
  }

  for (const [given, expected] of [
    [{ date: "2026-12-24" }, "listExpected @ "],
    ["12-24", "json @ "],
    [Array(1001).fill({ date: "12-24" }), "listLong @ "],
    [["12-24"], "exceptionEntry @ [0]"],
    [[{}], "dateMissing @ [0].date"],
    [[{ day: "12-24" }], "dateMissing @ [0].date"],
    [[{ date: "24.12.2026" }], "dateFormat @ [0].date"],
    [[{ date: "2026-12-24T00:00Z" }], "dateFormat @ [0].date"],
    [[{ date: 20261224 }], "dateFormat @ [0].date"],
    [[{ date: new Date(0) }], "dateFormat @ [0].date"],
    [[{ date: "2027-02-29" }], "dateUnreal @ [0].date"],
    [[{ date: "2026-04-31" }], "dateUnreal @ [0].date"],
    [[{ date: "2026-13-01" }], "dateUnreal @ [0].date"],
    [[{ date: "2026-01-32" }], "dateUnreal @ [0].date"],
    [[{ date: "02-30" }], "dateUnreal @ [0].date"],
    [[{ date: "00-10" }], "dateUnreal @ [0].date"],
    [[{ date: "12-24" }, { from: "12-24" }], "rangeHalf @ [1]"],
    [[{ to: "12-24" }], "rangeHalf @ [0]"],
    [[{ date: "12-24", to: "12-26" }], "dateAndRange @ [0]"],
    [[{ from: "2026-12-24", to: "12-26" }], "rangeForms @ [0]"],
    [[{ from: "12-24", to: "2026-12-26" }], "rangeForms @ [0]"],
    [[{ from: "2026-12-26", to: "2026-12-24" }], "rangeReversed @ [0]"],
    [[{ from: "2026-12-24", to: "2026-12-32" }], "dateUnreal @ [0].to"],
    [[{ date: "12-24", hours: "8-12" }], "json @ [0].hours"],
    [[{ date: "12-24", hours: { open: "08:00", close: "12:00" } }], "listExpected @ [0].hours"],
    [[{ date: "12-24", hours: ["08:00"] }], "hoursEntry @ [0].hours[0]"],
    [[{ date: "12-24", open: "08:00", close: "12:00" }], "hoursElsewhere @ [0].open"],
    [[{ from: "12-24", to: "12-26", Hours: "08:00-12:00" }], "hoursElsewhere @ [0].Hours"],
    [[{ date: "12-24", openings: [] }], "hoursElsewhere @ [0].openings"],
    [[{ date: "12-24", closed: false }], "hoursElsewhere @ [0].closed"],
    [[{ date: "12-24", Open: "08:00", Close: "12:00" }], "hoursElsewhere @ [0].Open"],
    [[{ date: "12-24", closed: true, localName: "Christmas Eve", fixed: true, counties: null }], "nothing"],
    [
      [{ date: "12-24", hours: [{ open: "08:00", close: "12:00" }, { open: "13:00" }] }],
      "timeMissing @ [0].hours[1].close",
    ],
  ] as const) {
    it(`${JSON.stringify(given).slice(0, 80)}: ${expected}`, () => {
      assert.equal(problem(readExceptions, given), expected);
    });
  }
});
