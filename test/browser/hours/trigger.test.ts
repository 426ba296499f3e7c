import { strict as assert } from "node:assert";
import { flowOf, pairs, SANDBOX } from "../../support/browser/flows";
import { withEditor } from "../../support/browser/with-editor";

const TENANT = { ...SANDBOX, timezone: "Asia/Ho_Chi_Minh" };
const WEEK = [{ day: "mon", open: "08:00", close: "12:00" }];

const NODES = [
  { id: "plain", type: "business-hour-trigger" },
  { id: "named", type: "business-hour-trigger", scheduleName: "Office" },
  {
    id: "full",
    type: "business-hour-trigger",
    scheduleName: "Office",
    ...pairs("global", { exceptions: "holidays" }),
    openingOffset: -15,
    closingOffset: "30",
    atStart: true,
    language: "vi",
    refresh: 60,
    ...pairs("env", { timezone: "ZONE" }),
  },
  { id: "own", type: "business-hour-trigger", tenant: "", source: "value", schedule: WEEK, scheduleType: "list" },
  { id: "from-message", type: "business-hour-trigger", source: "value", schedule: "payload", scheduleType: "msg" },
].map((node) => ({ wires: [[], []], ...node }));

/** The effective configuration of a trigger, with numbers instead of strings. */
function meaning(node: Readonly<Record<string, unknown>>): unknown {
  const defaults = { source: "tenant", openingOffset: 0, closingOffset: 0, atStart: false, language: "", refresh: 300 };
  const given = { ...defaults, ...node };
  const pairs = ["scheduleName", "scheduleId", "schedule", "exceptions", "timezone"].map((property) => {
    const value = given[property as keyof typeof given] ?? "";
    const isEmpty = value === "" || (Array.isArray(value) && value.length === 0);
    return isEmpty ? "" : [given[`${property}Type` as keyof typeof given] ?? "str", value];
  });
  const { source, openingOffset, closingOffset, atStart, language, refresh } = given;
  return [pairs, source, Number(openingOffset), Number(closingOffset), atStart, language, Number(refresh)];
}

describe("The trigger's dialog", () => {
  const editor = withEditor(flowOf(NODES, [TENANT]));

  for (const node of NODES)
    it(`leaves the trigger "${node.id}" to do what it did, once opened and done`, async () => {
      const before = meaning((await editor.nodeRed.flows()).find(({ id }) => id === node.id) ?? {});
      await editor.reopen(node.id);
      assert.deepEqual(meaning(await editor.deployed(node.id)), before);
    });

  it("has no input, two outputs with labels, and its schedule on the canvas", async () => {
    assert.equal(await editor.label("plain"), "opens, closes");
    assert.equal(await editor.label("named"), "opens, closes: Office");
    assert.equal(await editor.label("own"), "opens, closes: own hours");
    const shape =
      "(({ inputs, outputs, _def }) => [inputs, outputs, _def.outputLabels.call(RED.nodes.node('named'), 0), _def.outputLabels.call(RED.nodes.node('named'), 1)])(RED.nodes.node('named'))";
    assert.deepEqual(await editor.page.evaluate(shape), [0, 2, "opening", "closing"]);
  });

  it("requires a schedule and a tenant, and no source that needs a message", async () => {
    assert.match((await editor.problems("plain")).join(), /Schedule: No schedule: choose one in the node/);
    assert.deepEqual(await editor.problems("own"), []);
    assert.deepEqual(await editor.problems("full"), []);
    assert.match((await editor.problems("from-message")).join(), /Opening hours cannot come from a message/);
    await editor.change("named", { tenant: "" });
    assert.match((await editor.problems("named")).join(), /Tenant: no tenant is chosen/);
    await editor.change("named", { tenant: "tenant-1", openingOffset: "1441" });
    assert.match((await editor.problems("named")).join(), /Opening offset.*-1440.*1440/);
    await editor.change("named", { openingOffset: "0" });
    assert.deepEqual(await editor.problems("named"), []);
  });

  it("offers no source that needs a message", async () => {
    await editor.edit("named");
    for (const property of ["scheduleName", "scheduleId", "timezone"]) {
      const offered = await editor.page.evaluate(
        `Object.keys($('#node-input-${property}').typedInput('instance').typeMap)`,
      );
      for (const type of ["msg", "jsonata", "mustache"])
        assert.ok(!(offered as string[]).includes(type), `${property}: ${String(offered)}`);
    }
    await editor.cancel();
  });

  it("shows the state, the next messages with their offsets, and the sentence", async () => {
    await editor.edit("named");
    await editor.page.fill("#telephony-instant", "2030-01-07T07:00");
    await editor.page.fill("#node-input-openingOffset", "-15");
    await editor.page.fill("#node-input-closingOffset", "30");
    await editor.shows("#telephony-verdict", /closed until 08:00/);
    await editor.shows("#telephony-next", /^Next: 07:45 opening · 12:30 closing · 12:45 opening$/);
    await editor.shows("#telephony-sentence", /^We are closed and open again today at 8:00\.$/);
    await editor.page.fill("#node-input-openingOffset", "soon");
    await editor.shows("#telephony-verdict", /Opening offset/);
    await editor.page.fill("#node-input-openingOffset", "-15");
    await editor.page.check("#node-input-atStart");
    await editor.done();
    const { openingOffset, closingOffset, atStart } = await editor.deployed("named");
    assert.deepEqual([String(openingOffset), String(closingOffset), atStart], ["-15", "30", true]);
  });
});
