import { strict as assert } from "node:assert";
import { flowOf, SANDBOX } from "../support/browser/flows";
import { withEditor } from "../support/browser/with-editor";
import { NODE_TYPES, PALETTE } from "../support/node-types";
import { catalogueOf } from "../support/speaking";

/** The texts of a node's catalogue and of the shared one, by key. */
function texts(language: string, type: string): Map<string, string> {
  const found = new Map<string, string>();
  const walk = (value: unknown, path: string) => {
    if (typeof value === "string") found.set(path, value);
    else for (const [key, inner] of Object.entries(value as object)) walk(inner, `${path}.${key}`);
  };
  const catalogue = catalogueOf(language);
  for (const [key, text] of Object.entries(catalogue)) if (key === type || !NODE_TYPES.includes(key)) walk(text, key);
  return found;
}

/** The English texts of a dialog that are different in this language. */
function english(language: string, type: string): Set<string> {
  const own = texts(language, type);
  const spoken = new Set(own.values());
  return new Set(
    [...texts("en-US", type)].flatMap(([key, text]) => (own.get(key) === text || spoken.has(text) ? [] : [text])),
  );
}

/** All texts of a dialog, folded or not: labels, choices, placeholders and names for screen readers. */
const SAID = `[...document.querySelectorAll(".red-ui-tray-body form *")].flatMap((element) => [
  ...[...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.textContent),
  ...["placeholder", "title", "aria-label"].map((name) => element.getAttribute(name)),
]).map((text) => (text ?? "").trim()).filter((text) => text !== "")`;

/** A few labels of the dialogs, in the languages that the editor can be switched to and in Vietnamese. */
const LABELS: Readonly<Record<string, { category: RegExp; stop: string; callId: string; deploy: RegExp }>> = {
  vi: { category: /điện thoại/, stop: "ngắt cuộc gọi", callId: "ID cuộc gọi", deploy: /Deploy/ },
  de: { category: /Telefonie/, stop: "Anruf beenden", callId: "Anruf-ID", deploy: /bernahme/ },
  ja: { category: /電話/, stop: "通話終了", callId: "通話ID", deploy: /デプロイ/ },
  "zh-CN": { category: /电话/, stop: "结束通话", callId: "通话 ID", deploy: /部署/ },
};

describe("The editor's language", () => {
  const editor = withEditor(flowOf(PALETTE.map((type) => ({ id: type, type }))), { locale: "vi-VN" });

  async function speaks(language: string): Promise<void> {
    const { category, stop, callId, deploy } = LABELS[language] ?? assert.fail(language);
    const { page } = editor;
    const header = await page.textContent("#red-ui-palette-container-telephony .red-ui-palette-header");
    assert.match(header ?? "", category);
    const label = page.locator('[data-palette-type="call-stop"] .red-ui-palette-label');
    // Node-RED breaks a long label into lines.
    assert.equal(((await label.textContent()) ?? "").replace(/\s/g, ""), stop.replace(/\s/g, ""));
    assert.match((await page.textContent("#red-ui-header-button-deploy")) ?? "", deploy);
    await editor.edit("call-stop");
    assert.equal(((await page.textContent(".form-row:has(#node-input-callId) > label")) ?? "").trim(), callId);
    await editor.cancel();
  }

  it("is Vietnamese in a Vietnamese browser, inside the English frame that Node-RED has for it @markup", async () => {
    await speaks("vi");
    assert.match((await editor.page.textContent("#red-ui-header-button-deploy")) ?? "", /^\s*Deploy\s*$/);
  });

  it("is that of every dialog, to its last hint", async () => {
    for (const type of NODE_TYPES) {
      await editor.edit(type === "telephony-tenant" ? String(SANDBOX["id"]) : type);
      const said = (await editor.page.evaluate(SAID)) as string[];
      assert.ok(said.length > 5, `${type} says ${said.length} things`);
      const foreign = english("vi", type);
      const found = said.filter((text) => foreign.has(text));
      assert.deepEqual(found, [], type);
      await editor.cancel();
    }
  });

  for (const language of ["de", "ja", "zh-CN"])
    it(`becomes ${language} when the user settings say so`, async () => {
      await editor.setUp("editor-language", language);
      await speaks(language);
    });
});
