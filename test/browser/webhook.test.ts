import { strict as assert } from "node:assert";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { LIVE, pairs, SANDBOX } from "../support/browser/flows";
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
  const secret = "the secret of a shop";
  const shop = { ...hook, id: "shop", path: "shop", y: 300, credentials: { secret }, wires: [["call"]] };
  const call = {
    ...{ id: "call", type: "call-out", z: "tab", x: 400, y: 300, tenant: "tenant-1", target: "-", wires: [[]] },
    ...pairs("msg", { toNumber: "payload.customer.phone" }),
    ...pairs("list", { actions: [{ action: "talk", text: "Hello {{payload.name}}", textType: "mustache" }] }),
  };
  const real = { ...shop, id: "real", path: "real", y: 400, wires: [["dial"]] };
  const dial = { ...call, id: "dial", y: 400, tenant: "tenant-2" };
  const editor = withEditor(
    [{ id: "tab", type: "tab", label: "Orders" }, SANDBOX, LIVE, hook, written, shop, call, real, dial],
    { settings: { httpNodeRoot: "/api" } },
  );
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
    assert.equal(await editor.page.isVisible("#node-input-sign"), false);
    await editor.page.getByText(/^Only for some senders: Stripe, GitHub/).click();
    await editor.page.fill("#node-input-sign", "X-Signature");
    const signed = await text("telephony-curl");
    await editor.page.fill("#node-input-sign", "");
    await editor.done();
    await editor.deploy();
    assert.equal(await run(line), "202");
    // A saved secret is not known here.
    await editor.edit("hook");
    assert.match(await text("telephony-curl"), /YOUR-SECRET/);
    await editor.openFold("#node-input-sign");
    await editor.page.fill("#node-input-sign", "X-Signature");
    await editor.done();
    assert.deepEqual(await editor.problems("hook"), []);
    assert.doesNotMatch(JSON.stringify(await editor.deploy()), /X-Call-Secret|[\da-f]{48}/);
    assert.equal(await run(signed), "202");
    assert.equal(await run(line), "401");
  });

  it("tries the webhook with the fields that the nodes behind it read; the line is the same request", async () => {
    await editor.edit("shop");
    await editor.page.getByLabel("customer.phone").fill("0000000000");
    await editor.page.getByLabel("name").last().fill("Ada's friend");
    await editor.page.fill("#node-input-secret", secret);
    const line = await text("telephony-curl");
    assert.match(line, /{"customer":{"phone":"0000000000"},"name":"Ada'.*s friend"}/);
    await editor.page.click("#telephony-post");
    await editor.shows("#telephony-tried", /^ 20[02] {"accepted":true/);
    assert.match(await run(line), /^20[02]$/);
    await editor.cancel();
    // It answers as soon as it has taken a request.
    const calls = await eventually(async () => {
      const all = await (await fetch(`${editor.nodeRed.url}/telephony/sandbox/tenant-1/calls`)).text();
      return (JSON.parse(all) as object[]).length === 2 ? all : undefined;
    });
    assert.match(calls, /"number":"0000000000"}.*Hello Ada's friend/);
    // What was typed is still there.
    await editor.edit("shop");
    assert.equal(await editor.page.getByLabel("customer.phone").inputValue(), "0000000000");
    await editor.cancel();
  });

  it("keeps its setting for statuses, whatever status is shown below it", async () => {
    const status = async () => (await editor.deployed("shop"))["status"];
    await editor.edit("shop");
    await editor.openFold("#node-input-status");
    assert.equal(await value("node-input-status"), "");
    await editor.page.selectOption("#node-input-status", "200");
    await editor.done();
    assert.deepEqual(await editor.problems("shop"), []);
    assert.equal(await status(), "200");
    await editor.page.evaluate("RED.nodes.node('shop').status = { text: 'shown', fill: 'red' }");
    await editor.reopen("shop");
    assert.equal(await status(), "200");
    assert.equal(await editor.page.evaluate("RED.nodes.node('shop').status.text"), "shown");
    await editor.edit("shop");
    await editor.openFold("#node-input-status");
    await editor.page.selectOption("#node-input-status", "");
    await editor.done();
    await editor.page.evaluate("RED.history.pop()");
    assert.equal(await status(), "200");
  });

  it("asks before real phones may ring", async () => {
    await editor.edit("real");
    await editor.page.click("#telephony-post");
    await editor.page.getByText(/^Real phones may ring: behind this webhook is Acme/).waitFor();
    await editor.page.locator(".red-ui-notification").getByRole("button", { name: "Cancel" }).click();
    assert.equal(await text("telephony-tried"), "");
    await editor.cancel();
  });
});

describe("The dialog of a webhook in Home Assistant", () => {
  const hook = { id: "hook", type: "telephony-webhook", z: "tab", x: 200, y: 100, path: "orders", wires: [[]] };
  const settings = { httpAdminRoot: "/api/hassio_ingress/token", httpNodeRoot: "/endpoint" };
  const editor = withEditor([{ id: "tab", type: "tab", label: "Orders" }, hook], { settings });

  it("says that the address does not exist behind the ingress", async () => {
    await editor.edit("hook");
    await editor.shows("#telephony-ingress", /does not exist.* such as http:\/\/127\.0\.0\.1:1880\/endpoint\/orders$/);
    await editor.cancel();
  });
});
