import { strict as assert } from "node:assert";
import { flowOf, LIVE, meaning, pairs } from "../../support/browser/flows";
import { withEditor } from "../../support/browser/with-editor";

const ACTIONS = ["list", "get", "create", "ensure", "delete"].map((what) => `business-hour-${what}`);

/** As people write them by hand, most pairs left out. */
const NODES = [
  ...ACTIONS.map((type) => ({ id: type, type })),
  {
    id: "odd-list",
    type: "business-hour-list",
    output: "each",
    ...pairs("bool", { asc: true }),
    ...pairs("num", { limit: 50 }),
  },
  { id: "odd-get", type: "business-hour-get", ...pairs("num", { scheduleId: 12 }) },
  {
    id: "odd-create",
    type: "business-hour-create",
    scheduleName: "Office",
    ...pairs("json", { days: [{ day: "mon", open: "8:00", close: "9:00" }] }),
  },
  {
    id: "context-create",
    type: "business-hour-create",
    ...pairs("flow", { days: "hours" }),
    ...pairs("str", { enabled: "" }),
  },
  { id: "control", type: "telephony-control" },
];

const LATER = { ...LIVE, name: "Later" };

describe("The dialogs of business hours", () => {
  const pick = async (text: string) => {
    const schedules = await editor.schedules("#node-input-scheduleId");
    await schedules.filter({ hasText: text }).click();
  };
  /** Adds the interval that the editor of a week offers first. */
  const addMonday = async () => {
    await editor.choose("#telephony-days", "list");
    await editor.page.click('button[aria-label="Monday: add interval"]');
  };

  const editor = withEditor(flowOf(NODES));

  for (const node of NODES.filter(({ type }) => ACTIONS.includes(type)))
    it(`leave ${node.id} to do what it did, once opened and done`, async () => {
      await editor.reopen(node.id);
      assert.deepEqual(meaning(await editor.deployed(node.id)), meaning(node));
    });

  it("keep a control node that takes its command from the message, once opened and done", async () => {
    await editor.reopen("control");
    assert.equal((await editor.deployed("control"))["command"], "");
  });

  it("store a command, and explain it", async () => {
    await editor.edit("control");
    await editor.page.selectOption("#node-input-command", "drop");
    assert.match((await editor.page.textContent("#telephony-hint-command")) ?? "", /ERR_DROPPED/);
    await editor.done();
    assert.equal((await editor.deployed("control"))["command"], "drop");
    assert.equal(await editor.label("control"), "drop waiting messages");
  });

  it("store how a list is to be read", async () => {
    await editor.edit("business-hour-list");
    await editor.page.selectOption("#node-input-output", "all");
    await editor.choose("#node-input-search", "str", "Office");
    await editor.choose("#node-input-limit", "num", "50");
    await editor.done();
    const { output, search, searchType, limit, limitType, asc, ascType } = await editor.deployed("business-hour-list");
    assert.equal(output, "all");
    assert.deepEqual([search, searchType], ["Office", "str"]);
    assert.deepEqual([limit, limitType], ["50", "num"]);
    assert.deepEqual([asc, ascType], ["payload.asc", "msg"]);
    assert.equal(await editor.label("business-hour-list"), "list hours: Office");
  });

  it("store a week to create, and the message's again @markup", async () => {
    await editor.edit("business-hour-create");
    await editor.choose("#node-input-scheduleName", "str", "Office");
    await addMonday();
    await editor.done();
    const { days, daysType } = await editor.deployed("business-hour-create");
    assert.deepEqual({ days, daysType }, { days: [{ day: "mon", open: "08:00", close: "17:00" }], daysType: "list" });
    assert.equal(await editor.label("business-hour-create"), "create hours Office");
    await editor.edit("business-hour-create");
    await editor.choose("#telephony-days", "msg");
    await editor.done();
    assert.equal((await editor.deployed("business-hour-create"))["days"], "payload.days");
  });

  it("store whether to change the tenant or only to report", async () => {
    await editor.edit("business-hour-ensure");
    assert.equal(await editor.page.inputValue("#node-input-mode"), "apply");
    await editor.choose("#node-input-scheduleName", "str", "Office");
    await addMonday();
    await editor.page.selectOption("#node-input-mode", "plan");
    await editor.done();
    const { mode, days, daysType } = await editor.deployed("business-hour-ensure");
    assert.deepEqual(
      { mode, days, daysType },
      { mode: "plan", days: [{ day: "mon", open: "08:00", close: "17:00" }], daysType: "list" },
    );
    assert.equal(await editor.label("business-hour-ensure"), "ensure hours Office");
    assert.deepEqual(await editor.problems("business-hour-ensure"), []);
  });

  it("let a business hour be picked from the deployed tenant @markup", async () => {
    await editor.edit("business-hour-get");
    await editor.choose("#node-input-scheduleId", "str", "7");
    await pick("Support 24/7");
    await editor.done();
    const { scheduleId, scheduleIdType } = await editor.deployed("business-hour-get");
    assert.deepEqual({ scheduleId, scheduleIdType }, { scheduleId: "2", scheduleIdType: "str" });
    assert.equal(await editor.label("business-hour-get"), "read hours 2");
  });

  it("open the list by the keyboard, and close it without a choice @markup", async () => {
    await editor.edit("business-hour-get");
    await editor.page.focus("#node-input-scheduleId + .red-ui-typedInput-container .red-ui-typedInput-option-expand");
    await editor.page.keyboard.press("Enter");
    const entry = editor.page.locator(".red-ui-menu:visible li").filter({ hasText: "Office" });
    await entry.waitFor();
    await editor.page.waitForFunction("document.activeElement.closest('.red-ui-menu')");
    await editor.page.keyboard.press("Escape");
    await entry.waitFor({ state: "hidden" });
    assert.equal(await editor.page.locator(".red-ui-tray").count(), 1);
    await editor.done();
    assert.equal(await editor.property("business-hour-get", "scheduleId"), "2");
  });

  it("report in the list that a tenant is not deployed yet, and still accept a typed id", async () => {
    await editor.import(LATER);
    await editor.change("odd-get", { tenant: "tenant-2" });
    await editor.edit("odd-get");
    await editor.choose("#node-input-scheduleId", "str", "33");
    await pick("Not running");
    await editor.done();
    assert.equal(await editor.property("odd-get", "scheduleId"), "33");
  });

  it("list the schedules of a new sandbox before it is deployed", async () => {
    await editor.import({ ...LATER, id: "tenant-3", mode: "sandbox" });
    await editor.change("odd-get", { tenant: "tenant-3" });
    await editor.edit("odd-get");
    await pick("Support 24/7");
    await editor.done();
    assert.equal(await editor.property("odd-get", "scheduleId"), "2");
    await editor.deploy();
    await editor.change("tenant-3", { d: true });
    await editor.page.evaluate("void RED.nodes.dirty(true)");
    await editor.deploy();
    await editor.edit("odd-get");
    await pick("Office");
    await editor.done();
    assert.equal(await editor.property("odd-get", "scheduleId"), "1");
    await editor.change("odd-get", { tenant: "tenant-2", scheduleId: "33" });
  });

  it("show in the list that no tenant is chosen", async () => {
    await editor.change("odd-get", { tenant: "" });
    await editor.edit("odd-get");
    await editor.page.selectOption("#node-input-tenant", "_ADD_");
    const schedules = await editor.schedules("#node-input-scheduleId");
    await schedules.filter({ hasText: "Choose a tenant" }).waitFor();
    await editor.page.keyboard.press("Escape");
    await editor.cancel();
  });

  it("warn that deleting cannot be undone", async () => {
    await editor.edit("business-hour-delete");
    assert.match((await editor.page.textContent(".form-tips")) ?? "", /cannot be undone/);
    await editor.cancel();
  });
});
