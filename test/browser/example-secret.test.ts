import { strict as assert } from "node:assert";
import { ImportedExample } from "../support/browser/imported-example";
import { withEditor } from "../support/browser/with-editor";
import { eventually } from "../support/process/eventually";

describe("The secret of an imported example", () => {
  const editor = withEditor([{ id: "a-tab", type: "tab", label: "What was there" }]);

  /** The status of the answer. There is no such path before the flow of the last deploy runs. */
  const post = (secret: string) =>
    eventually(async () => {
      const body = { orderNo: "17", name: "Ada", number: "0000000000" };
      const { status } = await editor.nodeRed.post("/call-a-customer", body, { "x-call-secret": secret });
      return status === 404 ? undefined : status;
    });

  it("is made in the dialog of its webhook, without a shell", async () => {
    const example = await ImportedExample.from(editor, "2 Call a customer");
    await editor.deploy();
    assert.equal(await post("${CALL_SECRET}"), 503);
    const webhook = (await example.nodes()).find(({ type }) => type === "telephony-webhook");
    await editor.edit(webhook?.id ?? "");
    await editor.page.getByRole("button", { name: "Make a secret" }).click();
    const made = await editor.page.inputValue("#node-input-secret");
    await editor.done();
    const flows = await editor.deploy();
    assert.equal(await post(made), 200);
    assert.equal(await post("another secret"), 401);
    assert.ok(made.length > 20 && !JSON.stringify(flows).includes(made));
  });
});
