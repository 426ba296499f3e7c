import { strict as assert } from "node:assert";
import { flowOf, pairs, SANDBOX } from "../support/browser/flows";
import { withEditor } from "../support/browser/with-editor";
import { ACTIONS } from "../support/node-types";

/** Properties of nodes in use; the others are as they come from the palette. */
const IN_USE: Readonly<Record<string, object>> = {
  "call-out": {
    ...pairs("str", { toNumber: "0000000001", answerUrl: "" }),
    ...pairs("list", { actions: [{ action: "talk", text: "Hello" }] }),
  },
  "call-transfer": pairs("str", { toAlias: "left behind" }),
  "call-stop": pairs("str", { callId: "7" }),
  "business-hour-list": { ...pairs("str", { search: "Office" }), ...pairs("bool", { asc: "true" }) },
  "business-hour-create": pairs("str", { scheduleName: "Office" }),
  "business-hour-ensure": pairs("str", { scheduleName: "Office" }),
  "business-hour-delete": pairs("str", { scheduleId: "7" }),
};
const NODES = ACTIONS.map(({ type }) => ({ id: type, type, ...IN_USE[type] }));

describe("The request that a dialog shows", () => {
  const request = () => editor.page.locator(".telephony-request pre");
  const open = async (id: string) => {
    await editor.edit(id);
    await editor.page.locator(".telephony-request button").focus();
    await editor.page.keyboard.press("Enter");
  };
  /** Waits until the block has a text. */
  const says = async (pattern: RegExp) => {
    await editor.shows(".telephony-request", pattern);
    const [first = "", , ...body] = ((await request().textContent()) ?? "").split("\n");
    return { first, body: body.length > 0 ? (JSON.parse(body.join("\n")) as Record<string, unknown>) : undefined };
  };

  const editor = withEditor(flowOf(NODES, [{ ...SANDBOX, partyFields: "nested" }]));

  it("is available in every action, by keyboard, and states that nothing was sent", async () => {
    for (const { id } of NODES) {
      await open(id);
      assert.match((await says(/\/api\/v1/)).first, /^(POST|GET|DELETE) \/api\/v1\/(call|setting)\/\S+$/, id);
      assert.match((await editor.page.textContent(".telephony-request")) ?? "", /Nothing was sent/);
      await editor.page.keyboard.press("Enter");
      assert.equal(await request().isVisible(), false);
      await editor.cancel();
    }
  });

  it("is that of the dialog, with its tenant, and follows what is typed", async () => {
    await open("call-out");
    const { body } = await says(/0000000001/);
    const to = body?.["to"] as { number?: string } | undefined;
    assert.equal(to?.number, "0000000001");
    assert.deepEqual(body?.["actions"], [{ action: "talk", text: "Hello" }]);
    await editor.choose("#node-input-toNumber", "str", "0000000002");
    await says(/0000000002/);
    await editor.page.locator("#telephony-actions-list .red-ui-editableList-item-remove").click();
    await editor.page.waitForFunction("!/Hello/.test(document.querySelector('.telephony-request pre').textContent)");
    await editor.cancel();
    assert.equal(await editor.property("call-out", "toNumber"), "0000000001");
    assert.deepEqual(await editor.property("call-out", "actions"), [{ action: "talk", text: "Hello" }]);
  });

  it("is the address of a read, or the week of a business hour", async () => {
    await open("business-hour-list");
    const query = "search=Office&limit={msg.payload.limit}&asc=true&page={msg.payload.page}";
    assert.equal((await says(/GET/)).first, `GET /api/v1/setting/business-hour?${query}`);
    await editor.cancel();
    await open("business-hour-create");
    await editor.choose("#telephony-days", "list");
    await editor.page.click('button[aria-label="Monday: add interval"]');
    assert.deepEqual((await says(/"mon"/)).body, {
      name: "Office",
      enabled: "{msg.payload.enabled}",
      days: [{ day: "mon", open: "08:00", close: "17:00" }],
    });
    await editor.cancel();
    assert.equal(await editor.property("business-hour-create", "days"), undefined);
  });

  it("explains a request that can never be sent", async () => {
    await open("call-stop");
    await says(/call\/stop/);
    await editor.choose("#node-input-callId", "str", "");
    await says(/Missing: Call id\. Nothing was found in the dialog\./);
    await editor.cancel();
    await open("call-out");
    await says(/Hello/);
    await editor.choose("#node-input-toNumber", "str", "");
    await says(/No number: nothing was found in .* for Number to call/);
    for (const text of ["one", "two"]) {
      await editor.page.click("#telephony-actions-list .red-ui-editableList-addButton");
      await editor.page.locator("#telephony-actions-list li").last().locator("textarea").fill(text);
    }
    const speed = editor.page.locator("#telephony-actions-list .telephony-spoken-speed").last();
    // All that a number box lets be typed and is no number.
    await speed.press("e");
    await says(/Say or play, row 3: Speed must be a number; the dialog gives "\?"\./);
    await editor.cancel();
  });

  it("is what Done would store, and changes nothing until then", async () => {
    await open("call-transfer");
    const { body } = await says(/transfer/);
    assert.doesNotMatch(JSON.stringify(body), /left behind/);
    assert.equal(await editor.page.locator(".telephony-request .telephony-problem").count(), 0);
    assert.equal(await editor.page.inputValue("#node-input-toAlias"), "left behind");
    assert.equal(await editor.property("call-transfer", "toAlias"), "left behind");
    await editor.cancel();
  });
});
