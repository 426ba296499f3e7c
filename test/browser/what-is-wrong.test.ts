import { strict as assert } from "node:assert";
import { flowOf, pairs, SANDBOX } from "../support/browser/flows";
import { withEditor } from "../support/browser/with-editor";

const CALL = { type: "call-out", ...pairs("list", { actions: [{ action: "talk", text: "Hello" }] }) };

const NODES = [
  { ...CALL, id: "fresh" },
  { ...CALL, id: "late", ...pairs("str", { notAfter: "tomorrow" }) },
  { ...CALL, id: "filled", ...pairs("str", { fromNumber: "0000000000" }) },
  { ...CALL, id: "mute", actions: [], ...pairs("str", { answerUrl: "" }) },
  { id: "gate", type: "business-hour-gate", scheduleName: "Office", onUnknown: "open" },
];

const TENANTS = [
  SANDBOX,
  { ...SANDBOX, id: "tenant-2", rate: "often" },
  { ...SANDBOX, id: "tenant-3", perNumber: "2" },
];

describe("What is wrong in a dialog", () => {
  const folds = () => editor.page.evaluate("$('.red-ui-tray-body .telephony-fold').get().map(({ open }) => open)");

  const editor = withEditor(flowOf(NODES, TENANTS));

  for (const [id, open] of [
    ["fresh", [false, false, false]],
    ["late", [false, false, true]],
    ["filled", [false, true, false]],
    ["gate", [true]],
    ["tenant-1", [false, false, false, false]],
    ["tenant-2", [true, false, false, false]],
    ["tenant-3", [false, true, false, false]],
  ] as const)
    it(`opens the folds of ${id} that hold something to see`, async () => {
      await editor.edit(id);
      assert.deepEqual(await folds(), open);
      await editor.cancel();
    });

  it("opens a collapsed section when a value in it becomes invalid", async () => {
    await editor.edit("fresh");
    await editor.page.evaluate("$('#node-input-notAfter').typedInput('value', 'soon')");
    await editor.page.waitForFunction("$('.telephony-fold').last().prop('open')");
    assert.deepEqual(await folds(), [false, false, true]);
    await editor.cancel();
  });

  it("is red while a call has nothing to say", async () => {
    await editor.edit("mute");
    const frame = editor.page.locator("#telephony-actions-list.input-error .red-ui-editableList-border");
    await frame.waitFor();
    const problem = editor.page.locator(".telephony-row:has(#telephony-actions) .telephony-problem");
    assert.match((await problem.textContent()) ?? "", /nothing to say/);
    await editor.page.click(".red-ui-editableList-addButton");
    await editor.page.keyboard.type("Hello");
    await editor.page.keyboard.press("Tab");
    await problem.waitFor({ state: "hidden" });
    assert.equal(await frame.count(), 0);
    await editor.page.locator(".red-ui-editableList-item-remove").click();
    await problem.waitFor();
    await editor.choose("#node-input-answerUrl", "str", "https://acme.example.com/answer");
    await problem.waitFor({ state: "hidden" });
    await editor.cancel();
  });
});
