import { strict as assert } from "node:assert";
import { ImportedExample } from "../support/browser/imported-example";
import { withEditor } from "../support/browser/with-editor";
import { eventually } from "../support/process/eventually";

describe("The secret of an imported example", () => {
  const editor = withEditor([{ id: "a-tab", type: "tab", label: "What was there" }]);

  /** The status of the answer. There is no such path before the flow of the last deploy runs. */
  const post = (secret: string) =>
    eventually(async () => {
      const body = { name: "Ada", number: "0000000000" };
      const { status } = await editor.nodeRed.post("/call-a-customer", body, { "x-call-secret": secret });
      return status === 404 ? undefined : status;
    });

  it("is entered in the properties of its tab, without a shell", async () => {
    const example = await ImportedExample.from(editor, "2 Call a customer");
    await editor.deploy();
    assert.equal(await post("entered by hand"), 503);
    await example.enterSecret("entered by hand");
    assert.equal(await editor.page.locator(".node-input-env-name").first().inputValue(), "CALL_SECRET");
    await editor.done();
    const flows = await editor.deploy();
    assert.equal(await post("entered by hand"), 200);
    assert.equal(await post("another"), 401);
    assert.doesNotMatch(JSON.stringify(flows), /entered by hand/);
  });
});
