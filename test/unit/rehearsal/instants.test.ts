import assert from "node:assert/strict";
import { loadZone } from "../../../src/hours";
import { instantOf } from "../../../src/workshop/rehearsal/prepare";
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
