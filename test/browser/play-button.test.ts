import { strict as assert } from "node:assert";
import { flowOf } from "../support/browser/flows";
import { withEditor } from "../support/browser/with-editor";

const ROWS = [
  { action: "talk", text: "Your order is ready.", textType: "str", speed: "-2" },
  { action: "talk", text: "Đơn hàng của bạn đã sẵn sàng.", textType: "str" },
  { action: "talk", text: "payload.text", textType: "msg" },
  { action: "talk", text: "ご注文の品が届きました。", textType: "str" },
  { action: "play", text: "https://acme.example.com/hello.mp3", textType: "str" },
];

/** A headless Chromium has no voices: this replaces its speech, and records the texts. */
const SPEECH = `(() => {
  const events = new EventTarget();
  const speech = window.speech = { said: [], voices: [], current: undefined };
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
  Object.defineProperty(window, "speechSynthesis", { value: {
    getVoices: () => speech.voices,
    speak(utterance) { speech.current = utterance; speech.said.push(utterance); },
    cancel() { const was = speech.current; speech.current = undefined; was?.onerror?.({}); },
    addEventListener: (...given) => events.addEventListener(...given),
    removeEventListener: (...given) => events.removeEventListener(...given),
  } });
  speech.load = (...languages) => {
    speech.voices = languages.map((lang) => ({ lang }));
    events.dispatchEvent(new Event("voiceschanged"));
  };
})()`;

describe("The play button of a spoken action", () => {
  const buttons = () => editor.page.locator("#telephony-actions-list .telephony-spoken-hear");
  const said = () => editor.page.evaluate("speech.said.map(({ text, lang, rate }) => ({ text, lang, rate }))");
  const speaking = () => editor.page.evaluate("speech.current?.text");

  const editor = withEditor(() => {
    const lists = { actionsType: "list", actions: ROWS };
    const out = { id: "out", type: "call-out", ...lists };
    return flowOf([out, { id: "escalation", type: "call-escalate", ...lists }]);
  });
  before(async () => {
    await editor.page.evaluate(SPEECH);
  });
  beforeEach(async () => {
    await editor.page.evaluate("speech.said = []; speech.load('en-GB', 'vi-VN')");
    await editor.edit("out");
  });
  afterEach(async () => {
    await editor.cancel();
    assert.deepEqual(editor.complaints, []);
  });

  it("speaks the text in its language and at its speed, and says that it is an approximation", async () => {
    assert.match((await buttons().nth(0).getAttribute("title")) ?? "", /approximation/);
    await buttons().nth(0).click();
    await buttons().nth(1).click();
    const [english, vietnamese] = (await said()) as { text: string; lang: string; rate: number }[];
    assert.equal(english?.text, ROWS[0]?.text);
    assert.equal(english?.lang, "en");
    assert.ok(english && english.rate < 1, "-2 is slower than the default");
    assert.deepEqual(vietnamese, { text: ROWS[1]?.text, lang: "vi", rate: 1 });
  });

  it("stops when it is pressed again, and when another row begins", async () => {
    const [first, second] = [buttons().nth(0), buttons().nth(1)];
    await first.click();
    assert.equal(await first.getAttribute("title"), "Stop");
    await first.click();
    assert.equal(await speaking(), undefined);
    assert.notEqual(await first.getAttribute("title"), "Stop");
    await first.click();
    await second.click();
    assert.equal(await speaking(), ROWS[1]?.text);
    assert.notEqual(await first.getAttribute("title"), "Stop");
    assert.equal(await second.getAttribute("title"), "Stop");
  });

  it("is ready again at the end of the text", async () => {
    await buttons().nth(0).click();
    await editor.page.evaluate("speech.current.onend({})");
    assert.match((await buttons().nth(0).getAttribute("title")) ?? "", /approximation/);
  });

  it("speaks the text in the field, not that in the flow file", async () => {
    await editor.page.locator("#telephony-actions-list textarea").first().fill("Come in, please.");
    await buttons().nth(0).click();
    assert.equal(await speaking(), "Come in, please.");
  });

  it("falls silent when its dialog is closed or its row removed", async () => {
    await buttons().nth(0).click();
    await editor.cancel();
    assert.equal(await speaking(), undefined);
    await editor.edit("out");
    await buttons().nth(0).click();
    await editor.page.locator("#telephony-actions-list .red-ui-editableList-item-remove").first().click();
    await editor.page.waitForFunction("speech.current === undefined");
  });

  it("explains why it cannot play a text from a message", async () => {
    assert.equal(await buttons().nth(2).isDisabled(), true);
    assert.match((await buttons().nth(2).getAttribute("title")) ?? "", /fixed text/);
    assert.equal(await buttons().nth(4).isVisible(), false, "an audio file is not spoken");
  });

  it("reports that the browser has no voice for the language, until it has one", async () => {
    const japanese = buttons().nth(3);
    assert.equal(await japanese.isDisabled(), true);
    assert.match((await japanese.getAttribute("title")) ?? "", /no voice for this language: Japanese/);
    await editor.page.evaluate("speech.load('ja-JP')");
    assert.equal(await japanese.isDisabled(), false);
    assert.equal(await buttons().nth(0).isDisabled(), true, "English now has none");
  });

  it("works with the keyboard, and in the list of an escalation too", async () => {
    await editor.cancel();
    await editor.edit("escalation");
    await buttons().nth(1).press("Enter");
    assert.equal(await speaking(), ROWS[1]?.text);
    await buttons().nth(1).press("Space");
    assert.equal(await speaking(), undefined);
  });
});
