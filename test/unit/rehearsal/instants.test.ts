import assert from "node:assert/strict";
import { loadZone } from "../../../src/hours";
import { instantOf, timed } from "../../../src/workshop/rehearsal/instants";
import { CannotRehearse } from "../../../src/workshop/rehearsal/world";

describe("instants of a world", () => {
  const from = Date.parse("2027-03-27T09:30:00+01:00");
  const cases: Readonly<Record<string, string>> = {
    "+90s": "2027-03-27T09:31:30+01:00",
    "+2h": "2027-03-27T11:30:00+01:00",
    "09:30": "2027-03-27T09:30:00+01:00",
    "09:29": "2027-03-28T09:29:00+02:00",
    "2027-03-28T12:00": "2027-03-28T12:00:00+02:00",
    "2027-03-28T12:00Z": "2027-03-28T12:00:00Z",
  };
  for (const [text, instant] of Object.entries(cases))
    it(`reads ${text}, over a change of the clock`, async () =>
      assert.equal(instantOf(text, from, await loadZone("Europe/Berlin")), Date.parse(instant)));

  it("refuses everything else with a sentence", async () => {
    const zone = await loadZone("Europe/Berlin");
    for (const text of ["", "soon", "25:00", "+90", "2027-02-30T10:00"])
      assert.throws(() => instantOf(text, from, zone), CannotRehearse);
  });
});

describe("inputs of a world that come every so often", () => {
  const shown = async (every: string, until?: string, at = "09:30", end = "2027-03-29T09:30:00+02:00") => {
    const from = Date.parse("2027-03-27T09:00:00+01:00");
    const input = { inject: "A", at, every, ...(until && { until }) };
    const zone = await loadZone("Europe/Berlin");
    return timed([input], from, Date.parse(end), zone).map((each) => new Date(each.at).toISOString());
  };

  it("keep the local time over a change of the clock, by days", async () =>
    assert.deepEqual(await shown("1d"), ["2027-03-27T08:30:00.000Z", "2027-03-28T07:30:00.000Z"]));

  it("keep the distance, by hours, and end before until", async () =>
    assert.deepEqual(await shown("12h", "2027-03-28T21:30:00Z"), [
      "2027-03-27T08:30:00.000Z",
      "2027-03-27T20:30:00.000Z",
      "2027-03-28T08:30:00.000Z",
      "2027-03-28T20:30:00.000Z",
    ]));

  it("end before until, and with the rehearsal", async () => {
    assert.deepEqual(await shown("1m", "+31m"), ["2027-03-27T08:30:00.000Z"]);
    assert.equal((await shown("1h", "2028-01-01")).length, 47);
  });

  it("are at most 10,000", async () => {
    const last = (minutes: number) => `+${30 + minutes}m`;
    const end = "2028-01-01T00:00:00Z";
    assert.equal((await shown("1m", last(10_001), "09:30", end)).length, 10_001);
    await assert.rejects(shown("1m", last(10_002), "09:30", end), /More than 10000 inputs .*09:30 less often/);
  });

  it("are refused when they end before they begin, or end without being repeated", async () => {
    await assert.rejects(shown("1h", "09:30"), /at 09:30 ends before it begins/);
    const zone = await loadZone("Europe/Berlin");
    assert.throws(() => timed([{ inject: "A", at: "+1m", until: "+2m" }], 0, 1e6, zone), /has until and no every/);
  });
});
