import { strict as assert } from "node:assert";
import { flowOf, pairs, SANDBOX } from "../../support/browser/flows";
import { withEditor } from "../../support/browser/with-editor";

const EXCEPTIONS = [{ date: "2030-12-25", name: "Christmas", of: "another program" }];
const FROM_GLOBAL = { callingHours: "Night", callingExceptions: "holidays", callingExceptionsType: "global" };
const CALL = { type: "call-out", ...pairs("str", { toNumber: "1", answerUrl: "https://example.com" }) };

describe("Calling hours in the editor", () => {
  const EXCEPTIONS_INPUT = "#telephony-callingExceptions";

  const editor = withEditor(() => {
    const tenants = [
      SANDBOX,
      { ...SANDBOX, id: "tenant-list", callingHours: "Office", ...pairs("list", { callingExceptions: EXCEPTIONS }) },
      { ...SANDBOX, id: "tenant-global", ...FROM_GLOBAL },
      { ...SANDBOX, id: "tenant-none", callingHours: "No such hours" },
    ];
    const calls = [
      { ...CALL, id: "yes", anytime: "true" },
      { ...CALL, id: "bad", anytime: "maybe" },
    ];
    return flowOf(calls, tenants);
  });

  it("keeps what a hand-written flow has", async () => {
    for (const [id, expected] of [
      ["tenant-list", { callingHours: "Office", callingExceptions: EXCEPTIONS, callingExceptionsType: "list" }],
      ["tenant-global", FROM_GLOBAL],
    ] as const) {
      await editor.reopen(id);
      const { callingHours, callingExceptions, callingExceptionsType } = await editor.written(id);
      assert.deepEqual({ callingHours, callingExceptions, callingExceptionsType }, expected);
    }
  });

  it("adds an exception, and says which one cannot be read", async () => {
    await editor.edit("tenant-list");
    await editor.openFold(EXCEPTIONS_INPUT);
    await editor.page.locator(`${EXCEPTIONS_INPUT}-list .red-ui-editableList-addButton`).click();
    const problem = editor.page.locator("#telephony-callingExceptions-problem");
    assert.match((await problem.textContent()) ?? "", /row 2|Exceptions/);
    await editor.page.locator(`${EXCEPTIONS_INPUT}-list .telephony-date`).nth(2).fill("2030-12-26");
    await problem.waitFor({ state: "hidden" });
    await editor.done();
    assert.deepEqual((await editor.written("tenant-list"))["callingExceptions"], [
      ...EXCEPTIONS,
      { date: "2030-12-26" },
    ]);
  });

  it("shows in the state of a tenant that calls wait", async () => {
    await editor.edit("tenant-none");
    await editor.shows("#telephony-state", "waits for calling hours");
    await editor.cancel();
  });

  for (const [id, checked] of [
    ["yes", true],
    ["bad", false],
  ] as const)
    it(`a call-out ${id} is ${checked ? "" : "not "}for any time, and a tick is stored as a boolean`, async () => {
      const box = "#node-input-anytime";
      await editor.edit(id);
      await editor.openFold(box);
      assert.equal(await editor.page.isChecked(box), checked);
      await editor.page.setChecked(box, !checked);
      await editor.done();
      assert.equal((await editor.written(id))["anytime"], !checked);
    });

  it("reports a value that is neither true nor false", async () => {
    await editor.change("bad", { anytime: "maybe" });
    assert.match((await editor.problems("bad")).join(), /Any time/);
  });
});
