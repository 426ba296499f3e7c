import { strict as assert } from "node:assert";
import { configInput, flowOf, pairs, SANDBOX } from "../../support/browser/flows";
import { withEditor } from "../../support/browser/with-editor";

const FLOW = [
  ...flowOf([
    { id: "one", type: "subflow:sub", name: "East" },
    { id: "two", type: "subflow:sub", tenant: undefined },
    { id: "call", type: "call-out", ...pairs("mustache", { onceKey: "{{payload.id}}" }) },
  ]),
  { id: "sub", type: "subflow", name: "Ward", in: [], out: [] },
  { ...SANDBOX, id: "ward", z: "sub", name: "Nurses", ...pairs("flow", { block: "never" }) },
];

describe("A tenant in a subflow", () => {
  const editor = withEditor(FLOW);

  it("is in the tab once for each instance, with its own page", async () => {
    const { page } = editor;
    await page.evaluate("RED.sidebar.show('telephony')");
    const select = page.locator(".telephony-tab-head select");
    await select.locator("option", { hasText: "Ward" }).waitFor({ state: "attached" });
    const names = ["sandbox", "Nurses (Flow / East)", "Nurses (Flow / Ward)"];
    assert.deepEqual((await select.locator("option").allTextContents()).sort(), names.sort());
    await select.selectOption({ label: "Nurses (Flow / Ward)" });
    await page.frameLocator(".telephony-tab iframe").getByText("live", { exact: true }).waitFor();
    assert.match((await page.getAttribute(".telephony-tab iframe", "src")) ?? "", /sandbox\/two-ward\b/);
    await editor.shows(".telephony-tab-numbers > summary", /waiting/);
  });

  it("is tested from its dialog, where flow is wrong only while it belongs to none", async () => {
    const { page } = editor;
    await editor.edit("ward");
    await editor.unfold();
    await page.click("#telephony-test");
    await editor.shows("#telephony-test-result", /It works\./);
    const reason = page.locator("#telephony-block-problem", { hasText: "Use global, or put the tenant into the flow" });
    assert.equal(await reason.isVisible(), false);
    await page.selectOption("#red-ui-editor-config-scope", "");
    await reason.waitFor();
    await editor.cancel();
    await editor.edit("call");
    const named = page.getByRole("button", { name: "Edit in a larger window" });
    await editor.openFold("#node-input-onceKey");
    assert.ok(await named.first().isVisible());
    assert.equal(await page.locator(configInput("block")).count(), 0);
    await editor.cancel();
  });
});
