import { strict as assert } from "node:assert";
import { flowOf, SANDBOX } from "../support/browser/flows";
import { withEditor } from "../support/browser/with-editor";
import { CALL_ACTIONS, PALETTE } from "../support/node-types";
import { catalogueOf, LANGUAGES } from "../support/speaking";

describe("The palette", () => {
  const editor = withEditor(flowOf([]));

  it("has a category with a name, and an icon and a label for every node @markup", async () => {
    const category = await editor.page.textContent("#red-ui-palette-container-telephony .red-ui-palette-header");
    assert.match(category ?? "", /telephony/);
    assert.doesNotMatch(category ?? "", /palette\.label/);
    for (const type of CALL_ACTIONS) {
      const label = await editor.page.locator(`[data-palette-type="${type}"] .red-ui-palette-label`).textContent();
      assert.match(label ?? "", /^[a-z ]+$/, type);
      const icon = (await editor.page.evaluate(`RED.utils.getNodeIcon(RED.nodes.getType("${type}"))`)) as string;
      // A node without an icon of its own has one of the font.
      if (icon.startsWith("font-awesome/")) continue;
      const { headers } = await fetch(new URL(icon, `${editor.nodeRed.url}/`));
      assert.equal(headers.get("content-type"), "image/svg+xml", type);
    }
  });

  it("says what its category is for when the mouse rests on it, in Node-RED 5", async () => {
    if ((await editor.version()) < 5) return;
    const { description } = catalogueOf("en-US")["palette"] as { description: { telephony: string } };
    await editor.page.hover("#red-ui-palette-header-telephony");
    await editor.shows(".red-ui-popover:visible", description.telephony);
  });

  for (const [typed, types] of [
    ["telephony", PALETTE],
    ["opening hours", PALETTE.filter((type) => type.startsWith("business-hour-"))],
    ["text to speech", ["call-out"]],
  ] as const)
    it(`finds nodes by what people type: ${typed} @markup`, async () => {
      const search = editor.page.locator("#red-ui-palette-search input");
      await search.pressSequentially(typed);
      await editor.page.locator('[data-palette-type="inject"]').waitFor({ state: "hidden" });
      for (const type of types) await editor.page.locator(`[data-palette-type="${type}"]`).waitFor();
      // A category that still slides away when the search is emptied stays away.
      await editor.page.waitForFunction("$('#red-ui-palette-container :animated').length === 0");
      await search.press("Escape");
      await editor.page.locator('[data-palette-type="inject"]').waitFor();
    });

  for (const locale of LANGUAGES) {
    const name = (type: string) => (catalogueOf(locale)[type] as { type: string }).type;
    // Node-RED breaks a label between words only: up to two of them are two lines at most, whatever the font.
    const long = PALETTE.filter((type) => name(type).split(/[ -]/).length > 2);
    if (long.length === 0) continue;
    it(`shows labels of two lines at most, of whole words, in ${locale}`, async () => {
      const own = await editor.beside({ locale });
      for (const type of long) {
        const label = own.page.locator(`[data-palette-type="${type}"] .red-ui-palette-label`);
        const lines = (await label.innerHTML()).split("<br>").map((line) => line.trim());
        assert.ok(lines.length <= 2, `${type}: ${lines.join(" / ")}`);
        assert.deepEqual(lines.join(" ").split(/\s+/), name(type).split(" "), type);
      }
      await own.close();
    });
  }

  it("selects the only tenant for a node, without a problem @markup", async () => {
    for (const type of [...CALL_ACTIONS, "business-hour-gate"]) {
      const id = await editor.drop(type);
      assert.equal(await editor.property(id, "tenant"), SANDBOX["id"]);
      if (type.startsWith("call-")) assert.deepEqual(await editor.problems(id), [], type);
    }
  });

  it("starts a call-out with one action and no answer address, and call-add-user with *Listening* from the message", async () => {
    const { actions, answerUrl, answerUrlType } = await editor.written(await editor.drop("call-out"));
    assert.deepEqual(actions, [{ action: "talk", text: "payload.text", textType: "msg" }]);
    assert.deepEqual([answerUrl, answerUrlType], ["", "str"]);
    const { spyCall, spyCallType } = await editor.written(await editor.drop("call-add-user"));
    assert.deepEqual([spyCall, spyCallType], ["payload.spyCall", "msg"]);
  });

  it("selects no tenant when there are two", async () => {
    await editor.import({ ...SANDBOX, id: "tenant-2" });
    assert.equal(await editor.property(await editor.drop("call-stop"), "tenant"), "");
  });
});
