import { strict as assert } from "node:assert";
import { flowOf } from "../support/browser/flows";
import { withEditor } from "../support/browser/with-editor";

const ROWS = [
  { action: "talk", text: "First\nline", textType: "str" },
  { action: "talk", text: "payload.text", textType: "msg", voice: "female" },
];

describe("The list of spoken actions", () => {
  const items = () => editor.page.locator("#telephony-actions-list ol > li");

  const editor = withEditor(flowOf([{ id: "out", type: "call-out", actionsType: "list", actions: ROWS }]));
  afterEach(() => editor.page.evaluate("$.fx.off = true"));

  /** Opens the dialog on other rows. */
  const edit = async (actions: readonly object[]) => {
    await editor.change("out", { actions });
    await editor.edit("out");
  };

  it("leaves unedited rows exactly as they are @markup", async () => {
    await editor.reopen("out");
    assert.deepEqual(await editor.property("out", "actions"), ROWS);
  });

  it("stores a new row with its voice, speed and repeats @markup", async () => {
    await editor.edit("out");
    await editor.page.click(".red-ui-editableList-addButton");
    const row = items().nth(2);
    await row.locator("textarea").fill("Goodbye");
    await row.locator(".telephony-spoken-voice").selectOption("Xuantin – probably male, northern");
    await row.locator(".telephony-spoken-speed").fill("-2");
    await row.locator(".telephony-spoken-loop").fill("1");
    await editor.done();
    const rows = (await editor.property("out", "actions")) as unknown[];
    const voice = "hn_male_xuantin_vdts_48k-hsmm";
    assert.deepEqual(rows[2], { action: "talk", text: "Goodbye", textType: "str", voice, speed: "-2", loop: "1" });
  });

  it("marks as a guess what is added to the names of the voices, and suggests speeds in words", async () => {
    await editor.edit("out");
    const row = items().first();
    const voices = await row.locator(".telephony-spoken-voice option").allTextContents();
    assert.deepEqual([voices[0], voices[3], voices.at(-1)], ["Default voice", "Hatieumai – probably female", "other:"]);
    const title = await row.locator(".telephony-spoken-voice").getAttribute("title");
    assert.match(title ?? "", /names suggest Vietnamese/);
    const speeds = row
      .locator("datalist option")
      .evaluateAll((all) => (all as HTMLOptionElement[]).map(({ value, label }) => `${value} ${label}`));
    assert.deepEqual(await speeds, ["-2 much slower", "-1 slower", "0 normal", "1 faster", "2 much faster"]);
    const list = await row.locator("datalist").getAttribute("id");
    assert.equal(await row.locator(".telephony-spoken-speed").getAttribute("list"), list);
    await editor.cancel();
  });

  it("lets any other voice and speed be typed", async () => {
    await edit([{ action: "talk", text: "Hello", textType: "str" }]);
    await editor.page.selectOption(".telephony-spoken-voice", { label: "other:" });
    assert.equal(await editor.page.locator(".telephony-spoken-voice-other:focus").count(), 1);
    await editor.page.keyboard.type("robot");
    await editor.page.fill(".telephony-spoken-speed", "12.5");
    await editor.done();
    const row = { action: "talk", text: "Hello", textType: "str", voice: "robot", speed: "12.5" };
    assert.deepEqual(await editor.property("out", "actions"), [row]);
    await editor.edit("out");
    assert.equal(await editor.page.inputValue(".telephony-spoken-voice-other"), "robot");
    assert.equal(await editor.page.inputValue(".telephony-spoken-speed"), "12.5");
    await editor.done();
    assert.deepEqual(await editor.property("out", "actions"), [row]);
  });

  it("has room for several lines as wide as the row, and keeps its line breaks @markup", async () => {
    const written = { action: "talk", text: "One ↵ two", textType: "mustache" };
    await edit([written]);
    const area = items().first().locator("textarea");
    assert.equal(await area.inputValue(), "One ↵ two");
    const [wide, row] = await Promise.all(
      [items().locator(".red-ui-typedInput-container:has(textarea)"), items().locator(".telephony-list-row")].map(
        async (each) => (await each.boundingBox())?.width,
      ),
    );
    assert.ok(wide && row && Math.abs(row - wide) < 20, `${wide} of ${row} pixels`);
    await area.press("End");
    await area.press("Enter");
    await area.pressSequentially("{{payload.three}}");
    await editor.done();
    const [saved] = (await editor.property("out", "actions")) as object[];
    assert.deepEqual(saved, { ...written, text: "One ↵ two\n{{payload.three}}" });
  });

  it("keeps neither a path as text nor text as a path", async () => {
    const row = { action: "talk", text: "payload.text", textType: "msg" };
    await edit([row]);
    const input = "#telephony-actions-list .telephony-spoken-text";
    const area = items().first().locator("textarea");
    await editor.choose(input, "mustache");
    assert.equal(await area.inputValue(), "");
    // The cursor is in the text as soon as its type is chosen.
    await editor.page.keyboard.type("Hello {{payload.name}}");
    await editor.choose(input, "str");
    assert.equal(await area.inputValue(), "Hello {{payload.name}}");
    await editor.choose(input, "msg");
    assert.equal(await editor.page.evaluate(`$("${input}").typedInput("value")`), "payload.text");
    await editor.choose(input, "mustache");
    assert.equal(await area.inputValue(), "Hello {{payload.name}}");
    await editor.cancel();
  });

  it("advises to choose a text with fields only where that is not chosen", async () => {
    await edit([{ action: "talk", text: "Hello {payload.name}", textType: "str" }]);
    const notice = items().first().getByText("is spoken as it stands");
    assert.match((await notice.textContent()) ?? "", /Choose “text with {{fields}}”/);
    assert.equal(await editor.page.locator(".red-ui-typedInput-option-expand:not([aria-label]):visible").count(), 0);
    await editor.choose("#telephony-actions-list .telephony-spoken-text", "mustache");
    await items().first().locator("textarea").fill("Hello {payload.name}");
    assert.equal(await notice.textContent(), "{payload.name} is spoken as it stands. Write {{payload.name}}.");
    await editor.cancel();
  });

  it("asks for what is to be played", async () => {
    await edit([{ action: "talk", text: "", textType: "str" }]);
    const hint = items().first().getByText("does not document a key for it");
    assert.equal(await hint.isVisible(), false);
    await editor.choose("#telephony-actions-list .telephony-spoken-action", "play");
    await hint.waitFor();
    const area = items().first().locator('textarea[aria-label="Audio to play"]');
    assert.equal(await area.getAttribute("placeholder"), "such as https://acme.example.com/hello.mp3");
    await area.fill("https://acme.example.com/a.mp3");
    await editor.done();
    const [saved] = (await editor.property("out", "actions")) as object[];
    assert.deepEqual(saved, { action: "play", text: "https://acme.example.com/a.mp3", textType: "str" });
  });

  it("edits further keys of an action, and keeps those that it does not change @markup", async () => {
    const rows = [
      { action: "play", text: "", textType: "str" },
      { action: "wait", seconds: 5, more: { unit: "s" } },
    ];
    await edit(rows);
    const keys = (row: number) => items().nth(row).locator(".telephony-spoken-more + div .red-ui-typedInput-input");
    assert.equal(await keys(0).isVisible(), false);
    await items().first().locator(".telephony-spoken-open-more").click();
    await keys(0).fill("[]");
    await items().first().getByText("Further keys must be an object").waitFor();
    await keys(0).fill('{ "url": "https://acme.example.com/a.mp3" }');
    assert.deepEqual(JSON.parse(await keys(1).inputValue()), { unit: "s", seconds: 5 });
    await editor.done();
    const first = { ...rows[0], more: { url: "https://acme.example.com/a.mp3" } };
    assert.deepEqual(await editor.property("out", "actions"), [first, rows[1]]);
    await editor.edit("out");
    await keys(1).fill('{ "seconds": 6 }');
    await keys(0).fill("");
    await editor.done();
    assert.deepEqual(await editor.property("out", "actions"), [rows[0], { action: "wait", more: { seconds: 6 } }]);
  });

  it("moves a row by the keyboard and removes one @markup", async () => {
    await edit([...ROWS, { action: "talk", text: "Goodbye", textType: "str" }]);
    // In a menu, the keys open it.
    for (const field of ["select", ".telephony-spoken-loop"]) {
      await items().nth(2).locator(field).first().focus();
      await editor.page.keyboard.press("Alt+ArrowUp");
      await editor.page.keyboard.press("Escape");
    }
    await items().first().locator(".red-ui-editableList-item-remove").click();
    await editor.page.waitForFunction("document.querySelectorAll('#telephony-actions-list ol > li').length === 2");
    await editor.done();
    const rows = (await editor.property("out", "actions")) as { text: string }[];
    assert.deepEqual(
      rows.map(({ text }) => text),
      ["Goodbye", "payload.text"],
    );
  });

  it("marks a speed and repeats that are not numbers, while typing", async () => {
    const rows = [{ action: "talk", text: "Hello", textType: "str", speed: "fast", loop: "x" }];
    await edit(rows);
    const speed = editor.page.locator(".telephony-spoken-speed.input-error");
    await speed.waitFor();
    const reason = items().first().locator(".telephony-problem");
    assert.match((await reason.textContent()) ?? "", /^(?=.*Speed)(?=.*number)/i);
    await editor.page.fill(".telephony-spoken-speed", "1");
    await editor.page.keyboard.press("Tab");
    assert.equal(await speed.count(), 0);
    await editor.page.locator(".telephony-spoken-loop.input-error").waitFor();
    assert.match((await reason.textContent()) ?? "", /Repeats/);
    await editor.page.fill(".telephony-spoken-loop", "2");
    await editor.page.keyboard.press("Tab");
    assert.equal(await editor.page.locator("#telephony-actions-list .input-error").count(), 0);
    await editor.cancel();
  });

  it("estimates the duration of a text, but not of an audio address", async () => {
    const text = "https://acme.example.com/sound/welcome.mp3";
    const rows = ["talk", "play", "beep"].map((action) => ({ action, text, textType: "str" }));
    await edit(rows);
    await items().nth(2).waitFor();
    assert.deepEqual(await editor.page.locator(".telephony-estimate").allTextContents(), ["≈ 3 s", "", ""]);
    assert.equal(await editor.page.locator(".telephony-estimate:visible").count(), 1);
    await editor.cancel();
  });

  for (const locale of ["en-US", "de", "ja"])
    it(`stands in columns that cut no voice and break off no duration, in ${locale} @markup`, async () => {
      const rows = ["hn_female_thutrang_phrase_48k-hsmm", "banmai", ""].map((voice, index) => ({
        action: index === 1 ? "play" : "talk",
        text: "Hello. ".repeat(20 * index),
        textType: "str",
        voice,
      }));
      const other = await editor.beside({ locale });
      await other.change("out", { actions: rows });
      await other.edit("out");
      await other.page.locator("#telephony-actions-list ol > li").nth(2).waitFor();
      const places = (await other.page.evaluate(`$(".telephony-list-row").get().map((row) =>
        $(row).find("select, .red-ui-typedInput-container:has(textarea), .telephony-spoken-loop").get().map((part) => {
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
      const brokenOff = await other.page.evaluate(`$(".telephony-estimate:visible").get().filter((estimate) =>
        estimate.offsetTop > $(estimate).parent().find(".telephony-number").last().prop("offsetTop") + 20).length`);
      assert.equal(brokenOff, 0);
      await other.close();
    });

  it("labels the × of a row, and keeps the focus when a row is added or removed", async () => {
    const rows = ["One", "Two"].map((text) => ({ action: "talk", text, textType: "str" }));
    await edit(rows);
    // Node-RED lets a row fade out, and removes it then.
    await editor.page.evaluate("$.fx.off = false");
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
    assert.equal(await items().locator("textarea").inputValue(), "Goodbye");
    await editor.cancel();
  });
});
