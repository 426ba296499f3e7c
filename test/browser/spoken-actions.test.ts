import { strict as assert } from "node:assert";
import type { Browser } from "playwright-core";
import { Editor, launch } from "../support/browser/editor";
import { flowOf } from "../support/browser/flows";
import { NodeRed } from "../support/browser/node-red";

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

  it("leaves unedited rows exactly as they are", async () => {
    await editor.edit("out");
    await editor.done();
    assert.deepEqual(await editor.property("out", "actions"), ROWS);
  });

  it("stores a new row with its voice, speed and repeats", async () => {
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

  it("turns red for an action without a name or with a speed that is not a number", async () => {
    await editor.page.evaluate("RED.nodes.node('out').actions = [{ action: '', text: 'Hello', textType: 'str' }]");
    assert.match((await editor.problems("out")).join(), /^Say or play, row 1: Action/);
    await editor.page.evaluate(
      "RED.nodes.node('out').actions = [{ action: 'talk', text: 'Hello', textType: 'str', speed: 'fast' }]",
    );
    assert.match((await editor.problems("out")).join(), /^Say or play, row 1: Speed must/);
  });

  it("marks a speed that is not a number while typing, and accepts any text as repeats", async () => {
    const rows = [{ action: "talk", text: "Hello", textType: "str", speed: "fast", loop: "x" }];
    await editor.page.evaluate(`RED.nodes.node('out').actions = ${JSON.stringify(rows)}`);
    await editor.edit("out");
    const speed = editor.page.locator(".telephony-spoken-speed.input-error");
    assert.match((await speed.getAttribute("title")) ?? "", /Speed must be a number/);
    assert.equal(await editor.page.locator(".telephony-spoken-loop.input-error").count(), 0);
    await editor.page.fill(".telephony-spoken-speed", "1");
    await editor.page.keyboard.press("Tab");
    assert.equal(await speed.count(), 0);
    await editor.page.fill(".telephony-spoken-loop", "y");
    await editor.page.keyboard.press("Tab");
    assert.equal(await editor.page.locator("#telephony-actions-list .input-error").count(), 0);
    await editor.cancel();
  });

  it("estimates the duration of a text, but not of an audio address", async () => {
    const text = "https://acme.example.com/sound/welcome.mp3";
    const rows = ["talk", "play", "beep"].map((action) => ({ action, text, textType: "str" }));
    await editor.page.evaluate(`RED.nodes.node('out').actions = ${JSON.stringify(rows)}`);
    await editor.edit("out");
    await items().nth(2).waitFor();
    assert.deepEqual(await editor.page.locator(".telephony-estimate").allTextContents(), ["≈ 3 s", "", ""]);
    await editor.cancel();
  });

  for (const locale of ["en-US", "de", "ja"])
    it(`stands in columns that cut no voice off, in ${locale}`, async () => {
      const rows = ["hn_female_thutrang_phrase_48k-hsmm", "banmai", ""].map((voice, index) => ({
        action: index === 1 ? "play" : "talk",
        text: "Hello. ".repeat(20 * index),
        textType: "str",
        voice,
      }));
      const other = await Editor.open(browser, nodeRed, { locale });
      await other.page.evaluate(`RED.nodes.node('out').actions = ${JSON.stringify(rows)}`);
      await other.edit("out");
      await other.page.locator("#telephony-actions-list ol > li").nth(2).waitFor();
      const places = (await other.page.evaluate(`$(".telephony-list-row").get().map((row) =>
        $(row).find("select, .telephony-spoken-speed, .telephony-spoken-loop, .telephony-estimate").get().map((part) => {
          const { left, width } = part.getBoundingClientRect();
          return [Math.round(left), Math.round(width)];
        }))`)) as number[][][];
      assert.deepEqual(places, [places[0], places[0], places[0]]);
      const [shown, wanted] = (await other.page.evaluate(`(() => {
        const voice = $(".telephony-spoken-voice").first();
        const free = voice.clone().css({ position: "absolute", maxWidth: "none" }).insertAfter(voice);
        return [voice, free].map((each) => each[0].getBoundingClientRect().width);
      })()`)) as [number, number];
      assert.ok(shown >= wanted, `${shown} of ${wanted} pixels`);
      await other.close();
    });

  it("names the × of a row, and keeps the focus when one comes or goes", async () => {
    const rows = ["One", "Two"].map((text) => ({ action: "talk", text, textType: "str" }));
    await editor.page.evaluate(`RED.nodes.node('out').actions = ${JSON.stringify(rows)}`);
    await editor.edit("out");
    const remove = items().locator(".red-ui-editableList-item-remove");
    assert.equal(await remove.first().getAttribute("aria-label"), "remove this row");
    await remove.first().press("Enter");
    await editor.page.waitForFunction("document.querySelectorAll('#telephony-actions-list ol > li').length === 1");
    assert.equal(await items().locator("*:focus").count(), 1);
    await remove.first().press("Enter");
    await editor.page.waitForFunction("document.querySelectorAll('#telephony-actions-list ol > li').length === 0");
    assert.equal(await editor.page.locator("#telephony-actions-list .red-ui-editableList-addButton:focus").count(), 1);
    await editor.page.keyboard.press("Enter");
    await editor.page.keyboard.type("Goodbye");
    assert.equal(
      await items().locator(".telephony-spoken-text + div .red-ui-typedInput-input").inputValue(),
      "Goodbye",
    );
    await editor.cancel();
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
