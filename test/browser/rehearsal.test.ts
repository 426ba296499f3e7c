import { strict as assert } from "node:assert";
import { spawnSync } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { LIMIT_MS, launch } from "../support/browser/editor";
import { withEditor } from "../support/browser/with-editor";
import { eventually } from "../support/process/eventually";
import { freePort } from "../support/process/free-port";
import { NpmStart } from "../support/process/npm-start";
import { temporaryFolder } from "../support/process/user-folder";
import { root } from "../support/root";

const WINDOW = ".telephony-window";
const TEXT = "Hello! This is your first call from Node-RED.";
const OTHER = "Goodbye.";
/** The field of the text that is spoken. */
const SPOKEN = "textarea.telephony-lines";
const named = (page: Page, name: string) => page.locator(WINDOW).getByRole("button", { name, exact: true });
/** The calls of the result. */
const calls = (page: Page) =>
  page.frameLocator(`${WINDOW} iframe`).locator("#timeline li", { hasText: /^\d\d:\d\d:\d\d\s*Call / });
/** Waits until a test is ticked in place of what comes in, as saving it does. */
const isTicked = (page: Page, test: string) =>
  page.locator(WINDOW).getByRole("checkbox", { name: test, exact: true, checked: true }).waitFor();
const compared = (page: Page) => page.locator(".telephony-compared").first();

describe("The window of rehearsals, from the fresh npm start", () => {
  const npm = new NpmStart();
  let browser: Browser;
  let page: Page;
  let userDir: string;
  let presses = 0;

  const press = async (what: Locator | string) => {
    presses += 1;
    await (typeof what === "string" ? page.keyboard.press(what) : what.click());
  };
  /** Goes on with Tab until an element has the focus. */
  const tabTo = async (selector: string) => {
    const isThere = async () => {
      for (const frame of page.frames())
        if (await frame.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)})`)) return true;
      return false;
    };
    for (let tries = 0; tries < 60; tries += 1) {
      await page.keyboard.press("Tab");
      if (await isThere()) return;
    }
    assert.fail(`Tab does not reach ${selector}`);
  };
  const isRed = async () => {
    await compared(page).getByText(OTHER).waitFor();
    await calls(page).getByText(OTHER).waitFor();
  };
  const isGreen = () => page.locator(".telephony-tested .fa-check").waitFor();

  beforeEach(async () => {
    presses = 0;
    userDir = temporaryFolder();
    const port = await freePort();
    await npm.start(userDir, ["--port", String(port)]);
    browser = await launch();
    page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: "en-US" });
    page.setDefaultTimeout(LIMIT_MS);
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.frameLocator(".telephony-tab iframe").getByText("No call yet.").waitFor();
    await page.evaluate("void ($.fx.off = true)");
  });
  afterEach(async () => {
    await browser?.close();
    npm.kill();
  });

  const byMouse = {
    open: () => press(page.locator(".telephony-tab").getByRole("button", { name: "Rehearse and test" })),
    run: () => press(named(page, "Run")),
    keep: () => press(named(page, "Keep as a test")),
    save: () => press(named(page, "Save")),
    toNode: () => press(calls(page).getByRole("button", { name: "Say hello" })),
    type: async () => {
      presses += 1;
      await page.locator(SPOKEN).fill(OTHER);
      await press(page.locator("#node-dialog-ok"));
    },
  };
  const byKeyboard: typeof byMouse = {
    open: async () => {
      await page.keyboard.press("ControlOrMeta+Shift+P");
      await page.locator("#red-ui-actionList input").waitFor();
      await page.keyboard.type("Rehearse and test");
      await page.keyboard.press("Enter");
      await page.locator(WINDOW).waitFor();
    },
    run: () => page.keyboard.press("Enter"),
    keep: () => tabTo("[aria-expanded='false']").then(() => page.keyboard.press("Enter")),
    save: () => page.keyboard.press("Enter"),
    toNode: () => tabTo("button[data-node]").then(() => page.keyboard.press("Enter")),
    type: async () => {
      // Node-RED gives its first field the focus when the dialog has slid in.
      await page.locator(".red-ui-tray-body :focus").waitFor();
      await tabTo(SPOKEN);
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type(OTHER);
      await page.keyboard.press("ControlOrMeta+Enter");
    },
  };

  for (const [way, { open, run, keep, save, toNode, type }] of Object.entries({ mouse: byMouse, keyboard: byKeyboard }))
    it(`has a call in two presses, and a test that turns red and green in fourteen, by ${way}`, async () => {
      const closed = () => page.locator(WINDOW).waitFor({ state: "hidden" });
      await open();
      await page.getByLabel("press “Call me”").waitFor();
      await run();
      await calls(page).getByText(TEXT).waitFor();
      assert.equal(await calls(page).count(), 1);
      await keep();
      await save();
      await page.getByText("Saved in flows.tests.json.").waitFor();
      await isTicked(page, "press “Call me”");
      await toNode().then(closed);
      await press("Enter");
      await type();
      await page.locator(".red-ui-tray").waitFor({ state: "detached" });
      await open();
      // It opens again as it was.
      assert.equal(await calls(page).getByText(TEXT).count(), 1);
      await run();
      await isRed();
      assert.ok((await compared(page).textContent())?.includes(TEXT));
      await toNode().then(closed);
      await press("ControlOrMeta+z");
      // What is read then is drawn anew.
      const offers = page.waitForResponse("**/rehearsal/inputs");
      await open();
      await (await offers).finished();
      await run();
      await isGreen();
      assert.ok(presses <= 14, `${presses} presses`);

      const file = join(userDir, "flows.tests.json");
      assert.equal((await stat(file)).mode & 0o777, 0o600);
      const args = ["dist/src/cli/telephony.js", "test", file];
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
      assert.equal(status, 0, stdout + stderr);

      // An example's test, whose world has the variable of the webhook's secret.
      await page.getByLabel("Flows").selectOption({ label: "2 Call a customer" });
      await page.locator(WINDOW).locator("summary").click();
      await page.getByLabel("An order that is posted twice places one call").check();
      await named(page, "Run").click();
      await page.locator(".telephony-tested", { hasText: "posted twice" }).getByText("4 of 4 as expected").waitFor();
      await page.keyboard.press("Escape").then(closed);
    });
});

const WEBHOOK = [
  { id: "tab", type: "tab", label: "Orders" },
  { id: "box", type: "telephony-tenant", mode: "sandbox", fromNumber: "100" },
  {
    ...{ id: "in", type: "telephony-webhook", z: "tab", x: 100, y: 100, wires: [["call"]], path: "orders" },
    credentials: { secret: "open sesame" },
  },
  {
    ...{ id: "call", type: "call-out", z: "tab", x: 300, y: 100, wires: [[]], tenant: "box", target: "-" },
    ...{ toKind: "external", toNumber: "payload.phone", toNumberType: "msg", actionsType: "list" },
    actions: [{ action: "talk", text: "payload.name", textType: "msg" }],
  },
];

describe("What comes in and what happened", () => {
  const editor = withEditor(WEBHOOK as never);
  const open = () => editor.page.evaluate("RED.actions.invoke('telephony:rehearse')");
  const file = () => join(editor.nodeRed.userDir, "flows.tests.json");

  it("is a made-up request, then the one that was received, and a test without the customer's number", async () => {
    const { page } = editor;
    await open();
    await page.getByLabel("phone").waitFor();
    assert.equal(await page.getByLabel("phone").inputValue(), "0900000001");
    await page.getByLabel("phone").fill("");
    await named(page, "Run").click();
    await page.getByText(/^Nothing was called. “call out”/).waitFor();
    await named(page, "Show the node").click();
    const selected = await editor.page.evaluate("(RED.view.selection().nodes ?? []).map(({ id }) => id).join()");
    assert.equal(selected, "call");

    const order = { phone: "+84 90 123 45 67", name: "Ada" };
    assert.equal((await editor.nodeRed.post("/orders", order, { "x-call-secret": "open sesame" })).status, 200);
    await open();
    await page.getByLabel("Request").waitFor();
    assert.equal(await page.getByLabel("phone").inputValue(), order.phone);
    await page.getByLabel("When").selectOption("asIf");
    await page.locator(WINDOW).locator("input[type=number]:visible").fill("2");
    const asked = page.waitForRequest((each) => each.method() === "POST" && each.url().endsWith("/rehearsal"));
    await named(page, "Run").click();
    const { from, days, tabs } = (await asked).postDataJSON() as { from: string; days: number; tabs: string[] };
    assert.deepEqual([new Date(from).getDay(), from.slice(10), days, tabs], [1, "T10:00", 2, ["tab"]]);
    await calls(page).getByText("Ada").waitFor();
    for (const question of [false, true]) {
      await named(page, "Keep as a test").click();
      await page.locator(WINDOW).getByLabel("Name", { exact: true }).fill("An order");
      await named(page, "Save").click();
      if (question) await named(page, "Replace").click();
      await page.getByText("Saved in flows.tests.json.").waitFor();
    }
    const saved = await readFile(file(), "utf8");
    const { tests } = JSON.parse(saved) as { tests: { name: string; then: object[] }[] };
    assert.deepEqual(
      tests.map(({ name, then }) => [name, then[0]]),
      [["An order", { call: "+84 90 000 00 01", saysExactly: ["Ada"] }]],
    );
    assert.doesNotMatch(saved, /open sesame|123.?45.?67/);
    await isTicked(page, "An order");
    await named(page, "Run").click();
    await page.locator(".telephony-tested .fa-check").waitFor();
  });

  it("shows in another browser that one runs, which is stopped there after a question only", async () => {
    const other = await editor.beside({});
    const days = 3660;
    const flows = [
      ...WEBHOOK,
      { id: "tick", type: "inject", z: "tab", x: 1, y: 1, repeat: "60", props: [], wires: [[]] },
    ];
    await editor.nodeRed.post("/telephony/rehearsal", { flows, days }, { origin: editor.nodeRed.url });
    await other.page.evaluate("RED.actions.invoke('telephony:rehearse')");
    await other.page.getByText("Somebody else is running a rehearsal.").waitFor();
    await named(other.page, "Stop").click();
    await named(other.page, "Let it run").click();
    await other.page.evaluate("RED.sidebar.show('telephony')");
    await other.page.keyboard.press("Escape");
    await other.page.locator(".telephony-tab progress").waitFor();
    await other.page.evaluate("RED.actions.invoke('telephony:rehearse')");
    await eventually(async () => {
      const text = (await other.page.locator(`${WINDOW} [role="status"]`).allInnerTexts()).join();
      return /rehearsal\. \d{4}-\d\d-\d\d/.test(text) || undefined;
    });
    await named(other.page, "Stop").click();
    await named(other.page, "Stop").last().click();
    await other.page
      .getByText(/It was stopped at/)
      .first()
      .waitFor();
    await other.close();
  });
});
