import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { Editor, launch } from "../support/browser/editor";
import { flowOf } from "../support/browser/flows";
import { NodeRed } from "../support/browser/node-red";
import { NODE_TYPES } from "../support/node-types";
import { root } from "../support/root";

/** Types with a piece of help that the other has not. */
const PIECES = [
  ["call-out", "noData"],
  ["business-hour-get", "scheduleId"],
] as const;

const PACKAGE = "@cloud-telephony/node-red-call-actions";

/** Words of a shared piece of help as a reader sees them. */
function shown(language: string, piece: string): string[] {
  const file = join(root, "locales", language, "telephony-tenant.json");
  const { help } = JSON.parse(readFileSync(file, "utf8")) as { help: Readonly<Record<string, string>> };
  const words = (help[piece] ?? assert.fail(piece)).split(/[`*|\n]|^: .* : |^- |---/gm).map((part) => part.trim());
  return words.filter((part) => part.length > 12);
}

/** What the editor has of our nodes' dialogs and help, by type and kind. */
const SCRIPTS = `Object.fromEntries($("script[data-template-name], script[data-help-name]").get()
  .filter(({ dataset }) => RED.nodes.getType(dataset.templateName ?? dataset.helpName)?.set?.module === "${PACKAGE}")
  .map((script) => [Object.values(script.dataset) + (script.dataset.helpName ? " help" : " dialog"), script.textContent]))`;

describe("What the nodes' help and dialogs share", () => {
  let browser: Browser;
  let nodeRed: NodeRed;

  before(async function () {
    this.timeout(60_000);
    browser = await launch();
    nodeRed = await NodeRed.start(flowOf([]));
  });
  after(async () => {
    await browser?.close();
    await nodeRed?.stop();
  });

  async function noMarks(editor: Editor): Promise<void> {
    const scripts = (await editor.page.evaluate(SCRIPTS)) as Record<string, string>;
    assert.deepEqual(
      Object.keys(scripts).sort(),
      NODE_TYPES.flatMap((type) => [`${type} dialog`, `${type} help`]).sort(),
    );
    for (const [which, text] of Object.entries(scripts)) {
      assert.ok(text.length > 100, which);
      assert.doesNotMatch(text, /~|^\{\{/m, which);
    }
  }

  for (const language of ["en-US", "ja"])
    it(`is filled in, in ${language}`, async function () {
      this.timeout(30_000);
      const editor = await Editor.open(browser, nodeRed, { locale: language });
      await noMarks(editor);
      for (const [type, particular] of PIECES) {
        await editor.page.evaluate(`RED.sidebar.help.show("${type}")`);
        // Node-RED 5 has one inside the other.
        const help = editor.page.locator(".red-ui-help:has(table)").last();
        const words = [particular, "outputs", "errorsBegin", "errorTable"].flatMap((piece) => shown(language, piece));
        await help.filter({ hasText: words[0] ?? "" }).waitFor();
        const text = (await help.textContent()) ?? "";
        assert.deepEqual(
          words.filter((part) => !text.includes(part)),
          [],
          type,
        );
        assert.ok((await help.locator("tbody tr").count()) > 5, "the shared rows make one table with the others");
      }
      assert.deepEqual(editor.complaints, []);
      await editor.close();
    });

  it("fits the sidebar", async () => {
    const editor = await Editor.open(browser, nodeRed);
    for (const type of ["call-out", "business-hour-gate"]) {
      await editor.page.evaluate(`RED.sidebar.help.show("${type}")`);
      const help = editor.page.locator(".red-ui-help:has(td)").last();
      await help.locator("td").filter({ hasText: "ERR_CONFIG" }).first().waitFor();
      const outside = await help.evaluate((box) => {
        const { right } = box.getBoundingClientRect();
        return [...box.querySelectorAll("td, dt, td code, dt *, li code")]
          .filter((part) => part.getBoundingClientRect().right > right)
          .map((part) => part.textContent);
      });
      assert.deepEqual(outside, [], type);
    }
    assert.deepEqual(editor.complaints, []);
    await editor.close();
  });

  it("is filled in when nodes come while the editor is open, the tenant last", async () => {
    const editor = await Editor.open(browser, nodeRed);
    const before = (await editor.page.evaluate(SCRIPTS)) as Record<string, string>;
    await editor.page.evaluate(`(async () => {
      const section = (type) => $.ajax({ url: "nodes/${PACKAGE}/" + type, headers: { Accept: "text/html" } });
      const sections = await Promise.all([section("call-stop"), section("telephony-tenant")]);
      $("script[data-help-name=call-stop], script[data-template-name=call-stop]").remove();
      // Without its script, which would say that the node is there.
      const parts = $("<div>" + sections[0] + "</div>");
      parts.find('script[type="text/javascript"]').remove();
      $("#red-ui-editor-node-configs").append(parts);
      if (!/\\{\\{outputs\\}\\}/.test($("script[data-help-name=call-stop]").text())) throw new Error("has no marks");
      $("#red-ui-editor-node-configs").append($("<div>" + sections[1] + "</div>"));
    })()`);
    await noMarks(editor);
    assert.deepEqual(await editor.page.evaluate(SCRIPTS), before);
    assert.deepEqual(editor.complaints, []);
    await editor.close();
  });
});
