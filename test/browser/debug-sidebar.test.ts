import { strict as assert } from "node:assert";
import { configInput, flowOf, inject, LIVE, pairs } from "../support/browser/flows";
import { withEditor } from "../support/browser/with-editor";
import { LiveTenant } from "../support/live-tenant";

const CALL = {
  id: "call",
  type: "call-out",
  ...pairs("str", { toNumber: "0000000000", answerUrl: "https://acme.example.com/answer" }),
};

/** The view of the debug sidebar on an error that no Catch node takes. */
describe("An error in the debug sidebar", () => {
  let tenant: LiveTenant;
  const editor = withEditor(async () => {
    tenant = await LiveTenant.start();
    tenant.answers(() => ({ status: 404, body: "<html>Not found</html>" }));
    return flowOf(
      [inject("go", "call"), CALL],
      [{ ...LIVE, id: "tenant-1", url: tenant.url, fromNumber: "0000000001" }],
    );
  });
  before(async () => {
    await editor.edit("tenant-1");
    await editor.page.fill(configInput("token"), "t");
    await editor.done();
    await editor.deploy();
  });
  after(() => tenant?.stop());

  it("is read as a sentence and a list of facts", async () => {
    await editor.page.evaluate("RED.sidebar.show('debug')");
    await editor.nodeRed.press("go");
    const shown = editor.page.locator(".red-ui-debug-msg").last();
    await shown.locator(".red-ui-debug-msg-object-handle").first().click();
    const rows = (await shown.locator(".red-ui-debug-msg-object-entry").allInnerTexts()).map((row) => row.trim());
    const fact = (name: string) =>
      rows.find((row) => row.startsWith(`${name}: `)) ?? assert.fail(`no ${name}: ${rows}`);
    assert.equal(fact("code"), 'code: "ERR_REJECTED"');
    // Of a long text, Node-RED shows 80 characters: the remedy is among them.
    assert.match(fact("message"), /^message: "No telephony service: check the tenant's address\. 127\.0\.0\.1/);
    assert.match(
      fact("cause"),
      /^cause: "outcome: rejected, retryable: false, sent: yes, phase: parse, action: call-out/,
    );
    for (const row of ["message", "cause"])
      await shown
        .locator(".red-ui-debug-msg-object-entry", { hasText: `${row}: ` })
        .locator(".red-ui-debug-msg-object-handle")
        .click();
    const [message, cause] = await shown.locator("pre").allInnerTexts();
    assert.match(message ?? "", / Nothing was done\.$/);
    assert.match(cause ?? "", /, httpStatus: 404/);
    // The people who were called are for Catch nodes, not for the sidebar.
    assert.doesNotMatch(`${message} ${cause}`, /0000000000/);
  });
});
