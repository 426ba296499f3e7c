import assert from "node:assert/strict";
import { calendar, loadZone, readExceptions, readSchedule, type Verdict, type Zone } from "../src/hours";

/** `"mon 08:00-17:00"` rows as day entries. */
function week(...rows: string[]) {
  return rows.map((row) => {
    const [day, times = ""] = row.split(" ");
    const [open, close] = times.split("-");
    return { day, open, close };
  });
}

function hours(...rows: string[]) {
  return rows.map((row) => {
    const [open, close] = row.split("-");
    return { open, close };
  });
}

const EVERY_DAY = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const OFFICE = week(...EVERY_DAY.slice(0, 5).map((day) => `${day} 08:00-17:00`));
const ALWAYS = week(...EVERY_DAY.map((day) => `${day} 00:00-23:59`));

/** Judges wall times of Ho Chi Minh City, seven hours ahead of UTC all year. 2026-11-23 is a Monday. */
async function judge(days: unknown, exceptions: unknown, at: string, enabled: unknown = true): Promise<Verdict> {
  const zone = await loadZone("Asia/Ho_Chi_Minh");
  return calendar(readSchedule({ days, enabled }), readExceptions(exceptions), zone)(Date.parse(`${at}+07:00`));
}

/** `open hours until … next …`, the instants without the offset they all have. */
function told({ open, reason, closesAt, opensAt }: Verdict): string {
  const [closes, opens] = [closesAt, opensAt].map((text) => {
    if (text === null) return "never";
    assert.ok(text.endsWith(":00+07:00"), text);
    return text.slice(0, 16);
  });
  return open
    ? `open ${reason}, closes ${closes}, opens ${opens}`
    : `closed ${reason}, opens ${opens}, closes ${closes}`;
}

function cases(days: unknown, exceptions: unknown, table: Record<string, string>) {
  for (const [at, expected] of Object.entries(table)) {
    it(`${at}: ${expected}`, async () => assert.equal(told(await judge(days, exceptions, at)), expected));
  }
}

describe("hours: weekdays", () => {
  cases(OFFICE, [], {
    "2026-11-23T07:59:59.999": "closed outside, opens 2026-11-23T08:00, closes 2026-11-23T17:00",
    "2026-11-23T08:00": "open hours, closes 2026-11-23T17:00, opens 2026-11-24T08:00",
    "2026-11-23T16:59:59.999": "open hours, closes 2026-11-23T17:00, opens 2026-11-24T08:00",
    "2026-11-23T17:00": "closed outside, opens 2026-11-24T08:00, closes 2026-11-24T17:00",
    "2026-11-27T12:00": "open hours, closes 2026-11-27T17:00, opens 2026-11-30T08:00",
    "2026-11-28T12:00": "closed outside, opens 2026-11-30T08:00, closes 2026-11-30T17:00",
  });

  describe("with a break at noon, listed out of order", () => {
    cases(week("mon 13:00-17:00", "mon 08:00-12:00"), [], {
      "2026-11-23T11:59": "open hours, closes 2026-11-23T12:00, opens 2026-11-23T13:00",
      "2026-11-23T12:00": "closed outside, opens 2026-11-23T13:00, closes 2026-11-23T17:00",
      "2026-11-23T17:00": "closed outside, opens 2026-11-30T08:00, closes 2026-11-30T12:00",
    });
  });

  describe("that touch or overlap are one", () => {
    cases(week("mon 08:00-12:00", "mon 12:00-15:00", "mon 14:00-17:00", "mon 09:00-10:00"), [], {
      "2026-11-23T09:30": "open hours, closes 2026-11-23T17:00, opens 2026-11-30T08:00",
      "2026-11-23T12:00": "open hours, closes 2026-11-23T17:00, opens 2026-11-30T08:00",
    });
  });
});

describe("hours: past midnight", () => {
  cases(week("mon 22:00-06:00"), [], {
    "2026-11-23T21:59": "closed outside, opens 2026-11-23T22:00, closes 2026-11-24T06:00",
    "2026-11-24T05:59": "open hours, closes 2026-11-24T06:00, opens 2026-11-30T22:00",
    "2026-11-24T06:00": "closed outside, opens 2026-11-30T22:00, closes 2026-12-01T06:00",
    "2026-11-24T22:00": "closed outside, opens 2026-11-30T22:00, closes 2026-12-01T06:00",
  });

  describe("a close at 00:00 is the midnight after", () => {
    cases(week("mon 20:00-00:00"), [], {
      "2026-11-23T23:59:59.999": "open hours, closes 2026-11-24T00:00, opens 2026-11-30T20:00",
      "2026-11-24T00:00": "closed outside, opens 2026-11-30T20:00, closes 2026-12-01T00:00",
    });
  });

  describe("equal times are 24 hours", () => {
    cases(week("mon 08:00-08:00"), [], {
      "2026-11-24T07:59": "open hours, closes 2026-11-24T08:00, opens 2026-11-30T08:00",
    });
    cases(week("mon 00:00-00:00"), [], {
      "2026-11-23T23:59": "open hours, closes 2026-11-24T00:00, opens 2026-11-30T00:00",
    });
  });

  describe("23:59 counts through midnight", () => {
    cases(week("mon 08:00-23:59"), [], {
      "2026-11-23T23:59:59.999": "open hours, closes 2026-11-24T00:00, opens 2026-11-30T08:00",
    });
    cases(week("mon 08:00-23:59", "tue 00:00-12:00"), [], {
      "2026-11-23T23:59:30": "open hours, closes 2026-11-24T12:00, opens 2026-11-30T08:00",
      "2026-11-24T00:00": "open hours, closes 2026-11-24T12:00, opens 2026-11-30T08:00",
    });
    // At or before its open by the texts, so the close is the next day's, and that day's last minute counts too.
    cases(week("mon 23:59-23:59"), [], {
      "2026-11-24T23:59:30": "open hours, closes 2026-11-25T00:00, opens 2026-11-30T23:59",
    });
  });

  describe("the week goes round", () => {
    cases(week("sun 22:00-02:00", "mon 02:00-03:00"), [], {
      "2026-11-22T23:00": "open hours, closes 2026-11-23T03:00, opens 2026-11-29T22:00",
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

  it("disabled beats an exception", async () => {
    const verdict = await judge(OFFICE, [{ date: "2026-11-23", hours: hours("08:00-12:00") }], "2026-11-23T09:00", 0);
    const never = { closesAt: null, opensAt: null, opensIn: null, validUntil: null };
    assert.deepEqual(verdict, { open: false, reason: "disabled", ...never });
  });
});

describe("hours: exceptions", () => {
  describe("closed all day", () => {
    cases(OFFICE, [{ date: "2026-11-24" }], {
      "2026-11-23T12:00": "open hours, closes 2026-11-23T17:00, opens 2026-11-25T08:00",
      "2026-11-24T12:00": "closed exception, opens 2026-11-25T08:00, closes 2026-11-25T17:00",
      "2026-11-25T00:00": "closed outside, opens 2026-11-25T08:00, closes 2026-11-25T17:00",
    });
  });

  describe("hours of their own take the place of the weekday's", () => {
    cases(OFFICE, [{ date: "2026-11-24", hours: hours("10:00-12:00", "18:00-20:00") }], {
      "2026-11-24T09:00": "closed exception, opens 2026-11-24T10:00, closes 2026-11-24T12:00",
      "2026-11-24T11:00": "open exception, closes 2026-11-24T12:00, opens 2026-11-24T18:00",
      "2026-11-24T20:00": "closed exception, opens 2026-11-25T08:00, closes 2026-11-25T17:00",
    });
    cases(OFFICE, [{ date: "2026-11-28", hours: hours("22:00-02:00") }], {
      "2026-11-28T23:00": "open exception, closes 2026-11-29T02:00, opens 2026-11-30T08:00",
      "2026-11-29T01:00": "open hours, closes 2026-11-29T02:00, opens 2026-11-30T08:00",
    });
    cases(OFFICE, [{ date: "2026-11-28", hours: hours("23:59-23:59") }], {
      "2026-11-29T23:59": "open hours, closes 2026-11-30T00:00, opens 2026-11-30T08:00",
    });
  });

  describe("the tail of the night before is cut off by a closed day only", () => {
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

  describe("date wins over range wins over yearly wins over the weekday, in whatever order they are listed", () => {
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

  describe("of two for one day the first listed counts", () => {
    const twice = ["10:00", "11:00"].map((time) => ({ date: "11-24", hours: hours(`08:00-${time}`) }));
    cases(OFFICE, twice, { "2026-11-24T08:00": "open exception, closes 2026-11-24T10:00, opens 2026-11-25T08:00" });
  });

  describe("a yearly range may cross the new year, and both its ends belong to it", () => {
    cases(ALWAYS, [{ from: "12-24", to: "01-06" }], {
      "2026-12-23T12:00": "open hours, closes 2026-12-24T00:00, opens 2027-01-07T00:00",
      "2026-12-31T23:59": "closed exception, opens 2027-01-07T00:00, closes 2027-12-24T00:00",
      "2027-01-06T23:59": "closed exception, opens 2027-01-07T00:00, closes 2027-12-24T00:00",
    });
  });

  describe("02-29 comes in leap years only", () => {
    cases(ALWAYS, [{ date: "02-29" }], {
      "2027-02-27T23:59": "open hours, closes never, opens never",
      "2027-02-28T23:59": "open hours, closes 2028-02-29T00:00, opens never",
      "2027-03-01T00:00": "open hours, closes 2028-02-29T00:00, opens 2028-03-01T00:00",
    });
  });
});

describe("hours: what a verdict says of time", () => {
  it("opensIn are the milliseconds to opensAt, open or closed", async () => {
    assert.equal((await judge(OFFICE, [], "2026-11-23T07:59:59.250")).opensIn, 750);
    assert.equal((await judge(OFFICE, [], "2026-11-23T09:00")).opensIn, 23 * 3_600_000);
    assert.equal((await judge([], [], "2026-11-23T09:00")).opensIn, null);
  });

  it("opensIn goes on counting in a verdict that is kept", async () => {
    const zone = await loadZone("UTC");
    const judgeAt = calendar(readSchedule({ days: OFFICE }), readExceptions([]), zone);
    const six = Date.UTC(2026, 10, 23, 6);
    assert.deepEqual(
      [six, six + 1, six + 3_600_000].map((instant) => judgeAt(instant).opensIn),
      [7_200_000, 7_199_999, 3_600_000],
    );
  });

  it("validUntil is the next change, midnight at the latest", async () => {
    const until = async (at: string) => (await judge(OFFICE, [], at)).validUntil;
    assert.equal(await until("2026-11-23T07:00"), Date.parse("2026-11-23T08:00+07:00"));
    assert.equal(await until("2026-11-23T08:00"), Date.parse("2026-11-23T17:00+07:00"));
    assert.equal(await until("2026-11-23T17:00"), Date.parse("2026-11-24T00:00+07:00"));
  });

  // 2027-01-02 is 366 days after 2026-01-01.
  const farAway = [{ date: "2027-01-02", hours: hours("08:00-12:00") }];
  describe("looks 366 days ahead, and not a millisecond further", () => {
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

  it("keeps no verdict across that limit, forward or back", async () => {
    const zone = await loadZone("Asia/Ho_Chi_Minh");
    const judgeAt = calendar(readSchedule({ days: [] }), readExceptions(farAway), zone);
    const seven = Date.parse("2026-01-01T07:00+07:00");
    const hour = 3_600_000;
    const seen = [0, 1, 5, 1, 0].map((later) => judgeAt(seven + later * hour));
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

describe("hours: cost", () => {
  it("10,000 instants of one opening are comparisons: the zone is asked for none of them but the first", async () => {
    const zone = await loadZone("Europe/Berlin");
    let asked = 0;
    const watched: Zone = {
      name: zone.name,
      stretchAt: (instant) => {
        asked++;
        return zone.stretchAt(instant);
      },
      instantAt: (wall) => {
        asked++;
        return zone.instantAt(wall);
      },
    };
    const judgeAt = calendar(readSchedule({ days: OFFICE }), readExceptions([]), watched);
    const noon = Date.UTC(2026, 10, 23, 11);
    judgeAt(noon);
    const first = asked;
    for (let n = 0; n < 10_000; n++) assert.equal(judgeAt(noon + n).open, true);
    assert.ok(first > 0);
    assert.equal(asked, first);
  });

  it("a year without an opening is no slow search", async () => {
    const zone = await loadZone("Europe/Berlin");
    const started = performance.now();
    for (let n = 0; n < 20; n++) calendar(readSchedule({ days: [] }), readExceptions([]), zone)(n);
    for (let n = 0; n < 20; n++) calendar(readSchedule({ days: ALWAYS }), readExceptions([]), zone)(n);
    assert.ok(performance.now() - started < 1000);
  });
});
