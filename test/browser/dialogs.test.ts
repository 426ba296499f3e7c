import { strict as assert } from "node:assert";
import { flowOf, meaning, pairs } from "../support/browser/flows";
import { withEditor } from "../support/browser/with-editor";
import { CALL_ACTIONS, NODES } from "../support/node-types";

/** Nodes as users may write them by hand; each keeps its meaning when its dialog is opened and closed with Done. */
const HAND_WRITTEN = [
  // First: once its dialog was open, it has types, as all nodes that an editor deploys.
  { id: "untyped", type: "call-add-user", callId: "c1", toNumber: 101 },
  ...CALL_ACTIONS.map((type) => ({ id: `bare-${type}`, type })),
  { id: "stop-fixed", type: "call-stop", ...pairs("num", { callId: 901 }), ...pairs("msg", { notAfter: "until" }) },
  { id: "stop-template", type: "call-stop", ...pairs("mustache", { callId: "call {{payload.id}}" }) },
  {
    id: "add-nothing",
    type: "call-add-user",
    ...pairs("bool", { spyCall: "" }),
    ...pairs("str", { toKind: "", fromKind: "" }),
  },
  {
    id: "add-true",
    type: "call-add-user",
    ...pairs("bool", { spyCall: true }),
    ...pairs("str", { toKind: "internal" }),
    ...pairs("num", { toNumber: 101 }),
  },
  {
    id: "add-odd",
    type: "call-add-user",
    ...pairs("str", { toKind: "bogus" }),
    ...pairs("jsonata", { toNumber: '$join([\n"1",\n"2"])' }),
  },
  { id: "move-simple", type: "call-transfer", mode: "simple", ...pairs("str", { toAlias: "", fromUserId: "7" }) },
  { id: "move-mapped", type: "call-transfer", mode: "advanced", ...pairs("msg", { transferKind: "payload.how" }) },
  { id: "move-attended", type: "call-transfer", mode: "advanced", ...pairs("str", { transferKind: "attended" }) },
  { id: "move-empty", type: "call-transfer", mode: "advanced", ...pairs("str", { transferKind: "", fromUserId: "" }) },
  {
    id: "out-list",
    type: "call-out",
    actionsType: "list",
    actions: [{ action: "talk", text: "One\nTwo", textType: "str", speed: 1, loop: "2" }, { action: "beep" }],
  },
  { id: "out-json", type: "call-out", actionsType: "json", actions: '[{"action":"talk","text":"Hello"}]' },
  {
    id: "out-address",
    type: "call-out",
    ...pairs("str", { answerUrl: "https://acme.example.com/answer", actions: "" }),
  },
];

describe("The dialogs", () => {
  const editor = withEditor(flowOf(HAND_WRITTEN));
  beforeEach(() => editor.complaints.splice(0));

  for (const written of HAND_WRITTEN) {
    it(`leave ${written.id} as it was when nothing is changed @markup`, async () => {
      await editor.reopen(written.id);
      const after = await editor.written(written.id);
      assert.deepEqual(meaning(after), meaning(written));
    });
  }

  for (const [id, property, type, value] of [
    ["bare-call-stop", "callId", "str", "c-1"],
    ["bare-call-stop", "callId", "flow", "current.call"],
    ["bare-call-stop", "notAfter", "msg", "businessHour.closesAt"],
    ["bare-call-add-user", "toKind", "str", "external"],
    ["bare-call-add-user", "toAlias", "mustache", "{{payload.name}}"],
    ["bare-call-add-user", "fromNumber", "env", "HOTLINE"],
    ["bare-call-add-user", "fromAlias", "global", "name"],
    ["bare-call-add-user", "spyCall", "jsonata", "payload.silent"],
    ["bare-call-add-user", "onceKey", "msg", "payload.order"],
    ["bare-call-transfer", "toKind", "str", "queue"],
    ["bare-call-out", "answerUrl", "str", "https://acme.example.com/answer"],
  ] as const) {
    it(`write what is chosen for ${property} of ${id}: ${type} @markup`, async () => {
      await editor.edit(id);
      await editor.choose(`#node-input-${property}`, type, value);
      await editor.done();
      const after = await editor.written(id);
      assert.deepEqual([after[property], after[`${property}Type`]], [value, type]);
    });
  }

  it("write names, seconds, scope and the property of the result @markup", async () => {
    await editor.edit("bare-call-add-user");
    await editor.choose("#node-input-onceKey", "msg", "payload.order");
    for (const field of ["onceFor", "target"]) await editor.openFold(`#node-input-${field}`);
    await editor.page.fill("#node-input-name", "Supervisor");
    await editor.page.fill("#node-input-onceFor", "60");
    await editor.page.selectOption("#node-input-onceScope", "tenant");
    await editor.page.fill("#node-input-target-shown", "answer");
    await editor.done();
    const after = await editor.written("bare-call-add-user");
    assert.deepEqual(
      [after["name"], after["onceFor"], after["onceScope"], after["target"]],
      ["Supervisor", "60", "tenant", "answer"],
    );
    assert.equal(await editor.label("bare-call-add-user"), "Supervisor");
  });

  for (const type of ["call-out", "business-hour-get"])
    it(`let the message of ${type} keep its payload, or name another property for the answer @markup`, async () => {
      const id = await editor.drop(type);
      const target = async () => (await editor.written(id))["target"];
      await editor.edit(id);
      await editor.choose("#node-input-target", "nowhere");
      await editor.done();
      assert.equal(await target(), "-");
      assert.equal((await editor.problems(id)).filter((problem) => problem.includes("Result")).length, 0);
      await editor.edit(id);
      const row = editor.page.locator(".telephony-row:has(#node-input-target)");
      assert.match((await row.textContent()) ?? "", /nowhere: keep the message/);
      await editor.choose("#node-input-target", "msg");
      await editor.done();
      assert.equal(await target(), "payload");
    });

  it("show the payload as the target of a node that a hand-written flow gives none", async () => {
    await editor.edit("bare-call-stop");
    await editor.openFold("#node-input-target");
    assert.equal(await editor.page.inputValue("#node-input-target-shown"), "payload");
    await editor.done();
    assert.equal((await editor.written("bare-call-stop"))["target"], "payload");
  });

  it("do not turn a path into a text when the source changes", async () => {
    const id = await editor.drop("call-stop");
    await editor.edit(id);
    await editor.choose("#node-input-callId", "str");
    assert.equal(await editor.page.inputValue("#node-input-callId"), "");
    await editor.choose("#node-input-callId", "flow");
    assert.equal(await editor.page.inputValue("#node-input-callId"), "payload.callId");
    await editor.cancel();
  });

  it("take a text for one with fields once {{ is typed in it, and go on where it was typed @markup", async () => {
    const id = await editor.drop("call-out");
    await editor.edit(id);
    const typeOf = (input: string) => editor.page.evaluate(`$("${input}").typedInput("type")`);
    assert.equal(await typeOf("#node-input-onceKey"), "msg");
    await editor.choose("#node-input-toNumber", "str", "{{payload.phone}}");
    assert.equal(await typeOf("#node-input-toNumber"), "mustache");
    // A path at first.
    await editor.page.locator(".telephony-spoken-text + .red-ui-typedInput-container input:visible").fill("Hello !");
    await editor.page.keyboard.press("ArrowLeft");
    await editor.page.keyboard.type("{{payload.name}}");
    await editor.done();
    const { actions } = await editor.written(id);
    assert.deepEqual(actions, [{ action: "talk", text: "Hello {{payload.name}}!", textType: "mustache" }]);
  });

  it("take a path for a text once a number is typed in its place, and keep the number when the type changes @markup", async () => {
    const id = await editor.drop("call-out");
    await editor.edit(id);
    await editor.page.click("#node-input-toNumber-shown", { clickCount: 3 });
    await editor.page.keyboard.type("0912345678");
    assert.equal(await editor.page.inputValue("#node-input-toNumberType"), "str");
    for (const type of ["flow", "mustache", "msg", "str"]) {
      await editor.choose("#node-input-toNumber", type);
      assert.equal(await editor.page.inputValue("#node-input-toNumber-shown"), "0912345678", type);
    }
    await editor.done();
    const { toNumber, toNumberType } = await editor.written(id);
    assert.deepEqual([toNumber, toNumberType], ["0912345678", "str"]);
  });

  it("call a type by the same name in all menus @markup", async () => {
    const names = new Map<string, Set<string>>();
    for (const { type } of NODES.filter(({ kind }) => kind !== "tenant")) {
      await editor.edit(await editor.drop(type));
      await editor.page.evaluate("$('.red-ui-tray .red-ui-editableList-addButton:visible').trigger('click')");
      const menus = (await editor.page.evaluate(`$(".red-ui-tray input").get().flatMap((input) => {
        const { typeMap } = $(input).typedInput("instance") ?? {};
        return Object.values(typeMap ?? {}).filter(({ options }) => !options)
          .map(({ value, label }) => [value, label ?? value]);
      })`)) as [string, string][];
      for (const [value, label] of menus) names.set(value, (names.get(value) ?? new Set()).add(label));
      await editor.cancel();
    }
    assert.ok(names.size > 8, [...names.keys()].join());
    const several = [...names].filter(([, labels]) => labels.size > 1).map(([value, labels]) => [value, ...labels]);
    assert.deepEqual(several, []);
  });

  it("leave no hidden value when the type of transfer is changed there and back", async () => {
    await editor.edit("move-simple");
    await editor.choose("#telephony-how", "how", "attendend");
    await editor.choose("#node-input-toAlias", "str", "Support");
    assert.equal(await editor.page.isVisible("label[for^=node-input-fromUserId]"), false);
    await editor.done();
    let after = await editor.written("move-simple");
    assert.deepEqual(
      ["mode", "transferKind", "transferKindType", "toAlias", "fromUserId", "fromUserIdType"].map(
        (name) => after[name],
      ),
      ["advanced", "attendend", "str", "Support", "payload.fromUserId", "msg"],
    );
    await editor.edit("move-simple");
    await editor.choose("#telephony-how", "how", "simple");
    await editor.done();
    after = await editor.written("move-simple");
    assert.deepEqual(
      ["mode", "transferKind", "transferKindType", "toAlias", "toAliasType"].map((name) => after[name]),
      ["simple", "payload.transferType", "msg", "payload.to.alias", "msg"],
    );
  });

  it("offer a queue only for types of transfer that support it", async () => {
    await editor.edit("move-simple");
    await editor.choose("#node-input-toKind", "str", "queue");
    assert.equal(await editor.page.inputValue("#node-input-mode"), "advanced");
    assert.equal(await editor.page.inputValue("#node-input-transferKind"), "blind");
    await editor.cancel();
  });

  it("store a checkbox for listening, and show it on the canvas @markup", async () => {
    await editor.edit("add-true");
    const box = editor.page.locator(".telephony-check input");
    assert.equal(await box.isChecked(), true);
    await box.uncheck();
    await editor.done();
    assert.equal(await editor.property("add-true", "spyCall"), "false");
    assert.equal(await editor.label("add-true"), "add → 101");
    await editor.edit("add-true");
    await box.focus();
    await editor.page.keyboard.press("Space");
    await editor.done();
    assert.equal(await editor.property("add-true", "spyCall"), "true");
    assert.equal(await editor.label("add-true"), "listen in: 101");
  });

  it("connect every label to an element that can have the focus", async () => {
    for (const type of CALL_ACTIONS) {
      await editor.edit(`bare-${type}`);
      await editor.unfold();
      const lost = await editor.page.evaluate(`[...document.querySelectorAll('.red-ui-tray .telephony-row > label')]
        .filter((label) => label.offsetParent && !document.getElementById(label.htmlFor)).map((label) => label.htmlFor)`);
      assert.deepEqual(lost, [], type);
      await editor.cancel();
    }
  });
});
