import { strict as assert } from "node:assert";
import { hostZone } from "../../../src/hours";
import { flowOf, SANDBOX } from "../../support/browser/flows";
import { withEditor } from "../../support/browser/with-editor";

/** The browser's, where the server is elsewhere. */
const ZONE = hostZone() === "Asia/Tokyo" ? "Europe/Berlin" : "Asia/Tokyo";

const OWN = {
  type: "business-hour-gate",
  tenant: "",
  source: "value",
  schedule: [{ day: "mon", open: "08:00", close: "12:00" }],
  scheduleType: "list",
};
const EXCEPTIONS = [
  { date: "2030-02-04", name: "New Year" },
  { from: "2030-02-05", to: "2030-02-06", hours: [{ open: "09:00", close: "10:00" }] },
];
const NODES = [
  { id: "fresh", type: "business-hour-gate", tenant: "" },
  { id: "written", ...OWN },
  { id: "special", ...OWN, timezone: "UTC", exceptions: EXCEPTIONS, exceptionsType: "list" },
  { id: "office", type: "business-hour-gate", scheduleName: "Office", exceptions: EXCEPTIONS, exceptionsType: "list" },
].map((node) => ({ wires: [[], []], ...node }));

describe("The zone and the exceptions in a gate's dialog", () => {
  const zone = () => editor.page.evaluate("$('#node-input-timezone').typedInput('value')");
  const verdict = (text: RegExp) => editor.shows("#telephony-verdict", text);

  const editor = withEditor(flowOf(NODES, [SANDBOX]), { timezone: ZONE });

  it("shows the zone beside the week, and fills in the browser's for a new gate without a tenant", async () => {
    await editor.edit("fresh");
    assert.equal(await zone(), ZONE);
    await editor.page.selectOption("#node-input-tenant", "tenant-1");
    assert.equal(await zone(), "");
    await editor.page.evaluate("$('#node-input-tenant').val('').trigger('change')");
    await editor.page.selectOption("#telephony-hours", "own");
    await editor.page.click('button[aria-label="Monday: add interval"]');
    assert.equal(await zone(), ZONE);
    assert.ok(await editor.page.locator("#node-input-timezone-shown").isVisible());
    await verdict(new RegExp(ZONE));
    await editor.done();
    const { timezone, timezoneType } = await editor.deployed("fresh");
    assert.deepEqual({ timezone, timezoneType }, { timezone: ZONE, timezoneType: "str" });
  });

  it("warns where the server's zone is used although the browser's differs", async () => {
    await editor.edit("written");
    assert.equal(await zone(), "");
    await editor.shows("#telephony-zone-note", `server's time zone, ${hostZone()}. Your browser is in ${ZONE}.`);
    await editor.choose("#node-input-timezone", "str", ZONE);
    await editor.page.locator("#telephony-zone-note").waitFor({ state: "hidden" });
    await editor.choose("#node-input-timezone", "env", "TZ_OF_OFFICE");
    await verdict(/depends on an environment variable/);
    await editor.cancel();
  });

  it("shows the exceptions of the week in its picture, for a schedule of the tenant and for its own", async () => {
    for (const [id, picture] of [
      ["office", "#telephony-verdict-week"],
      ["special", "#telephony-own .telephony-picture"],
    ] as const) {
      await editor.edit(id);
      await editor.page.fill("#telephony-instant", "2030-02-04T09:00");
      await verdict(/closed until .* an exception: New Year/);
      const words = editor.page.locator(`${picture} .telephony-exception`);
      assert.deepEqual(await words.allTextContents(), [
        "Monday, New Year: closed all day",
        "Tuesday, Exception: 09:00–10:00",
        "Wednesday, Exception: 09:00–10:00",
      ]);
      const days = editor.page.locator(`${picture} .telephony-line-of-day`);
      assert.equal(await days.nth(0).locator("i").count(), 0);
      const bars = days.nth(1).locator("i");
      assert.deepEqual([await bars.count(), await bars.first().getAttribute("title")], [1, "09:00–10:00"]);
      const label = await editor.page.getAttribute(picture, "aria-label");
      assert.match(label ?? "", /Monday, New Year: closed all day\n/);
      await editor.page.fill("#telephony-instant", "2030-02-11T09:00");
      await verdict(/open until 12:00 · weekly hours/);
      assert.equal(await words.count(), 0);
      assert.equal(await days.nth(0).locator("i").first().getAttribute("title"), "08:00–12:00");
      await editor.cancel();
    }
  });
});
