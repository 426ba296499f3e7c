// The rehearsal of the README: a week of orders is rehearsed in the tab, its report is read, and a test fails once a text is changed.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "../preconditions.mjs";
import { Film, HEIGHT, WIDTH } from "./film.mjs";

const require = createRequire(import.meta.url);
const { Editor } = require("../../dist/test/support/browser/editor.js");
const { NodeRed } = require("../../dist/test/support/browser/node-red.js");

const EXAMPLE = join(root, "examples", "3 Only call during business hours");
const SECRET = "open-sesame";
const NAMES = ["Ada", "Ben", "Chi", "Dan", "Eva", "Fay", "Gus"];

const order = (at, index) => ({
  at,
  post: "/call-in-business-hours",
  headers: { "x-call-secret": `\${CALL_SECRET}` },
  body: { name: NAMES[index % NAMES.length], number: `09123456${String(index).padStart(2, "0")}` },
});

/** Draws a moment at a time and writes them to a file. */
export async function rehearseNextWeek(browser, file) {
  const flow = JSON.parse(readFileSync(`${EXAMPLE}.json`, "utf8"));
  const withSecret = flow.map((node) =>
    node.type === "tab" ? { ...node, env: [{ name: "CALL_SECRET", type: "str", value: SECRET }] } : node,
  );
  const nodeRed = await NodeRed.start(withSecret);
  try {
    const [called] = JSON.parse(readFileSync(`${EXAMPLE}.tests`, "utf8")).tests;
    const orders = Array.from({ length: 60 }, (_, index) => order(`+${9973 * index}s`, index));
    const week = {
      name: "A week of orders",
      from: "2026-12-07T00:00",
      days: 7,
      when: orders,
      then: [{ response: 1, status: 409 }],
    };
    writeFileSync(join(nodeRed.userDir, "flows.tests.json"), JSON.stringify({ tests: [week, called] }));
    const editor = await Editor.open(browser, nodeRed, { width: WIDTH });
    await Film.stage(editor);
    const film = new Film();
    const caller = flow.find(({ type }) => type === "call-out").id;
    const panel = editor.page.locator(".telephony-rehearsal");
    await rehearse(editor, panel, film);
    await test(editor, panel, film, { name: called.name, caller });
    await film.write(editor.page, file);
  } finally {
    await nodeRed.stop();
  }
}

async function rehearse({ page }, panel, film) {
  await page.evaluate("RED.actions.invoke('core:toggle-left-sidebar', false)");
  // Room for the panel: a second click hides what Node-RED 5 shows below the tab.
  await page.locator('[data-tab-id="debug"]').click();
  await page.evaluate("RED.sidebar.show('telephony')");
  await panel.locator("summary").first().click();
  await panel.locator(".telephony-flow-test").first().waitFor();
  await page.mouse.move(300, 600);
  await film.show(page, 1.2);
  await panel.getByLabel("From").fill("2026-12-07T00:00");
  await panel.getByLabel("What comes in").selectOption("A week of orders");
  await film.show(page, 1.2);
  await panel.getByRole("button", { name: "Rehearse" }).click();
  const open = panel.getByText("Open the report");
  await open.waitFor();
  await film.show(page, 2);
  const [report] = await Promise.all([page.context().waitForEvent("page"), open.click()]);
  await report.setViewportSize({ width: WIDTH, height: HEIGHT });
  await report.locator("#calls").waitFor();
  await film.show(report, 3.5);
  await report.close();
}

async function test(editor, panel, film, { name, caller }) {
  const { page } = editor;
  const fold = panel.locator(".telephony-flow-test", { hasText: name });
  const run = async (icon) => {
    await fold.getByRole("button", { name: "Run" }).click();
    await fold.locator(icon).waitFor();
    await panel.locator("h4").evaluate((title) => title.scrollIntoView());
    await film.show(page, 2);
  };
  const enlarge = () => panel.getByRole("button", { name: "Enlarge" }).click();
  await enlarge();
  await fold.locator("summary").click();
  await run(".fa-check");
  await page.keyboard.press("Escape");

  await editor.edit(caller);
  const text = page.locator(".telephony-said textarea, .telephony-list-row textarea").first();
  await text.fill((await text.inputValue()).replace("Hello", "Good day"));
  await film.show(page, 1.5);
  await editor.done();
  await enlarge();
  await run(".fa-times");
  await page.keyboard.press("Escape");

  await page.evaluate("RED.actions.invoke('core:undo')");
  await enlarge();
  await run(".fa-check");
}
