import { strict as assert } from "node:assert";
import { flowOf } from "../support/browser/flows";
import { withEditor } from "../support/browser/with-editor";

const PEOPLE = [
  { number: "0000000000", name: "Jane", team: "one" },
  { number: "12", type: "internal" },
];

describe("The people of an escalation", () => {
  const items = () => editor.page.locator("#telephony-people-list ol > li");

  const editor = withEditor(() => {
    const nodes = [
      { id: "listed", type: "call-escalate", peopleType: "list", people: PEOPLE },
      { id: "absent", type: "call-escalate" },
    ];
    return flowOf(nodes);
  });

  it("stay as the flow file has them when nothing is changed", async () => {
    await editor.reopen("listed");
    assert.deepEqual(await editor.property("listed", "people"), PEOPLE);
    await editor.reopen("absent");
    assert.equal(await editor.property("absent", "people"), "payload.people");
    assert.equal(await editor.property("absent", "peopleType"), "msg");
  });

  it("are added, changed and removed, and a missing number is named @markup", async () => {
    await editor.edit("listed");
    await items().nth(0).locator("input").nth(1).fill("Joan");
    await items().nth(1).locator("select").selectOption("external");
    await editor.page.click("#telephony-people-list .red-ui-editableList-addButton");
    const row = items().nth(2);
    await row.locator("input").nth(1).fill("Ali");
    const problem = editor.page.locator("#telephony-people-problem");
    await problem.filter({ hasText: "row 3" }).waitFor();
    await row.locator("input").nth(0).fill("0000000001");
    await problem.waitFor({ state: "hidden" });
    await editor.done();
    assert.deepEqual(await editor.property("listed", "people"), [
      { ...PEOPLE[0], name: "Joan" },
      { number: "12", type: "external" },
      { number: "0000000001", name: "Ali" },
    ]);
    await editor.edit("listed");
    await items().nth(2).locator(".red-ui-editableList-item-remove").click();
    await items().nth(2).waitFor({ state: "detached" });
    await editor.done();
    assert.equal(((await editor.property("listed", "people")) as unknown[]).length, 2);
  });
});
