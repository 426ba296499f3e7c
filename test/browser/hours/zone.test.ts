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
const NODES = [
  { id: "fresh", type: "business-hour-gate", tenant: "" },
  { id: "written", ...OWN },
].map((node) => ({ wires: [[], []], ...node }));

describe("The zone in a gate's dialog", () => {
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
});
