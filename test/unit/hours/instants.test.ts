import assert from "node:assert/strict";
import { inspect } from "node:util";
import { runInNewContext } from "node:vm";
import {
  formatInstant,
  hostZone,
  instantFormatter,
  isZone,
  loadZone,
  readInstant,
  UTC_CLOCK,
  ValueError,
  type Zone,
} from "../../../src/hours";

describe("hours: zones", () => {
  it("a zone without changes has no end of an offset period within a day of the instant", async () => {
    // The polyfill searches for a change only some years ahead. The end of that search is not a change of the clock.
    const zone = await loadZone("Asia/Ho_Chi_Minh");
    const last = zone.offsetPeriodAt(Date.UTC(2027, 0, 1)).until - 1;
    assert.ok(zone.offsetPeriodAt(last).until > last + 86_400_000);
  });
  for (const name of ["UTC", "Asia/Ho_Chi_Minh", "Europe/Berlin", "Australia/Lord_Howe", "Etc/GMT+7"]) {
    it(`${name} is a zone`, async () => {
      assert.ok(isZone(name));
      assert.equal((await loadZone(name)).name, name);
    });
  }
  for (const name of [
    "",
    "Mars/Olympus",
    "+07:00",
    "local",
    "IST",
    "US/Pacific-New",
    "Europe/Berlin\n",
    "x".repeat(1_000_000),
    null,
    7,
  ]) {
    it(`${JSON.stringify(name)?.slice(0, 20)} is not a zone`, async () => {
      assert.equal(isZone(name), false);
      await assert.rejects(
        loadZone(name as string),
        (error) => error instanceof ValueError && error.key === "input.hours.zoneUnknown",
      );
    });
  }

  it("every zone that Intl lists can be loaded", async () => {
    for (const name of Intl.supportedValuesOf("timeZone")) {
      assert.ok(isZone(name), name);
      assert.ok(Number.isFinite((await loadZone(name)).instantAt(0)), name);
    }
  });

  it("the host has a zone", () => assert.ok(isZone(hostZone())));
});

describe("hours: an instant", () => {
  let saigon: Zone;
  let berlin: Zone;
  before(async () => {
    saigon = await loadZone("Asia/Ho_Chi_Minh");
    berlin = await loadZone("Europe/Berlin");
  });

  const eight = Date.UTC(2026, 10, 23, 1); // 08:00 in Ho Chi Minh City

  for (const given of [
    eight,
    String(eight),
    new Date(eight),
    "2026-11-23T08:00:00+07:00",
    "2026-11-23T08:00+0700",
    "2026-11-23T08:00+07",
    "2026-11-23 01:00:00Z",
    "2026-11-23t01:00:00.000z",
    "2026-11-22T20:30:00,000000000-04:30",
  ]) {
    it(`${JSON.stringify(given)} needs no zone`, () => assert.equal(readInstant(given, UTC_CLOCK), eight));
  }

  it("is read from a Date of another realm, such as that of a function node", () => {
    assert.equal(readInstant(runInNewContext(`new Date(${eight})`), UTC_CLOCK), eight);
  });

  it("without an offset is a time on the wall clock of the zone", () => {
    assert.equal(readInstant("2026-11-23T08:00", saigon), eight);
    assert.equal(readInstant(" 2026-11-23 08:00:00 ", saigon), eight);
    assert.equal(readInstant("2026-11-23", saigon), Date.UTC(2026, 10, 22, 17));
    assert.equal(readInstant("2026-07-01T12:00:00.25", berlin), Date.UTC(2026, 6, 1, 10, 0, 0, 250));
  });

  it("without an offset is moved forward by a gap, and is the first of two", () => {
    assert.equal(readInstant("2026-03-29T02:30:15", berlin), Date.UTC(2026, 2, 29, 1, 30, 15));
    assert.equal(readInstant("2026-10-25T02:30", berlin), Date.UTC(2026, 9, 25, 0, 30));
  });

  it("is rounded down to a millisecond", () => {
    assert.equal(readInstant(eight + 0.9, UTC_CLOCK), eight);
    assert.equal(readInstant("1969-12-31T23:59:59.9999Z", UTC_CLOCK), -1);
  });

  for (const [given, key] of [
    ["tomorrow", "instantFormat"],
    ["", "instantFormat"],
    [null, "instantFormat"],
    [undefined, "instantFormat"],
    [true, "instantFormat"],
    [{}, "instantFormat"],
    // Seconds since 1970. As milliseconds they would be a day of 1970.
    ["1790000000", "instantSeconds"],
    ["1790000000.25", "instantSeconds"],
    [1_790_000_000, "instantSeconds"],
    [1_790_000_000.25, "instantSeconds"],
    ["179000000", "instantFormat"],
    ["20261123080000", "instantFormat"],
    ["2026-11-23Z", "instantFormat"],
    ["2026-11-23T08:00+25:00", "instantFormat"],
    ["Mon, 23 Nov 2026 01:00:00 GMT", "instantFormat"],
    [`2026-11-23T08:00${"0".repeat(1_000_000)}`, "instantFormat"],
    [Number.NaN, "instantInvalid"],
    [new Date("nonsense"), "instantInvalid"],
    ["2026-02-29T08:00Z", "instantInvalid"],
    ["2026-02-29T08:00", "instantInvalid"],
    ["2026-11-23T24:00", "instantInvalid"],
    ["2026-11-23T08:60", "instantInvalid"],
    ["2026-11-23T08:00:60Z", "instantInvalid"],
    [Number.POSITIVE_INFINITY, "instantRange"],
    [8.64e15, "instantRange"],
    [-8.64e15, "instantRange"],
  ] as const) {
    it(`${inspect(given).slice(0, 40)} is refused as ${key}`, () => {
      assert.throws(
        () => readInstant(given, berlin),
        (error) => error instanceof ValueError && error.key === `input.hours.${key}`,
      );
    });
  }

  it("is formatted with the zone's offset at that instant", async () => {
    const write = async (zone: string, instant: number) => formatInstant(instant, await loadZone(zone));
    assert.equal(await write("Asia/Ho_Chi_Minh", eight), "2026-11-23T08:00:00+07:00");
    assert.equal(await write("UTC", eight), "2026-11-23T01:00:00+00:00");
    assert.equal(await write("America/St_Johns", eight), "2026-11-22T21:30:00-03:30");
    assert.equal(await write("Europe/Berlin", eight + 7), "2026-11-23T02:00:00.007+01:00");
    assert.equal(await write("Europe/Berlin", Date.UTC(2026, 9, 25, 0, 30)), "2026-10-25T02:30:00+02:00");
    assert.equal(await write("Europe/Berlin", Date.UTC(2026, 9, 25, 1, 30)), "2026-10-25T02:30:00+01:00");
    // Local mean time of Berlin was 53 minutes and 28 seconds ahead of Greenwich.
    assert.equal(await write("Europe/Berlin", Date.UTC(1880, 0, 1)), "1880-01-01T00:53:00+00:53");
  });

  it("is formatted like that within a minute and across its ends, also before 1970", async () => {
    const write = instantFormatter(await loadZone("Asia/Ho_Chi_Minh"));
    assert.equal(write(eight), "2026-11-23T08:00:00+07:00");
    assert.equal(write(eight + 59_999), "2026-11-23T08:00:59.999+07:00");
    assert.equal(write(eight - 1), "2026-11-23T07:59:59.999+07:00");
    assert.equal(write(Date.UTC(1969, 0, 1, 1, 0, 7, 5)), "1969-01-01T09:00:07.005+08:00");
  });
});
