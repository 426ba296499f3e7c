import { strict as assert } from "node:assert";
import { contrasts } from "../support/browser/contrast";
import { flowOf, pairs, SANDBOX } from "../support/browser/flows";
import { withEditor } from "../support/browser/with-editor";
import { PALETTE } from "../support/node-types";

/** WCAG's minimum for texts. */
const READABLE = 4.5;

/** The texts of a dialog: labels, hints, folds, lists and what the dialog answers. Buttons have Node-RED's own colors. */
const TEXTS = ".red-ui-tray-body form :is(label, p, div, span, summary, pre):not(.red-ui-button *)";

/** With an overlap, of which the dialog warns. */
const WEEK = [
  { day: "mon", open: "08:00", close: "17:30" },
  { day: "mon", open: "17:00", close: "23:59" },
];

const NODES = PALETTE.map((type) => ({
  id: type,
  type,
  ...(type === "call-out" && pairs("list", { actions: [{ action: "talk", text: "Hello" }] })),
  ...(["business-hour-create", "business-hour-ensure"].includes(type) && pairs("list", { days: WEEK })),
  ...(type === "business-hour-gate" && {
    ...pairs("str", { scheduleName: "Office" }),
    ...pairs("list", { exceptions: [{ date: "2030-02-03" }] }),
  }),
}));

describe("The editor's theme @markup", () => {
  const editor = withEditor(flowOf(NODES));

  /** Opens every dialog, unfolded; returns what cannot be read. */
  async function unreadable(): Promise<string[]> {
    const found: string[] = [];
    for (const id of [...PALETTE, String(SANDBOX["id"])]) {
      await editor.edit(id);
      await editor.page.evaluate('$(".red-ui-tray-body details").prop("open", true)');
      if (id === "business-hour-gate")
        await editor.page.locator("#telephony-verdict.telephony-open, #telephony-verdict.telephony-closed").waitFor();
      const seen = await contrasts(editor.page, TEXTS);
      assert.ok(seen.length > 3, `${id} shows ${seen.length} texts`);
      for (const { text, ratio } of seen) if (ratio < READABLE) found.push(`${id}: "${text}" ${ratio.toFixed(2)}`);
      await editor.cancel();
    }
    return found;
  }

  const isDark = () => editor.page.evaluate('document.documentElement.classList.contains("nr-theme-dark")');

  it("leaves every text of the dialogs readable when it is light", async () => {
    assert.equal(await isDark(), false);
    assert.deepEqual(await unreadable(), []);
  });

  it("leaves every text readable when the user settings make it dark, and light again; Node-RED 4 has none to switch", async () => {
    if ((await editor.version()) < 5) {
      const themes = (setting: (name: string) => string) => editor.page.locator(setting("view-dark-theme")).count();
      assert.equal(await editor.inSettings(themes), 0);
      return;
    }
    await editor.setUp("view-dark-theme", "dark");
    assert.equal(await isDark(), true);
    assert.deepEqual(await unreadable(), []);
    await editor.setUp("view-dark-theme", "light");
    assert.equal(await isDark(), false);
  });
});
