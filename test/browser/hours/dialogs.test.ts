import { strict as assert } from "node:assert";
import { flowOf, meaning, SANDBOX } from "../../support/browser/flows";
import { withEditor } from "../../support/browser/with-editor";

const ACTIONS = ["list", "get", "create", "ensure", "delete"].map((what) => `business-hour-${what}`);

/** As people write them by hand, most pairs left out. */
const NODES = [
  ...ACTIONS.map((type) => ({ id: type, type })),
  {
    id: "odd-list",
    type: "business-hour-list",
    output: "each",
    asc: true,
    ascType: "bool",
    limit: 50,
    limitType: "num",
  },
  { id: "odd-get", type: "business-hour-get", scheduleId: 12, scheduleIdType: "num" },
  {
    id: "odd-create",
    type: "business-hour-create",
    scheduleName: "Office",
    days: [{ day: "mon", open: "8:00", close: "9:00" }],
    daysType: "json",
  },
  {
    id: "context-create",
    type: "business-hour-create",
    days: "hours",
    daysType: "flow",
    enabled: "",
    enabledType: "str",
  },
  { id: "control", type: "telephony-control" },
];

const LATER = { ...SANDBOX, id: "tenant-2", name: "Later", mode: "live", url: "https://acme.example.com" };

describe("The dialogs of business hours", () => {
  const deployed = async (id: string) => (await editor.deploy()).find((node) => node["id"] === id) ?? {};
  const entries = () => editor.page.locator(".red-ui-popover-panel:visible .red-ui-menu li");

  async function openList(property: string): Promise<void> {
    await editor.page.click(`#node-input-${property} + .red-ui-typedInput-container .red-ui-typedInput-option-expand`);
    await entries().first().waitFor();
  }

  const editor = withEditor(flowOf(NODES));

  for (const node of NODES.filter(({ type }) => ACTIONS.includes(type)))
    it(`leave ${node.id} to do what it did, once opened and done`, async () => {
      await editor.edit(node.id);
      await editor.done();
      assert.deepEqual(meaning(await deployed(node.id)), meaning(node));
    });

  it("keep a control node that takes its command from the message, once opened and done", async () => {
    await editor.edit("control");
    await editor.done();
    assert.equal((await deployed("control"))["command"], "");
  });

  it("store a command, and explain it", async () => {
    await editor.edit("control");
    await editor.page.selectOption("#node-input-command", "drop");
    assert.match((await editor.page.textContent("#telephony-hint-command")) ?? "", /ERR_DROPPED/);
    await editor.done();
    assert.equal((await deployed("control"))["command"], "drop");
    assert.equal(await editor.label("control"), "drop waiting messages");
  });

  it("store how a list is to be read", async () => {
    await editor.edit("business-hour-list");
    await editor.page.selectOption("#node-input-output", "all");
    await editor.choose("#node-input-search", "str", "Office");
    await editor.choose("#node-input-limit", "num", "50");
    await editor.done();
    const { output, search, searchType, limit, limitType, asc, ascType } = await deployed("business-hour-list");
    assert.deepEqual(
      { output, search, searchType, limit, limitType, asc, ascType },
      {
        output: "all",
        search: "Office",
        searchType: "str",
        limit: "50",
        limitType: "num",
        asc: "payload.asc",
        ascType: "msg",
      },
    );
    assert.equal(await editor.label("business-hour-list"), "list hours: Office");
  });

  it("store a week to create, and the message's again", async () => {
    await editor.edit("business-hour-create");
    await editor.choose("#node-input-scheduleName", "str", "Office");
    await editor.choose("#telephony-days", "list");
    await editor.page.click('button[aria-label="Monday: add interval"]');
    await editor.done();
    const { days, daysType } = await deployed("business-hour-create");
    assert.deepEqual({ days, daysType }, { days: [{ day: "mon", open: "08:00", close: "17:00" }], daysType: "list" });
    assert.equal(await editor.label("business-hour-create"), "create hours Office");
    await editor.edit("business-hour-create");
    await editor.choose("#telephony-days", "msg");
    await editor.done();
    assert.equal((await deployed("business-hour-create"))["days"], "payload.days");
  });

  it("store whether to change the tenant or only to report", async () => {
    await editor.edit("business-hour-ensure");
    assert.equal(await editor.page.inputValue("#node-input-mode"), "apply");
    await editor.choose("#node-input-scheduleName", "str", "Office");
    await editor.choose("#telephony-days", "list");
    await editor.page.click('button[aria-label="Monday: add interval"]');
    await editor.page.selectOption("#node-input-mode", "plan");
    await editor.done();
    const { mode, days, daysType } = await deployed("business-hour-ensure");
    assert.deepEqual(
      { mode, days, daysType },
      { mode: "plan", days: [{ day: "mon", open: "08:00", close: "17:00" }], daysType: "list" },
    );
    assert.equal(await editor.label("business-hour-ensure"), "ensure hours Office");
    assert.deepEqual(await editor.problems("business-hour-ensure"), []);
  });

  it("turn red for a week without a day", async () => {
    await editor.page.evaluate("Object.assign(RED.nodes.node('business-hour-create'), { days: [], daysType: 'list' })");
    assert.match((await editor.problems("business-hour-create")).join(), /Opening hours: required/);
  });

  for (const type of ["business-hour-get", "business-hour-delete"])
    it(`let the business hour of ${type} be picked from the deployed tenant`, async () => {
      await editor.edit(type);
      await editor.choose("#node-input-scheduleId", "str", "7");
      await openList("scheduleId");
      await entries().filter({ hasText: "Support 24/7" }).click();
      await editor.done();
      const { scheduleId, scheduleIdType } = await deployed(type);
      assert.deepEqual({ scheduleId, scheduleIdType }, { scheduleId: "2", scheduleIdType: "str" });
      assert.match(await editor.label(type), /^(read|delete) hours 2$/);
    });

  it("open the list by the keyboard, and close it without a choice", async () => {
    await editor.edit("business-hour-get");
    await editor.page.focus("#node-input-scheduleId + .red-ui-typedInput-container .red-ui-typedInput-option-expand");
    await editor.page.keyboard.press("Enter");
    await entries().filter({ hasText: "Office" }).waitFor();
    await editor.page.waitForFunction("document.activeElement.closest('.red-ui-menu')");
    await editor.page.keyboard.press("Escape");
    await entries().first().waitFor({ state: "hidden" });
    assert.equal(await editor.page.locator(".red-ui-tray").count(), 1);
    await editor.done();
    assert.equal(await editor.property("business-hour-get", "scheduleId"), "2");
  });

  it("report in the list that a tenant is not deployed yet, and still accept a typed id", async () => {
    await editor.page.evaluate(`RED.nodes.import([${JSON.stringify(LATER)}])`);
    await editor.page.evaluate("RED.nodes.node('odd-get').tenant = 'tenant-2'");
    await editor.edit("odd-get");
    await editor.choose("#node-input-scheduleId", "str", "33");
    await openList("scheduleId");
    await entries().filter({ hasText: "is not running yet" }).click();
    await editor.done();
    assert.equal(await editor.property("odd-get", "scheduleId"), "33");
  });

  it("list the schedules of a new sandbox before it is deployed", async () => {
    await editor.page.evaluate(`RED.nodes.import([${JSON.stringify({ ...LATER, id: "tenant-3", mode: "sandbox" })}])`);
    await editor.page.evaluate("RED.nodes.node('odd-get').tenant = 'tenant-3'");
    await editor.edit("odd-get");
    await openList("scheduleId");
    await entries().filter({ hasText: "Support 24/7" }).click();
    await editor.done();
    assert.equal(await editor.property("odd-get", "scheduleId"), "2");
    await editor.page.evaluate("Object.assign(RED.nodes.node('odd-get'), { tenant: 'tenant-2', scheduleId: '33' })");
  });

  it("show in the list why the schedules of a tenant cannot be read", async () => {
    const refusal = { ok: false, key: "ERR_CONNECT", params: { host: "acme.example.com" } };
    await editor.page.route("**/business-hours", (route) => route.fulfill({ json: refusal }));
    await editor.edit("odd-get");
    await openList("scheduleId");
    await entries().filter({ hasText: "No connection: acme.example.com cannot be reached" }).click();
    await editor.page.unroute("**/business-hours");
    await editor.done();
    assert.equal(await editor.property("odd-get", "scheduleId"), "33");
  });

  it("show in the list that no tenant is chosen", async () => {
    await editor.page.evaluate("RED.nodes.node('odd-get').tenant = ''");
    await editor.edit("odd-get");
    await editor.page.selectOption("#node-input-tenant", "_ADD_");
    await openList("scheduleId");
    await entries().filter({ hasText: "Choose a tenant" }).waitFor();
    await editor.page.keyboard.press("Escape");
    await editor.cancel();
  });

  it("warn that deleting cannot be undone", async () => {
    await editor.edit("business-hour-delete");
    assert.match((await editor.page.textContent(".form-tips")) ?? "", /cannot be undone/);
    await editor.cancel();
  });
});
