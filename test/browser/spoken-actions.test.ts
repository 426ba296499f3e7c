import { strict as assert } from "node:assert";
import type { Browser } from "playwright-core";
import { Editor, launch } from "./editor";
import { flowOf } from "./flows";
import { NodeRed } from "./node-red";

const ROWS = [
  { action: "talk", text: "First\nline", textType: "str" },
  { action: "talk", text: "payload.text", textType: "msg", voice: "female" },
];

describe("The list of spoken actions", () => {
  let browser: Browser;
  let nodeRed: NodeRed;
  let editor: Editor;
  const items = () => editor.page.locator("#telephony-actions-list ol > li");

  before(async function () {
    this.timeout(60_000);
    browser = await launch();
    nodeRed = await NodeRed.start(flowOf([{ id: "out", type: "call-out", actionsType: "list", actions: ROWS }]));
    editor = await Editor.open(browser, nodeRed);
  });
  after(async () => {
    await browser?.close();
    await nodeRed?.stop();
  });
  afterEach(() => assert.deepEqual(editor.complaints, []));

  it("keeps rows that nobody touches exactly as they are", async () => {
    await editor.edit("out");
    await editor.done();
    assert.deepEqual(await editor.property("out", "actions"), ROWS);
  });

  it("takes a new row, its voice, speed and repeats", async () => {
    await editor.edit("out");
    await editor.page.click(".red-ui-editableList-addButton");
    const row = items().nth(2);
    await row.locator(".telephony-spoken-text + div .red-ui-typedInput-input").fill("Goodbye");
    await row.locator("select").selectOption("hn_male_xuantin_vdts_48k-hsmm");
    await row.locator(".telephony-spoken-speed").fill("0.5");
    await row.locator(".telephony-spoken-loop").fill("1");
    await editor.done();
    const rows = (await editor.property("out", "actions")) as unknown[];
    const voice = "hn_male_xuantin_vdts_48k-hsmm";
    assert.deepEqual(rows[2], { action: "talk", text: "Goodbye", textType: "str", voice, speed: "0.5", loop: "1" });
  });

  it("moves a row by the keyboard and removes one", async () => {
    await editor.edit("out");
    await items().nth(2).locator("select").focus();
    await editor.page.keyboard.press("Alt+ArrowUp");
    await items().first().locator(".red-ui-editableList-item-remove").click();
    await editor.page.waitForFunction("document.querySelectorAll('#telephony-actions-list ol > li').length === 2");
    await editor.done();
    const rows = (await editor.property("out", "actions")) as { text: string }[];
    assert.deepEqual(
      rows.map(({ text }) => text),
      ["Goodbye", "payload.text"],
    );
  });

  it("turns red for an action without a name or a speed that is no number", async () => {
    await editor.page.evaluate("RED.nodes.node('out').actions = [{ action: '', text: 'Hello', textType: 'str' }]");
    assert.match((await editor.problems("out")).join(), /^Say or play, row 1: Action/);
    await editor.page.evaluate(
      "RED.nodes.node('out').actions = [{ action: 'talk', text: 'Hello', textType: 'str', speed: 'fast' }]",
    );
    assert.match((await editor.problems("out")).join(), /^Say or play, row 1: Speed must/);
  });

  it("can be taken from the message instead", async () => {
    await editor.edit("out");
    await editor.choose("#telephony-actions", "msg");
    assert.equal(await editor.page.isVisible("#telephony-actions-list"), false);
    await editor.done();
    const after = (await editor.deploy()).find(({ id }) => id === "out");
    assert.deepEqual([after?.["actions"], after?.["actionsType"]], ["payload.actions", "msg"]);
  });
});
