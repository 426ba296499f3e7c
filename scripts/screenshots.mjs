// npm run screenshots               the pictures of README and docs: every dialog, light and dark, an example and a report
// npm run screenshots -- call-stop  some of them: dialogs by their node, `example`, `report`
import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { needNode, refuse, root } from "./preconditions.mjs";

needNode("22.9.0", "Taking screenshots, which starts Node-RED 5,");
const require = createRequire(import.meta.url);
const { Editor, launch } = require("../dist/test/support/browser/editor.js");
const { flowOf, SANDBOX } = require("../dist/test/support/browser/flows.js");
const { rehearse } = require("../dist/src/workshop/rehearsal/rehearse.js");
const { htmlOf } = require("../dist/src/workshop/report/html.js");
const { NodeRed } = require("../dist/test/support/browser/node-red.js");
const { NODE_TYPES, PALETTE } = require("../dist/test/support/node-types.js");

const docs = join(root, "docs");
const EXAMPLES = globSync(join(root, "examples", "*.json"))
  .sort()
  .flatMap((file) => JSON.parse(readFileSync(file, "utf8")));

const OTHERS = { example, report };
const all = [...NODE_TYPES, ...Object.keys(OTHERS)];
const asked = process.argv.slice(2);
const unknown = asked.find((name) => !all.includes(name));
if (unknown) refuse(`There is no picture "${unknown}". There are: ${all.join(", ")}.`);
const wanted = asked.length > 0 ? asked : all;

const browser = await launch();
try {
  const types = NODE_TYPES.filter((type) => wanted.includes(type));
  if (types.length > 0) await dialogs(types);
  for (const [name, take] of Object.entries(OTHERS)) if (wanted.includes(name)) await take();
} finally {
  await browser.close();
}

/** Takes a picture of each dialog, in the first example that has it. A week is entered, also where a message brings it there. */
async function dialogs(types) {
  const place = { z: "flow-tab", g: undefined, wires: [], tenant: SANDBOX.id };
  const days = ["mon", "tue", "wed", "thu", "fri"].map((day) => ({ day, open: "08:00", close: "17:30" }));
  const inUse = (type) => {
    const node = EXAMPLES.find((each) => each.type === type);
    return { ...node, ...place, id: type, type, ...(node.days && { days, daysType: "list" }) };
  };
  const nodeRed = await NodeRed.start(flowOf(PALETTE.map(inUse)));
  for (const dark of [false, true]) {
    const editor = await Editor.open(browser, nodeRed, { dark, width: 1100 });
    // The browsers of readers have voices, this one has none.
    await editor.page.evaluate("speechSynthesis.getVoices = () => [{ lang: 'en-US' }]");
    for (const type of types) {
      await editor.edit(type === SANDBOX.type ? SANDBOX.id : type);
      await editor.page.waitForTimeout(400);
      const tray = editor.page.locator(".red-ui-tray").last();
      await tray.screenshot({ path: join(docs, "dialogs", `${type}-${dark ? "dark" : "light"}.png`) });
      await editor.cancel();
    }
    await editor.close();
  }
  await nodeRed.stop();
}

/** The flow of an example, and a phone that it makes ring in the sidebar. */
async function example() {
  process.env.CALL_SECRET = "a secret for a picture";
  const nodeRed = await NodeRed.start(exampleFlow("2 Call a customer"));
  const sharp = { newPage: (options) => browser.newPage({ ...options, deviceScaleFactor: 2 }) };
  const { page } = await Editor.open(sharp, nodeRed);
  await page.addStyleTag({ content: "#red-ui-notifications, .red-ui-tips { display: none !important }" });
  await page.evaluate("RED.actions.invoke('core:toggle-left-sidebar', false)");
  // Room for the phone: a second click hides what Node-RED 5 shows below the tab.
  await page.locator('[data-tab-id="debug"]').click();
  await page.evaluate("RED.sidebar.show('telephony')");
  const phones = page.frameLocator(".telephony-tab iframe");
  await phones.getByLabel("Ask me").check();
  await page.locator(".red-ui-flow-node-button-button").first().click();
  await page.locator(".red-ui-flow-node-status-label", { hasText: "accepted" }).waitFor();
  await phones.getByRole("button", { name: "Answer" }).hover();
  await page.screenshot({ path: join(docs, "answer-the-phone.png"), clip: { x: 0, y: 0, width: 1200, height: 700 } });
  await page.evaluate("RED.actions.invoke('core:toggle-sidebar', false)");
  await page
    .locator(".red-ui-flow-group")
    .first()
    .screenshot({ path: join(docs, "call-a-customer.png") });
  await page.close();
  await nodeRed.stop();
}

/** The report of a week of orders that come at any hour, of which some come twice. */
async function report() {
  const names = ["Ada", "Ben", "Chi", "Dan", "Eva", "Fay", "Gus", "Hoa", "Ivo", "Jan"];
  const order = (at, index) => {
    const [name, number] = [names[index % names.length], `09123456${String(index % 100).padStart(2, "0")}`];
    return { at, post: "/call-in-business-hours", body: { orderNo: String(index), name, number } };
  };
  // Distances that are no divisors of an hour, so that hours differ.
  const orders = Array.from({ length: 250 }, (_, index) => order(`+${2417 * index + 400 * (index % 7)}s`, index));
  const mix = { answers: 0.6, declines: 0.1, "never answers": 0.3 };
  const world = { mix, inputs: [...orders, order("+124860s", 50)] };
  const flows = exampleFlow("3 Only call during business hours");
  const rehearsal = await rehearse({ flows, from: "2026-12-01", world });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: "en-US", colorScheme: "light" });
  await page.setContent(htmlOf({ ...rehearsal, nodeRedPath: "/usr/src/node-red" }));
  await page.locator("#calls").waitFor();
  await page.screenshot({ path: join(docs, "rehearsal.png") });
}

function exampleFlow(name) {
  return JSON.parse(readFileSync(join(root, "examples", `${name}.json`), "utf8"));
}
