import { strict as assert } from "node:assert";
import { flowOf } from "../support/browser/flows";
import { withEditor } from "../support/browser/with-editor";

describe("A user with read permission only", () => {
  const nodes = [
    { id: "gate", type: "business-hour-gate", scheduleName: "Office", wires: [[], []] },
    { id: "get", type: "business-hour-get", scheduleId: "1", scheduleIdType: "str" },
  ];
  // Users who are not logged in may read.
  const adminAuth = { type: "credentials", users: [], default: { permissions: ["*.read"] } };
  const editor = withEditor(flowOf(nodes), { settings: { adminAuth } });

  it("sees a tenant's waiting messages, and cannot hold or drop them", async () => {
    await editor.edit("tenant-1");
    await editor.shows("#telephony-state", /0 waiting · 0 in flight/);
    assert.equal(await editor.page.isDisabled("#telephony-hold"), true);
    assert.equal(await editor.page.isDisabled("#telephony-drop"), true);
    await editor.page.click("#telephony-count");
    await editor.page.click("#telephony-test");
    await editor.shows("#telephony-test-result", /do not have permission/);
    await editor.cancel();
  });

  it("sees a gate's result", async () => {
    await editor.edit("gate");
    await editor.page.fill("#telephony-instant", "2030-01-07T09:00");
    await editor.shows("#telephony-verdict", /open until 12:00/);
    await editor.cancel();
  });

  it("sees the schedules of a tenant", async () => {
    await editor.edit("get");
    await editor.page.click("#node-input-scheduleId + .red-ui-typedInput-container .red-ui-typedInput-option-expand");
    await editor.shows(".red-ui-menu:visible li", "Office");
    await editor.page.keyboard.press("Escape");
    await editor.cancel();
  });
});
