import { strict as assert } from "node:assert";
import { flowOf, configInput as input, SANDBOX } from "../../support/browser/flows";
import { withEditor } from "../../support/browser/with-editor";

const GUARDED = {
  ...SANDBOX,
  id: "guarded",
  country: "VN",
  allow: ["+84*", { number: "113", name: "police" }],
  allowType: "list",
  block: "0913*; 0914*",
  blockType: "list",
  perNumber: "1",
  perNumberHours: "3",
};
const ELSEWHERE = { ...SANDBOX, id: "elsewhere", block: "numbers", blockType: "global" };
const BARE = { id: "bare", type: "telephony-tenant", mode: "sandbox" };

describe("The guard in a tenant's dialog", () => {
  const rows = (property: string) => editor.page.locator(`#telephony-${property}-list ol input`);
  const fold = () => editor.page.locator("details", { has: editor.page.locator(input("country")) });
  const tries = async (number: string, sentence: RegExp) => {
    await editor.page.fill("#telephony-tryNumber", "");
    await editor.page.fill("#telephony-tryNumber", number);
    await editor.shows("#telephony-tried", sentence);
  };

  const editor = withEditor(() => {
    const call = { id: "call", type: "call-out", tenant: "guarded" };
    return flowOf([call], [GUARDED, ELSEWHERE, BARE]);
  });

  it("is folded up while it is not used", async () => {
    await editor.edit("bare");
    assert.equal(await fold().getAttribute("open"), null);
    await editor.cancel();
    await editor.edit("guarded");
    assert.equal(await fold().getAttribute("open"), "");
    await editor.cancel();
  });

  it("keeps the values of a hand-written flow file", async () => {
    await editor.edit("guarded");
    await editor.page.fill(input("name"), "Renamed");
    await editor.done();
    const { allow, allowType, block, blockType, country, perNumber, perNumberHours } = await editor.deployed("guarded");
    const { name: _, ...written } = GUARDED as Record<string, unknown>;
    assert.deepEqual({ ...written, allow, allowType, block, blockType, country, perNumber, perNumberHours }, written);
    await editor.edit("elsewhere");
    await editor.page.fill(input("name"), "Elsewhere");
    await editor.done();
    const elsewhere = await editor.deployed("elsewhere");
    assert.deepEqual(
      [elsewhere["allow"], elsewhere["allowType"], elsewhere["block"], elsewhere["blockType"]],
      [[], "list", "numbers", "global"],
    );
  });

  it("shows what would happen to a number, with the lists as typed", async () => {
    await editor.edit("guarded");
    await tries("0912 345 678", /^This number would be called\.$/);
    await rows("allow").first().fill("+1*");
    await editor.shows("#telephony-tried", /^Blocked: this number is not among/);
    await tries("+1 201 555 0123", /^This number would be called\.$/);
    await editor.cancel();
  });

  it("adds and removes numbers in rows", async () => {
    await editor.edit("bare");
    await fold().locator("summary").click();
    const add = editor.page.locator("#telephony-block-list .red-ui-editableList-addButton");
    for (const number of ["113", "0900 000 000", "09*"]) {
      await add.click();
      await rows("block").last().fill(number);
    }
    await editor.page.locator("#telephony-block-list .red-ui-editableList-item-remove").first().click();
    await rows("block").nth(2).waitFor({ state: "detached" });
    await editor.done();
    const { block, blockType } = await editor.deployed("bare");
    assert.deepEqual([block, blockType], [["0900 000 000", "09*"], "list"]);
  });

  it("reports an invalid row", async () => {
    await editor.edit("guarded");
    await rows("allow").nth(1).fill("alice");
    await editor.shows("#telephony-allow-problem", /^Not a phone number: Call only, row 2 must be a phone number/);
    await editor.cancel();
  });
});
