import { strict as assert } from "node:assert";
import { readFile } from "node:fs/promises";
import { flowOf, inject, pairs, SANDBOX } from "../support/browser/flows";
import { withEditor } from "../support/browser/with-editor";

/** One a second: they outlast every test. */
const numbers = Array.from({ length: 600 }, (_, index) => `09${String(10_000_000 + index)}`);
const payload = JSON.stringify(numbers);
const say = (text: string) => pairs("list", { actions: [{ action: "talk", text, textType: "str" }] });

describe("A node that calls lists", () => {
  const editor = withEditor(
    flowOf(
      [
        { id: "list", type: "call-list", ...say("Hello "), wires: [[], []] },
        { id: "slow", type: "call-list", ...say("Hello"), name: "July", wires: [[], []] },
        { ...inject("go", "slow"), props: [{ p: "payload" }], payload, payloadType: "json" },
      ],
      [{ ...SANDBOX, rate: "1", country: "VN" }],
    ),
  );
  const looked = "#telephony-looked";
  const within = (place: string, name: string) => editor.page.locator(place).getByRole("button", { name, exact: true });
  const look = async (name: string, text: string) => {
    const chooser = editor.page.waitForEvent("filechooser");
    await editor.page.getByRole("button", { name: "Choose a file" }).click();
    await (await chooser).setFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
  };
  const tab = () => editor.page.locator(".telephony-tab-lists section");

  it("offers the columns of a file to the number and the text, and says which rows would be called @markup", async () => {
    const file = "Tên;Số điện thoại\nAn;0901234567\nBo;12\nChi;0901234567\nDung;0901234568\n";
    await editor.edit("list");
    await look("Khách hàng.csv", file);
    await editor.shows(looked, /Column not found: “number”/);
    await within(".telephony-row:has(#node-input-toNumber)", "Số điện thoại").click();
    await within("#telephony-actions-list", "Tên").click();
    assert.equal(await editor.page.locator(".telephony-problem:visible, .input-error:visible").count(), 0);
    await editor.done();
    const { toNumber, toNumberType, actions } = await editor.deployed("list");
    assert.deepEqual(
      [toNumber, toNumberType, actions],
      ["payload.Số điện thoại", "msg", [{ action: "talk", text: "Hello {{payload.Tên}}", textType: "mustache" }]],
    );
    await editor.edit("list");
    await look("Khách hàng.csv", file);
    await editor.shows(looked, /2 of 4 rows would be called\. .* Not called: 2 \(wrong value: 1, repeated: 1\)\.$/);
    const rows = await editor.page.locator("#telephony-look-more li").allTextContents();
    assert.deepEqual(
      rows.map((row) => row.split(":")[0]),
      ["Row 2", "Row 3"],
    );
    await editor.cancel();
  });

  it("says before the first call that zeros are missing, and puts them in front", async () => {
    await editor.edit("slow");
    await look("Excel.csv", "number\n901234567\n901234568\n");
    await editor.shows("#telephony-look-more", /The numbers of all rows may have lost their leading zero/);
    await editor.page.getByRole("button", { name: "Put a 0 in front" }).click();
    const shown = (what: string) => editor.page.evaluate(`$("#node-input-toNumber").typedInput("${what}")`);
    assert.deepEqual([await shown("type"), await shown("value")], ["mustache", "0{{payload.number}}"]);
    await editor.cancel();
  });

  it("has a bar in the tab while it calls a list, a button that stops it, and its table then @markup", async () => {
    await editor.page.evaluate("RED.sidebar.show('telephony')");
    await editor.nodeRed.press("go");
    await tab()
      .getByText(/^[1-9]\d* of 600, until about/)
      .waitFor();
    assert.ok(Number(await tab().locator("progress").getAttribute("value")) > 0);
    await tab().getByRole("button", { name: "Stop list" }).click();
    await tab().getByText("Rows that have not been called will not be called").waitFor();
    await tab().getByRole("button", { name: "Stop list" }).last().click();
    await tab().getByText("ended").waitFor();
    const download = editor.page.waitForEvent("download");
    await tab().getByRole("button", { name: "Download the table" }).click();
    const table = await readFile(await (await download).path(), "utf8");
    assert.match(table, /^\uFEFFnumber,outcome,code,reason,at\r\n0910000000,applied,[\s\S]*,not-applied,ERR_DROPPED,/);
    assert.equal(table.trimEnd().split("\r\n").length, 601);
  });

  it("stops its list with its button on the canvas, after a question", async () => {
    await editor.nodeRed.press("go");
    // Until it is seen to run: the status of the list before it shows "of 600", too. Numbers that were just called are not called again.
    await tab()
      .getByText(/^[1-9]\d* of 600\b.*, until about/)
      .waitFor();
    await editor.page.locator('[id="slow"] .red-ui-flow-node-button-button').click();
    // The answer goes away after some seconds.
    await Promise.all([
      editor.page.getByText(/^Stopped\. Rows that will not be called: \d+\.$/).waitFor(),
      editor.page.locator(".red-ui-notification").getByRole("button", { name: "Stop list" }).click(),
    ]);
  });
});
