import { strict as assert } from "node:assert";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { flowOf, SANDBOX } from "../support/browser/flows";
import { withEditor } from "../support/browser/with-editor";
import { root } from "../support/root";

/** The dialogs with choices in a menu, which shows no more of a text than fits. */
const TYPES = ["call-out", "business-hour-list", "business-hour-gate", "telephony-control", "call-escalate"];

/** Choices and labels of the open dialog that are wider than their place. */
const CUT_OFF = `(() => {
  const arrow = 24;
  const pen = document.createElement("canvas").getContext("2d");
  const seen = (element) => element.offsetParent !== null;
  const choices = [...document.querySelectorAll(".red-ui-tray .telephony-row select")].filter(seen).flatMap((select) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(select);
    pen.font = font;
    const room = select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - arrow;
    return [...select.options].map(({ text }) => text).filter((text) => pen.measureText(text).width > room);
  });
  const labels = [...document.querySelectorAll(".red-ui-tray .telephony-row :is(label, button, a.red-ui-button)")];
  const clipped = labels.filter((label) => seen(label) && label.scrollWidth > label.clientWidth + 1);
  return [...choices, ...clipped.map(({ textContent }) => textContent)];
})()`;

describe("The dialogs in every language", () => {
  const first = withEditor(flowOf(TYPES.map((type) => ({ id: type, type }))));

  for (const locale of readdirSync(join(root, "locales")))
    it(`cut off no choice and no label in ${locale}`, async () => {
      const editor = await first.beside({ locale });
      const cut: Record<string, unknown> = {};
      for (const id of [...TYPES, String(SANDBOX["id"])]) {
        await editor.edit(id);
        await editor.unfold();
        cut[id] = await editor.page.evaluate(CUT_OFF);
        await editor.cancel();
      }
      assert.deepEqual(Object.values(cut).flat(), []);
      assert.equal(
        await editor.page.evaluate("RED.nodes.node('tenant-1')._('label.tenant') !== 'Tenant'"),
        locale !== "en-US",
      );
      assert.deepEqual(editor.complaints, []);
      await editor.close();
    });
});
