import { strict as assert } from "node:assert";
import { join } from "node:path";
import { help } from "../../src/build/help";
import { flowOf } from "../support/browser/flows";
import { withEditor } from "../support/browser/with-editor";
import { NODE_TYPES, NODES } from "../support/node-types";
import { root } from "../support/root";

const PACKAGE = "@cloud-telephony/node-red-call-actions";

function markdownOf(language: string, type: string): string {
  return help(join(root, "locales", language), NODES.find((each) => each.type === type) ?? assert.fail(type));
}

/** Finds words of a help text as a reader sees them, where they are long enough to be found again. */
function shown(language: string, type: string): string[] {
  const prose = markdownOf(language, type).replace(/^```json\n[\s\S]*?^```$/gm, "");
  const words = prose.split(/[`*|\n]|^: .* : |^- |^#+ |---/gm).map((part) => part.trim());
  return words.filter((part) => part.length > 12);
}

/** The editor's dialogs and help of our nodes, by type and kind. */
const SCRIPTS = `Object.fromEntries($("script[data-template-name], script[data-help-name]").get()
  .filter(({ dataset }) => RED.nodes.getType(dataset.templateName ?? dataset.helpName)?.set?.module === "${PACKAGE}")
  .map((script) => [Object.values(script.dataset) + (script.dataset.helpName ? " help" : " dialog"), script.textContent]))`;

describe("The nodes' help and dialogs @markup", () => {
  const first = withEditor(flowOf([]));

  for (const language of ["en-US", "ja"])
    it(`are there in ${language}`, async () => {
      const editor = await first.beside({ locale: language });
      const scripts = (await editor.page.evaluate(SCRIPTS)) as Record<string, string>;
      const expected = NODE_TYPES.flatMap((type) => [`${type} dialog`, `${type} help`]);
      assert.deepEqual(Object.keys(scripts).sort(), expected.sort());
      for (const [which, text] of Object.entries(scripts)) {
        assert.ok(text.length > 100, which);
        assert.doesNotMatch(text, /^\s*\{\{/m, which);
      }
      for (const type of ["call-out", "business-hour-get", "telephony-control"]) {
        await editor.page.evaluate(`RED.sidebar.help.show("${type}")`);
        // Node-RED 5 has one inside the other.
        const sidebar = editor.page.locator(".red-ui-help:has(table)").last();
        const words = shown(language, type);
        assert.ok(words.length > 5);
        await sidebar.filter({ hasText: words[0] ?? "" }).waitFor();
        const text = (await sidebar.textContent()) ?? "";
        const missing = words.filter((part) => !text.includes(part));
        assert.deepEqual(missing, [], type);
        assert.ok((await sidebar.locator("tbody tr").count()) > 1, "the errors make one table");
      }
      assert.deepEqual(editor.complaints, []);
      await editor.close();
    });

  it("fit the sidebar", async () => {
    for (const type of ["call-out", "business-hour-gate"]) {
      await first.page.evaluate(`RED.sidebar.help.show("${type}")`);
      const sidebar = first.page.locator(".red-ui-help:has(td)").last();
      await sidebar.locator("td").filter({ hasText: "ERR_CONFIG" }).first().waitFor();
      const outside = await sidebar.evaluate((box) => {
        const { right } = box.getBoundingClientRect();
        return [...box.querySelectorAll("td, dt, td code, dt *, li code")]
          .filter((part) => part.getBoundingClientRect().right > right)
          .map((part) => part.textContent);
      });
      assert.deepEqual(outside, [], type);
    }
  });
});
