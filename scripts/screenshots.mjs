// npm run screenshots               the pictures of README and docs: every dialog, light and dark, an example and a report
// npm run screenshots -- call-stop  some of them: dialogs by their node, `example`, `film`, `list`, `report`, `window`
//                                   `film` needs ffmpeg, of the Debian package of that name
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
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

const OTHERS = { example, film, list, report, window: rehearsalWindow };
const all = [...NODE_TYPES, ...Object.keys(OTHERS)];
const asked = process.argv.slice(2);
const unknown = asked.find((name) => !all.includes(name));
if (unknown) refuse(`There is no picture "${unknown}". There are: ${all.join(", ")}.`);
const wanted = asked.length > 0 ? asked : all;

const browser = await launch();
/** Opens pages whose pictures have two pixels for each point of the screen. */
const sharp = { newPage: (options) => browser.newPage({ ...options, deviceScaleFactor: 2 }) };
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
  const { page } = await Editor.open(sharp, nodeRed);
  await hideTips(page);
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

/** The film of the README: a call is built, deployed and tried. Each picture stays for some seconds. */
async function film() {
  const nodeRed = await NodeRed.start([{ id: "flow", type: "tab", label: "Flow" }, SANDBOX]);
  const editor = await Editor.open(browser, nodeRed);
  const { page } = editor;
  await page.setViewportSize({ width: 1200, height: 700 });
  const folder = mkdtempSync(join(tmpdir(), "film-"));
  const shots = [];
  const shot = async (seconds) => {
    const path = join(folder, `${shots.length}.png`);
    await page.screenshot({ path });
    shots.push(`file '${path}'\nduration ${seconds}`);
  };
  const drag = async (...way) => {
    await editor.drag(...way);
    await shot(1);
  };
  const type = async (input, text) => {
    await page.locator(input).locator("visible=true").first().click();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type(text);
    await shot(1.5);
  };
  await hideTips(page);
  await shot(1);
  await drag(page.locator('[data-palette-type="inject"]'), [440, 180]);
  await drag(page.locator('[data-palette-type="call-out"]'), [680, 160]);
  await drag(editor.port("timestamp", "output"), editor.port("call out", "input"));
  await editor.open("call out");
  await page.waitForTimeout(500);
  await shot(1);
  await type("#node-input-toNumber + .red-ui-typedInput-container input", "0900000001");
  await editor.choose(".telephony-spoken-text", "str");
  await type("#telephony-actions-list textarea", "Your order is ready.");
  await page.click("#node-dialog-ok");
  await page.evaluate("RED.actions.invoke('core:toggle-left-sidebar', false)");
  await page.locator('[data-tab-id="debug"]').click();
  await page.evaluate("RED.sidebar.show('telephony')");
  await page.click("#red-ui-header-button-deploy");
  const phones = page.frameLocator(".telephony-tab iframe");
  await phones.getByLabel("Ask me").check();
  await shot(1.5);
  await page.locator(".red-ui-flow-node-button-button").first().click();
  const answer = phones.getByRole("button", { name: "Answer" });
  await answer.hover();
  await shot(2.5);
  await answer.click();
  await phones.getByText("Your order is ready.").first().waitFor();
  // The browsers of readers have voices, this one has none.
  await phones.getByText(/has no voice/).evaluate((hint) => {
    hint.hidden = true;
  });
  await shot(4);
  // The last picture is named twice: without that, ffmpeg drops its time.
  writeFileSync(join(folder, "list"), [...shots, shots.at(-1)?.split("\n")[0]].join("\n"));
  const filter =
    "fps=4,scale=1000:-1:flags=lanczos,split[a][b];[a]palettegen=max_colors=96[p];[b][p]paletteuse=dither=none";
  const input = ["-f", "concat", "-safe", "0", "-i", join(folder, "list")];
  const { status } = spawnSync(
    "ffmpeg",
    ["-v", "error", "-y", ...input, "-filter_complex", filter, join(docs, "build-and-try.gif")],
    { stdio: "inherit" },
  );
  if (status !== 0) refuse("The film could not be made: it needs ffmpeg.");
  rmSync(folder, { recursive: true });
  await page.close();
  await nodeRed.stop();
}

/** A list that is called, with the tab beside it. */
async function list() {
  const at = (id, type, x, more, wires = []) => ({ id, type, z: "flow-tab", x, y: 120, wires, ...more });
  const row = `{ "number": "09012" & $formatNumber($, "00000"), "name": "Customer " & $ }`;
  const payload = `$append(["no number", "0901", "x", ""].{ "number": $ }, [1..846].${row})`;
  const says = [{ action: "talk", text: "Hello {{payload.name}}, your order is ready.", textType: "mustache" }];
  const nodeRed = await NodeRed.start(
    flowOf(
      [
        at(
          "start",
          "inject",
          140,
          {
            name: "Call the list",
            repeat: "",
            crontab: "",
            once: false,
            props: [{ p: "payload", v: payload, vt: "jsonata" }],
          },
          [["rows"]],
        ),
        at("rows", "call-list", 340, { name: "orders that are ready", actions: says, actionsType: "list" }, [
          ["row"],
          ["table"],
        ]),
        at("row", "debug", 720, { name: "each row", y: 100, active: false }),
        at("table", "file", 720, { name: "the whole table", y: 160, filename: "table.csv", filenameType: "str" }),
      ],
      [{ ...SANDBOX, name: "Acme", rate: "40" }],
    ),
  );
  const { page } = await Editor.open(sharp, nodeRed);
  await hideTips(page);
  await page.evaluate("RED.actions.invoke('core:toggle-left-sidebar', false)");
  await page.evaluate("RED.sidebar.show('telephony')");
  await page.locator(".red-ui-flow-node-button-button").first().click();
  await page.locator(".red-ui-flow-node-status-label", { hasText: /^sandbox: 3\d\d of/ }).waitFor();
  await page.screenshot({ path: join(docs, "call-a-list.png"), clip: { x: 0, y: 40, width: 1200, height: 340 } });
  await page.close();
  await nodeRed.stop();
}

/** The window of rehearsals: an order that was received and its call, and a test that a changed text turns red. */
async function rehearsalWindow() {
  process.env.CALL_SECRET = "a secret for a picture";
  const nodeRed = await NodeRed.start(exampleFlow("2 Call a customer"));
  const { page } = await Editor.open(sharp, nodeRed);
  await page.setViewportSize({ width: 1280, height: 800 });
  const order = { orderNo: "1017", name: "Ada", number: "0912345602" };
  await nodeRed.post("/call-a-customer", order, { "x-call-secret": process.env.CALL_SECRET });
  await page.evaluate("RED.actions.invoke('telephony:rehearse')");
  const window = page.locator(".telephony-window");
  const button = (name) => window.getByRole("button", { name, exact: true });
  await page.getByLabel("press “Try it: Ada orders”").uncheck();
  await page.getByLabel("POST /call-a-customer").check();
  const called = page.frameLocator(".telephony-window iframe").getByText("Hello Ada").first();
  await button("Run").click();
  await called.waitFor();
  await page.screenshot({ path: join(docs, "rehearse-window.png") });
  await button("Keep as a test").click();
  await button("Save").click();
  await page.getByText("Saved in").waitFor();
  await page.evaluate(`(() => {
    const node = RED.nodes.filterNodes({ type: "call-out" })[0];
    node.actions = JSON.parse(JSON.stringify(node.actions).replaceAll("Hello", "Good day"));
  })()`);
  await button("Run").click();
  await page.locator(".telephony-compared").first().waitFor();
  await page.frameLocator(".telephony-window iframe").getByText("Good day Ada").first().waitFor();
  await page.screenshot({ path: join(docs, "rehearse-red.png") });
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
  await page.locator("#timeline").waitFor();
  await page.screenshot({ path: join(docs, "rehearsal.png") });
}

async function hideTips(page) {
  await page.addStyleTag({ content: "#red-ui-notifications, .red-ui-tips { display: none !important }" });
}

function exampleFlow(name) {
  return JSON.parse(readFileSync(join(root, "examples", `${name}.json`), "utf8"));
}
