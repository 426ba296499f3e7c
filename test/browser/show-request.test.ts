import { strict as assert } from "node:assert";
import type { Browser } from "playwright-core";
import { Editor, launch } from "./editor";
import { ACTIONS, flowOf, SANDBOX } from "./flows";
import { NodeRed } from "./node-red";

const NODES = [
  { id: "out", type: "call-out", toNumber: "0000000001", toNumberType: "str", answerUrl: "", answerUrlType: "str" },
  { id: "move", type: "call-transfer", toAlias: "left behind", toAliasType: "str" },
  { id: "stop", type: "call-stop", callId: "7", callIdType: "str" },
  { id: "add", type: "call-add-user" },
].map((node) => ({
  ...node,
  ...(node.id === "out" && { actionsType: "list", actions: [{ action: "talk", text: "Hello" }] }),
}));

describe("The request that a dialog shows", () => {
  let browser: Browser;
  let nodeRed: NodeRed;
  let editor: Editor;
  const request = () => editor.page.locator(".telephony-request pre");
  const open = async (id: string) => {
    await editor.edit(id);
    await editor.page.locator(".telephony-request button").focus();
    await editor.page.keyboard.press("Enter");
  };
  /** Waits until the block says something. */
  const says = async (pattern: RegExp) => {
    await editor.page.locator(".telephony-request").filter({ hasText: pattern }).waitFor();
    const [first = "", , ...body] = ((await request().textContent()) ?? "").split("\n");
    return { first, body: body.length > 0 ? (JSON.parse(body.join("\n")) as Record<string, unknown>) : undefined };
  };

  before(async function () {
    this.timeout(60_000);
    browser = await launch();
    nodeRed = await NodeRed.start(flowOf(NODES, [{ ...SANDBOX, partyFields: "nested" }]));
    editor = await Editor.open(browser, nodeRed);
  });
  after(async () => {
    await browser?.close();
    await nodeRed?.stop();
  });
  afterEach(() => assert.deepEqual(editor.complaints, []));

  it("is there in every call action, by keyboard, and says that nothing was sent", async () => {
    assert.deepEqual(NODES.map(({ type }) => type).sort(), [...ACTIONS].sort());
    for (const { id } of NODES) {
      await open(id);
      assert.match((await says(/\/api\/v1\/call/)).first, /^POST \/api\/v1\/call\/\S+$/, id);
      assert.match((await editor.page.textContent(".telephony-request")) ?? "", /Nothing was sent/);
      await editor.page.keyboard.press("Enter");
      assert.equal(await request().isVisible(), false);
      await editor.cancel();
    }
  });

  it("is that of the dialog, with its tenant, and follows what is typed", async () => {
    await open("out");
    const { body } = await says(/0000000001/);
    const to = body?.["to"] as { number?: string } | undefined;
    assert.equal(to?.number, "0000000001");
    assert.deepEqual(body?.["actions"], [{ action: "talk", text: "Hello" }]);
    await editor.choose("#node-input-toNumber", "str", "0000000002");
    await says(/0000000002/);
    await editor.page.locator("#telephony-actions-list .red-ui-editableList-item-remove").click();
    await editor.page.waitForFunction("!/Hello/.test(document.querySelector('.telephony-request pre').textContent)");
    await editor.cancel();
    assert.equal(await editor.property("out", "toNumber"), "0000000001");
    assert.deepEqual(await editor.property("out", "actions"), [{ action: "talk", text: "Hello" }]);
  });

  it("says in words what can never be sent", async () => {
    await open("stop");
    await says(/call\/stop/);
    await editor.choose("#node-input-callId", "str", "");
    await editor.page.locator(".telephony-request .telephony-problem").filter({ hasText: "callId" }).waitFor();
    await editor.cancel();
  });

  it("is what Done would store, and changes nothing before", async () => {
    await open("move");
    const { body } = await says(/transfer/);
    assert.doesNotMatch(JSON.stringify(body), /left behind/);
    assert.equal(await editor.page.locator(".telephony-request .telephony-problem").count(), 0);
    assert.equal(await editor.page.inputValue("#node-input-toAlias"), "left behind");
    assert.equal(await editor.property("move", "toAlias"), "left behind");
    await editor.cancel();
  });

  it("says when it cannot be had", async () => {
    for (const [status, reason] of [
      [401, /login/],
      [403, /proxy/],
      [500, /did not answer/],
    ] as const) {
      await editor.page.route("**/telephony/request", (route) => route.fulfill({ status }));
      await open("add");
      await editor.page.locator(".telephony-request .telephony-problem").filter({ hasText: reason }).waitFor();
      assert.equal(await request().isVisible(), false);
      await editor.page.unroute("**/telephony/request");
      await editor.cancel();
    }
  });
});
