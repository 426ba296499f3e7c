import { strict as assert } from "node:assert";
import { pairsOf } from "../../../src/runtime/nodes/gate/settings";
import { flowOf, pairs, SANDBOX } from "../../support/browser/flows";
import { withEditor } from "../../support/browser/with-editor";

const TENANT = { ...SANDBOX, timezone: "Asia/Ho_Chi_Minh" };
const WEEK = [{ day: "mon", open: "08:00", close: "12:00" }];
const HOLIDAYS = [
  { date: "12-25", name: "Christmas" },
  { from: "2030-02-04", to: "2030-02-08", hours: [{ open: "08:00:00", close: "12:00:00" }], kept: 1 },
];

const NODES = [
  { id: "plain", type: "business-hour-gate" },
  { id: "named", type: "business-hour-gate", scheduleName: "Office" },
  { id: "numbered", type: "business-hour-gate", ...pairs("num", { scheduleId: 1 }) },
  { id: "both", type: "business-hour-gate", scheduleName: "Office", scheduleId: "payload.id", scheduleIdType: "msg" },
  { id: "own", type: "business-hour-gate", tenant: "", source: "value", schedule: WEEK, scheduleType: "list" },
  {
    ...{ id: "holidays", type: "business-hour-gate", tenant: "", source: "value", schedule: "", scheduleType: "msg" },
    ...pairs("list", { exceptions: HOLIDAYS }),
  },
  {
    id: "object",
    type: "business-hour-gate",
    tenant: "",
    source: "value",
    ...pairs("json", { schedule: { enabled: false, days: WEEK } }),
  },
  {
    id: "special",
    type: "business-hour-gate",
    scheduleName: "Office",
    ...pairs("list", { exceptions: HOLIDAYS }),
    ...pairs("date", { at: "iso" }),
    refresh: 60,
    onUnknown: "closed",
    timezone: "UTC",
  },
  {
    id: "mapped",
    type: "business-hour-gate",
    ...pairs("msg", { scheduleName: "payload.schedule", at: "payload.at" }),
    ...pairs("global", { exceptions: "holidays" }),
  },
].map((node) => ({ wires: [[], []], ...node }));

/** The effective configuration of a gate, however its flow file has it. */
function meaning(node: Readonly<Record<string, unknown>>): unknown {
  const fromTenant = (node["source"] || "tenant") === "tenant";
  const pairs = pairsOf(node);
  const said = Object.keys(pairs)
    .filter((name) => !name.endsWith("Type"))
    .map((name) => [name, pairs[name] === "" ? "not given" : `${pairs[`${name}Type`]} ${plain(pairs[name])}`]);
  const { tenant, timezone = "", refresh = 300, onUnknown = "error" } = node;
  return { tenant, fromTenant, timezone, refresh: Number(refresh), onUnknown, ...Object.fromEntries(said) };
}

/** An object is the same object as its JSON. */
function plain(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

describe("The gate's dialog", () => {
  const verdict = (text: RegExp) => editor.shows("#telephony-verdict", text);
  const visible = (selector: string) => editor.page.locator(selector).first().isVisible();

  const editor = withEditor(flowOf(NODES, [TENANT]));

  for (const node of NODES)
    it(`leaves the gate "${node.id}" to do what it did, once opened and done`, async () => {
      const before = meaning((await editor.nodeRed.flows()).find(({ id }) => id === node.id) ?? {});
      await editor.reopen(node.id);
      assert.deepEqual(meaning(await editor.deployed(node.id)), before);
    });

  it("shows its state on the canvas", async () => {
    assert.equal(await editor.label("plain"), "open? hours");
    assert.equal(await editor.label("named"), "open? Office");
    assert.equal(await editor.label("numbered"), "open? schedule 1");
    assert.equal(await editor.label("own"), "open? own hours");
  });

  it("requires a schedule and a tenant, unless it has its own week", async () => {
    assert.match((await editor.problems("plain")).join(), /Schedule: No schedule: choose one in the node/);
    assert.deepEqual(await editor.problems("own"), []);
    await editor.change("named", { tenant: "" });
    assert.match((await editor.problems("named")).join(), /Tenant: no tenant is chosen/);
    await editor.change("named", { tenant: "tenant-1" });
    assert.deepEqual(await editor.problems("named"), []);
  });

  it("requires valid tenant settings wherever it uses them", async () => {
    const tenantOf = async (id: string, settings: object) => {
      await editor.change("tenant-1", settings);
      await editor.change(id, { tenant: "tenant-1" });
      await editor.problems("tenant-1");
    };
    for (const id of ["named", "own"]) {
      await tenantOf(id, { timezone: "Mars" });
      assert.match((await editor.problems(id)).join(), /Tenant: Bad settings/);
      await tenantOf(id, { timezone: "Asia/Ho_Chi_Minh", d: true });
      assert.match((await editor.problems(id)).join(), /Tenant: no tenant is chosen, or it is disabled/);
      await tenantOf(id, { d: false });
      assert.deepEqual(await editor.problems(id), []);
    }
    await tenantOf("own", { timezone: "Mars" });
    await editor.change("own", { timezone: "UTC" });
    assert.deepEqual(await editor.problems("own"), []);
    await editor.change("own", { timezone: "", tenant: "" });
    await tenantOf("named", { timezone: "Asia/Ho_Chi_Minh" });
  });

  it("stores the name of a selected schedule, and shows its current state", async () => {
    await editor.edit("plain");
    const schedules = await editor.schedules("#node-input-scheduleName");
    await schedules.filter({ hasText: "Office" }).click();
    await editor.page.fill("#telephony-instant", "2030-01-07T09:00");
    await verdict(/open until 12:00 · weekly hours · Asia\/Ho_Chi_Minh/);
    assert.ok(await visible("#telephony-verdict-week i"));
    await editor.page.fill("#telephony-instant", "2030-01-07T12:30");
    await verdict(/closed until 13:00/);
    const spoken = (text: string) =>
      editor.page.locator("#telephony-sentence").getByText(text, { exact: true }).waitFor();
    await spoken("We are closed and open again today at 13:00.");
    await editor.page.click(".telephony-fold summary");
    await editor.page.selectOption("#node-input-language", "ja");
    await spoken("ただいま営業時間外です。本日は13:00から営業します。");
    await editor.page.selectOption("#node-input-language", "");
    await spoken("We are closed and open again today at 13:00.");
    await editor.page.fill("#telephony-instant", "");
    await verdict(/until/);
    await editor.done();
    const { source, scheduleName, scheduleNameType, scheduleId } = await editor.deployed("plain");
    assert.deepEqual([source, scheduleName, scheduleNameType, scheduleId], ["tenant", "Office", "str", ""]);
  });

  it("shows why the state is not known", async () => {
    await editor.edit("named");
    await editor.choose("#node-input-scheduleName", "str", "Nowhere");
    await verdict(/No such schedule: the tenant has none named Nowhere/);
    await editor.choose("#node-input-scheduleName", "msg", "payload.schedule");
    await verdict(/depends on the message/);
    await editor.choose("#node-input-override", "str", "closed");
    await verdict(/Closed \(override\)/);
    await editor.cancel();
  });

  it("keeps a name while an id is selected, validates the selected one, and clears the other when Done is clicked", async () => {
    await editor.edit("named");
    await editor.page.selectOption("#telephony-hours", "id");
    await verdict(/No schedule: choose one in the node/);
    assert.ok(await editor.page.locator("#node-input-scheduleId + .input-error").isVisible());
    await editor.choose("#node-input-scheduleId", "str", "2");
    await verdict(/: open · weekly hours/);
    await editor.page.selectOption("#telephony-hours", "name");
    await verdict(/until/);
    assert.equal(await editor.page.evaluate("$('#node-input-scheduleName').typedInput('value')"), "Office");
    assert.ok(!(await visible("#node-input-scheduleName + .input-error")));
    await editor.page.selectOption("#telephony-hours", "id");
    await verdict(/: open · weekly hours/);
    await editor.done();
    const { scheduleName, scheduleId } = await editor.deployed("named");
    assert.deepEqual({ scheduleName, scheduleId }, { scheduleName: "", scheduleId: "2" });
  });

  it("stores its own week", async () => {
    await editor.edit("named");
    await editor.page.selectOption("#telephony-hours", "own");
    await editor.page.click('button[aria-label="Monday: add interval"]');
    await editor.page.fill("#telephony-instant", "2030-01-07T09:00");
    await verdict(/open until 17:00/);
    await editor.done();
    await editor.edit("named");
    await editor.openFold("#node-input-onUnknown");
    const rows = "#node-input-refresh, #node-input-onUnknown ~ .telephony-hint";
    assert.equal(await editor.page.locator(rows).filter({ visible: true }).count(), 0);
    await editor.page.selectOption("#telephony-hours", "id");
    assert.equal(await editor.page.locator(rows).filter({ visible: true }).count(), 2);
    await editor.cancel();
    const { source, schedule, scheduleType } = await editor.deployed("named");
    assert.deepEqual([source, scheduleType], ["value", "list"]);
    assert.deepEqual(schedule, [{ day: "mon", open: "08:00", close: "17:00" }]);
  });

  it("may have exceptions only, and keeps that it has no week", async () => {
    assert.deepEqual(await editor.problems("holidays"), []);
    assert.equal(await editor.label("holidays"), "open? exceptions only");
    await editor.edit("own");
    await editor.page.selectOption("#telephony-hours", "none");
    assert.equal(await visible("#telephony-own"), false);
    await verdict(/No schedule was given/);
    await editor.page.click("#telephony-exceptions-list .red-ui-editableList-addButton");
    await editor.page.locator("#telephony-exceptions-list .telephony-date").first().fill("2030-01-07");
    await editor.page.fill("#telephony-instant", "2030-01-07T09:00");
    await verdict(/closed until .* an exception/);
    await editor.page.fill("#telephony-instant", "2030-01-06T09:00");
    await verdict(/open until/);
    await editor.done();
    assert.deepEqual(await editor.problems("own"), []);
    const { source, schedule } = await editor.deployed("own");
    assert.deepEqual([source, schedule], ["value", ""]);
    await editor.edit("own");
    assert.equal(await editor.page.inputValue("#telephony-hours"), "none");
    await editor.page.selectOption("#telephony-hours", "own");
    await editor.done();
    assert.deepEqual((await editor.deployed("own"))["schedule"], []);
  });

  it("stores exceptions: a date, a range, a yearly date, closed or with hours", async () => {
    await editor.edit("special");
    const rows = editor.page.locator("#telephony-exceptions-list li");
    await editor.page.click("#telephony-exceptions-list .red-ui-editableList-addButton");
    await rows.nth(2).locator(".telephony-date").first().fill("2030-05-01");
    await rows.nth(2).locator("input.telephony-grow").fill("Labour Day");
    // Only the rows of a list with an order are moved.
    await editor.page.keyboard.press("Alt+ArrowUp");
    await editor.page.fill("#telephony-instant", "2030-05-01T09:00");
    await verdict(/closed until .* an exception/);
    await rows.nth(2).locator("button[aria-label$='add interval']").click();
    await verdict(/open until .* an exception/);
    await rows.nth(1).locator("input[type=checkbox]").check();
    await editor.done();
    assert.deepEqual((await editor.deployed("special"))["exceptions"], [
      HOLIDAYS[0],
      { kept: 1, from: "02-04", to: "02-08", hours: [{ open: "08:00", close: "12:00" }] },
      { date: "2030-05-01", hours: [{ open: "08:00", close: "17:00" }], name: "Labour Day" },
    ]);
  });
});
