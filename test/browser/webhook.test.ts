import { strict as assert } from "node:assert";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { withEditor } from "../support/browser/with-editor";
import { eventually } from "../support/process/eventually";

/** docs/contract/webhook.md, and the dialog of the node. */
describe("The dialog of a webhook", () => {
  const hook = {
    id: "hook",
    type: "telephony-webhook",
    z: "tab",
    x: 200,
    y: 100,
    path: "",
    answer: "taken",
    wires: [[]],
  };
  const written = { id: "written", type: hook.type, z: "tab", x: 200, y: 200, path: "written", wires: [[]] };
  const editor = withEditor([{ id: "tab", type: "tab", label: "Orders" }, hook, written], {
    settings: { httpNodeRoot: "/api" },
  });
  const value = (id: string) => editor.page.inputValue(`#${id}`);
  const text = async (id: string) => (await editor.page.textContent(`#${id}`)) ?? "";
  const status = (text: RegExp) => editor.shows('[id="hook"] .red-ui-flow-node-status-label', text);
  /** Runs the line in a shell. Resolves to the status of the answer, once the flow of the last deploy runs. */
  const run = (line: string) =>
    eventually(async () => {
      const { stdout } = await promisify(execFile)("sh", ["-c", `${line} -s -o /dev/null -w '%{http_code}'`]);
      return stdout === "404" ? undefined : stdout;
    });

  it("shows the whole address, and says that a path and a secret are missing", async () => {
    assert.match((await editor.problems("hook")).join(), /^No path|path/i);
    await editor.edit("hook");
    await editor.shows("#telephony-path-problem", /letters, digits/);
    await editor.page.fill("#node-input-path", "orders");
    assert.equal(await text("telephony-address"), `${editor.nodeRed.url}/api/orders`);
    const line = await text("telephony-curl");
    await editor.done();
    await editor.deploy();
    await status(/^no secret$/);
    assert.equal(await run(line), "503");
  });

  it("shows the default answer of a node that a hand-written flow gives none", async () => {
    await editor.edit("written");
    assert.equal(await value("node-input-answer"), "outcome");
    assert.match(await text("telephony-hint-answer"), /^200: placed/);
    await editor.cancel();
  });

  it("makes a secret, and a line that works as it stands, also with a signature; copies it", async () => {
    await editor.edit("hook");
    await editor.page.click("#telephony-make");
    assert.match(await value("node-input-secret"), /^[\da-f]{48}$/);
    const line = await text("telephony-curl");
    await editor.page.click('[data-copies="telephony-curl"]');
    await editor.page.fill("#node-input-name", "");
    await editor.page.locator("#node-input-name").press("Control+V");
    assert.equal(await value("node-input-name"), line);
    await editor.page.fill("#node-input-name", "");
    await editor.openFold("#node-input-sign");
    await editor.page.fill("#node-input-sign", "X-Signature");
    const signed = await text("telephony-curl");
    await editor.page.fill("#node-input-sign", "");
    await editor.done();
    await editor.deploy();
    assert.equal(await run(line), "202");
    // A saved secret is not known here.
    await editor.edit("hook");
    assert.match(await text("telephony-curl"), /YOUR-SECRET/);
    await editor.page.fill("#node-input-sign", "X-Signature");
    await editor.done();
    assert.deepEqual(await editor.problems("hook"), []);
    assert.doesNotMatch(JSON.stringify(await editor.deploy()), /X-Call-Secret|[\da-f]{48}/);
    assert.equal(await run(signed), "202");
    assert.equal(await run(line), "401");
  });
});
