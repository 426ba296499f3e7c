// The tour of the README: an example is imported and deployed, its form is posted, and a phone rings on the screen.
import { createRequire } from "node:module";
import { Film, HEIGHT, WIDTH } from "./film.mjs";

const require = createRequire(import.meta.url);
const { Editor } = require("../../dist/test/support/browser/editor.js");
const { ImportedExample } = require("../../dist/test/support/browser/imported-example.js");
const { NodeRed } = require("../../dist/test/support/browser/node-red.js");

const PACKAGE = "@cloud-telephony/node-red-call-actions";
const EXAMPLE = "2 Call a customer";
const SECRET = "a secret of your own";

/** The browser that takes the pictures has no voices: this silent one reports one word after the other. */
const SILENT_VOICE = `(() => {
  let word;
  const voice = { lang: "en-US", name: "silent" };
  window.SpeechSynthesisUtterance = class extends EventTarget { constructor(text) { super(); this.text = text; } };
  Object.defineProperty(window, "speechSynthesis", { value: {
    getVoices: () => [voice], addEventListener() {}, removeEventListener() {}, cancel() { clearInterval(word); },
    speak(utterance) {
      const starts = [...utterance.text.matchAll(/\\S+/g)].map(({ index }) => index);
      word = setInterval(() => {
        const next = starts.shift();
        if (next === undefined) clearInterval(word);
        const event = next === undefined ? new Event("end") : Object.assign(new Event("boundary"), { charIndex: next });
        utterance.dispatchEvent(event);
      }, 700);
    },
  } });
})()`;

/** Draws a moment at a time and writes them to a file. */
export async function answerThePhone(browser, file) {
  const nodeRed = await NodeRed.start([{ id: "first", type: "tab", label: "Flow 1" }]);
  try {
    const editor = await Editor.open(browser, nodeRed, { width: WIDTH });
    await Film.stage(editor);
    await editor.page.addInitScript(SILENT_VOICE);
    const film = new Film();
    await importExample(editor, film);
    await answer(browser, editor, film);
    await film.write(editor.page, file);
  } finally {
    await nodeRed.stop();
  }
}

async function importExample(editor, film) {
  const { page } = editor;
  await film.show(page, 0.6);
  await page.evaluate("RED.actions.invoke('core:show-examples-import-dialog')");
  const dialog = page.locator("#red-ui-clipboard-dialog");
  const label = (text) => dialog.locator(".red-ui-treeList-label:visible").getByText(text, { exact: true });
  await label(PACKAGE).click();
  await label(EXAMPLE).click();
  await film.show(page, 1.6);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  const example = await ImportedExample.from(editor, EXAMPLE);
  await example.enterSecret(SECRET);
  await film.show(page, 1.8);
  await editor.done();
  await editor.deploy();
  await film.show(page, 1.2);
}

async function answer(browser, editor, film) {
  const { page } = editor;
  const phones = page.frameLocator(".telephony-tab iframe");
  // Room for the flow and the phone: a second click hides what Node-RED 5 shows below the tab.
  await page.evaluate("RED.actions.invoke('core:toggle-left-sidebar', false)");
  await page.locator('[data-tab-id="debug"]').click();
  await page.evaluate("RED.sidebar.show('telephony')");
  await phones.getByLabel("Ask me").check();
  await film.show(page, 1.8);

  const form = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
  await form.goto(`${editor.nodeRed.url}/call-a-customer#${encodeURIComponent(SECRET)}`);
  await film.show(form, 1.2);
  await form.getByRole("button", { name: "Call me" }).click();
  await form.locator("output", { hasText: /^(?!One moment).+/ }).waitFor();
  await film.show(form, 1.6);
  await form.close();

  const green = phones.getByRole("button", { name: "Answer" });
  await green.waitFor();
  await green.hover();
  await film.show(page, 2);
  await green.click();
  for (const words of [2, 6, 10]) {
    await phones.locator(`.phone .words .said:nth-child(${words})`).waitFor();
    await film.show(page, 0.8);
  }
  await phones.getByText("Everything has been said.").waitFor();
  await film.show(page, 1);
  await phones.getByRole("button", { name: "Hang up" }).click();
  await phones.getByRole("button", { name: "Hang up" }).waitFor({ state: "detached" });
  await phones.locator("#calls .head").first().click();
  await phones.getByRole("tablist").evaluate((tabs) => tabs.scrollIntoView());
  await film.show(page, 3);
}
