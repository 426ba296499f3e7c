import { strict as assert } from "node:assert";
import type { Browser, Route } from "playwright-core";
import { Editor, launch } from "../support/browser/editor";
import { flowOf } from "../support/browser/flows";
import { NodeRed } from "../support/browser/node-red";

const CODE = "**/resources/**/dialogs.js?*";
const ACTIONS = [{ action: "talk", text: "Hello", textType: "str" }];
const WEEK = [{ day: "mon", open: "08:00", close: "12:00" }];
const HOLIDAYS = [{ date: "12-25" }];

const NODES = [
  { id: "out", type: "call-out", toNumber: "0000000000", toNumberType: "str", actions: ACTIONS, actionsType: "list" },
  {
    id: "gate",
    type: "business-hour-gate",
    source: "value",
    schedule: WEEK,
    scheduleType: "list",
    exceptions: HOLIDAYS,
    exceptionsType: "list",
    wires: [[], []],
  },
  { id: "get", type: "business-hour-get", scheduleId: "1", scheduleIdType: "str" },
];

describe("The code that only an open dialog needs", () => {
  let browser: Browser;
  let nodeRed: NodeRed;
  let editor: Editor;
  const list = (property: string, item: string) => editor.page.locator(`#telephony-${property}-list ${item}`);

  before(async function () {
    this.timeout(60_000);
    browser = await launch();
    nodeRed = await NodeRed.start(flowOf(NODES), { httpAdminRoot: "/admin" });
  });
  beforeEach(async () => {
    editor = await Editor.open(browser, nodeRed);
  });
  afterEach(async () => {
    assert.deepEqual(editor.complaints, []);
    await editor.close();
  });
  after(async () => {
    await browser?.close();
    await nodeRed?.stop();
  });

  it("is loaded with the first dialog, once, from below the editor's own address", async () => {
    const loaded: string[] = [];
    await editor.page.reload();
    editor.page.on("request", (request) => /dialogs\.js/.test(request.url()) && loaded.push(request.url()));
    await editor.page.waitForFunction("window.RED?.nodes?.node?.('out')");
    assert.deepEqual(await editor.problems("out"), []);
    assert.equal(loaded.length, 0);
    for (const id of ["out", "gate", "out"]) {
      await editor.edit(id);
      await list(id === "out" ? "actions" : "exceptions", "li")
        .first()
        .waitFor();
      await editor.cancel();
    }
    // A cache on the way must not give the code of another version.
    assert.deepEqual(
      loaded.map((url) => url.replace(/\?[0-9a-f]{8}$/, "?VERSION")),
      [`${nodeRed.url}/resources/@cloud-telephony/node-red-call-actions/dialogs.js?VERSION`],
    );
  });

  it("changes nothing by coming late: to a dialog that waits for it, or to one that is closed", async () => {
    const held: Route[] = [];
    await editor.page.route(CODE, (route) => held.push(route));
    await editor.edit("gate");
    await editor.choose("#telephony-exceptions", "global", "holidays");
    await editor.choose("#telephony-exceptions", "list");
    await editor.done();
    assert.deepEqual(await editor.property("gate", "schedule"), WEEK);
    assert.deepEqual(await editor.property("gate", "exceptions"), HOLIDAYS);
    await editor.edit("out");
    await editor.choose("#node-input-toNumber", "str", "0000000001");
    assert.equal(await list("actions", "li").count(), 0);
    assert.equal(held.length, 1);
    await held[0]?.continue();
    await list("actions", "li").waitFor();
    await editor.page.locator(".telephony-request button").waitFor();
    await editor.done();
    assert.deepEqual(await editor.property("out", "actions"), ACTIONS);
    assert.equal(await editor.property("out", "toNumber"), "0000000001");
  });

  it("is missed in words, and asked for again by what needs it", async () => {
    await editor.page.route(CODE, (route) => route.abort());
    await editor.edit("out");
    await list("actions", "[role=alert]")
      .filter({ hasText: /did not answer/ })
      .waitFor();
    await editor.done();
    assert.deepEqual(await editor.property("out", "actions"), ACTIONS);
    await editor.edit("get");
    const row = editor.page.locator(".telephony-row", { has: editor.page.locator("#node-input-scheduleId") });
    const pick = row.locator(".red-ui-typedInput-option-expand");
    await pick.click();
    await row.locator("[role=alert]").waitFor();
    await editor.page.unroute(CODE);
    await pick.click();
    await editor.page.locator(".red-ui-menu:visible li").filter({ hasText: "Office" }).waitFor();
    assert.equal(await row.locator("[role=alert]").count(), 0);
    await editor.page.keyboard.press("Escape");
    await editor.cancel();
  });
});
