import { strict as assert } from "node:assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { flowOf, inject, configInput as input, LIVE, pairs, SANDBOX } from "../../support/browser/flows";
import { withEditor } from "../../support/browser/with-editor";
import { eventually } from "../../support/process/eventually";

const CALL = {
  ...pairs("str", { toNumber: "0000000000" }),
  ...pairs("list", { actions: [{ action: "talk", text: "Hello", textType: "str" }] }),
};
const BARE = { id: "tenant-3", type: "telephony-tenant" };

describe("The tenant's dialog", () => {
  const editor = withEditor(() => {
    const nodes = [
      { id: "stop", type: "call-stop" },
      { id: "call", type: "call-out", tenant: "", ...CALL },
      inject("go", "call"),
      { id: "call-live", type: "call-out", tenant: "tenant-2", ...CALL },
      { id: "call-own", type: "call-out", tenant: "tenant-2", ...CALL, ...pairs("str", { fromNumber: "1" }) },
    ];
    return flowOf(nodes, [SANDBOX, LIVE, BARE]);
  });

  it("needs neither address nor token for a sandbox, and links to its calls @markup", async () => {
    await editor.edit("tenant-1");
    assert.equal(await editor.page.isVisible(input("url")), false);
    assert.equal(await editor.page.isVisible(input("token")), false);
    assert.equal(await editor.page.getAttribute("#telephony-calls", "href"), "telephony/sandbox/tenant-1");
    assert.equal(await editor.page.isVisible("#telephony-calls"), true);
    assert.equal((await fetch(`${editor.nodeRed.url}/telephony/sandbox/tenant-1`)).status, 200);
    await editor.cancel();
  });

  it("passes the login on to the sandbox's page", async () => {
    await editor.page.evaluate("RED.settings.set('auth-tokens', { access_token: 'a+b' })");
    await editor.edit("tenant-1");
    const address = await editor.page.getAttribute("#telephony-calls", "href");
    await editor.page.evaluate("RED.settings.remove('auth-tokens')");
    assert.equal(address, "telephony/sandbox/tenant-1?access_token=a%2Bb");
    await editor.cancel();
  });

  it("reports while typing why an address is refused", async () => {
    await editor.edit("tenant-2");
    const problem = editor.page.locator("#telephony-url-problem");
    await editor.page.fill(input("url"), "");
    await editor.page.locator(input("url")).pressSequentially("http://acme.example.com");
    assert.match((await problem.textContent()) ?? "", /https/);
    await editor.page.fill(input("url"), "${ADDRESS}");
    await editor.page.locator(input("url")).dispatchEvent("keyup");
    assert.equal(await problem.isVisible(), false);
    await editor.cancel();
  });

  it("stores the token with the credentials, and never shows it @markup", async () => {
    await editor.edit("tenant-2");
    await editor.page.fill(input("token"), "secret-token");
    await editor.done();
    const flows = JSON.stringify(await editor.deploy());
    assert.doesNotMatch(flows, /secret-token/);
    assert.match(await readFile(join(editor.nodeRed.userDir, "flows_cred.json"), "utf8"), /secret-token/);
    await editor.edit("tenant-2");
    assert.equal(await editor.page.inputValue(input("token")), "__PWRD__");
    await editor.page.fill(input("fromNumber"), "0000000000");
    await editor.done();
    await editor.deploy();
    assert.match(await readFile(join(editor.nodeRed.userDir, "flows_cred.json"), "utf8"), /secret-token/);
  });

  it("is red without a token, but for a sandbox and where one is saved", async () => {
    const isRed = () => editor.page.locator(`${input("token")}.input-error`).count();
    const missing = /^The access token is missing\.$/;
    const said = async () => (await editor.page.textContent("#telephony-token-problem")) ?? "";
    await editor.edit("tenant-3");
    assert.equal(await isRed(), 1);
    assert.match(await said(), missing);
    await editor.page.selectOption(input("mode"), "sandbox");
    assert.equal(await isRed(), 0);
    await editor.page.selectOption(input("mode"), "log");
    assert.equal(await isRed(), 1);
    await editor.page.fill(input("token"), "${TOKEN}");
    await editor.page.keyboard.press("Tab");
    assert.deepEqual([await isRed(), await said()], [0, ""]);
    await editor.cancel();

    const problems = async (id: string) =>
      (await editor.problems(id)).filter((problem) => missing.test(problem)).length;
    await editor.import(
      { ...LIVE, id: "tenant-4" },
      { ...LIVE, id: "tenant-5", credentials: { token: "t" } },
      { ...SANDBOX, id: "tenant-6" },
    );
    assert.equal(await problems("tenant-4"), 1);
    assert.equal(await problems("tenant-5"), 0);
    assert.equal(await problems("tenant-6"), 0);
    assert.equal(await problems("tenant-2"), 0);
    await editor.edit("tenant-4");
    await editor.page.fill(input("token"), "t");
    await editor.done();
    assert.equal(await problems("tenant-4"), 0);
    await editor.edit("tenant-2");
    assert.deepEqual([await isRed(), await said()], [0, ""]);
    await editor.page.fill(input("token"), "");
    await editor.done();
    assert.equal(await problems("tenant-2"), 1);
  });

  it("keeps a minimal hand-written tenant as it was", async () => {
    await editor.reopen("tenant-3");
    const after = await editor.deployed("tenant-3");
    const standards = { mode: "live", partyFields: "auto", onTrouble: "wait", timezone: "" };
    for (const [property, standard] of Object.entries(standards))
      assert.equal(after[property] ?? standard, standard, property);
  });

  it("begins a new tenant in sandbox mode, where a call works at once @markup", async () => {
    await editor.edit("call");
    await editor.addTenant();
    assert.equal(await editor.page.inputValue(input("mode")), "sandbox");
    assert.notEqual(await editor.page.inputValue(input("fromNumber")), "");
    await editor.page.locator("#node-config-dialog-ok").click();
    await editor.settled();
    await editor.done();
    const { tenant } = await editor.deployed("call");
    await editor.nodeRed.press("go");
    const calls = async () => {
      const answer = await fetch(`${editor.nodeRed.url}/telephony/sandbox/${String(tenant)}/calls`);
      return answer.ok ? ((await answer.json()) as unknown[]).length : 0;
    };
    await eventually(async () => (await calls()) === 1 || undefined);
  });

  it("reports a missing hotline in the tenant, and uses the sandbox's own only in sandbox mode", async () => {
    const warning = editor.page.locator(".telephony-problem").filter({ hasText: /Without a hotline/ });
    await editor.edit("tenant-2");
    await editor.page.fill(input("fromNumber"), "");
    await warning.waitFor();
    await editor.page.fill(input("fromNumber"), "19001234");
    await warning.waitFor({ state: "detached" });
    await editor.page.selectOption(input("mode"), "sandbox");
    assert.equal(await editor.page.inputValue(input("fromNumber")), "19001234");
    await editor.page.fill(input("fromNumber"), "");
    await editor.page.selectOption(input("mode"), "live");
    await warning.waitFor();
    await editor.page.selectOption(input("mode"), "sandbox");
    assert.equal(await editor.page.inputValue(input("fromNumber")), "0000000000");
    await editor.page.selectOption(input("mode"), "log");
    assert.equal(await editor.page.inputValue(input("fromNumber")), "");
    await editor.cancel();
  });

  it("reports in a call-out that the tenant has no hotline, if the message must contain one", async () => {
    const warning = editor.page.locator(".telephony-problem:visible").filter({ hasText: /The tenant has no hotline/ });
    await editor.change("tenant-2", { fromNumber: "" });
    await editor.edit("call-live");
    await warning.waitFor();
    await editor.page.selectOption("#node-input-tenant", "tenant-1");
    await warning.waitFor({ state: "detached" });
    await editor.cancel();
    await editor.edit("call-own");
    assert.equal(await warning.count(), 0);
    await editor.cancel();
  });

  it("gives a new tenant the zone of the browser", async () => {
    await editor.edit("stop");
    await editor.addTenant();
    const zone = await editor.page.evaluate("new Intl.DateTimeFormat().resolvedOptions().timeZone");
    assert.equal(await editor.page.inputValue(input("timezone")), zone);
    await editor.page.locator("#node-config-dialog-cancel").click();
  });
});
