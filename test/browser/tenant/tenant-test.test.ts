import { strict as assert } from "node:assert";
import { join } from "node:path";
import { flowOf, inject, configInput as input, LIVE, pairs, SANDBOX } from "../../support/browser/flows";
import { withEditor } from "../../support/browser/with-editor";
import { envelope, pageOf } from "../../support/business-hours";
import { LiveTenant } from "../../support/live-tenant";
import { eventually } from "../../support/process/eventually";
import { root } from "../../support/root";

const TOKEN = "token-of-the-dialog";
const LIST = envelope(pageOf([], 1, 1, { total: 7 }));

describe("The tenant's dialog with a running tenant", () => {
  let tenant: LiveTenant;
  const test = async (result: RegExp) => {
    await editor.page.click("#telephony-test");
    await editor.shows("#telephony-test-result", result);
  };
  const state = (pattern: RegExp) => editor.shows("#telephony-state", pattern);

  const editor = withEditor(async () => {
    tenant = await LiveTenant.start();
    const live = { ...LIVE, url: tenant.url };
    const tokenless = { ...live, id: "tenant-3", name: "" };
    const call = {
      type: "call-out",
      ...pairs("str", { toNumber: "0000000000", answerUrl: "https://example.com/a" }),
    };
    const nodes = [
      { id: "stop", type: "call-stop" },
      inject("go", "call"),
      { ...call, id: "call", tenant: "tenant-6" },
      inject("hold", "held"),
      { ...call, id: "held", tenant: "tenant-5", ...pairs("str", { fromNumber: "100" }) },
      {
        ...pairs("str", { scheduleName: "Office" }),
        id: "gate",
        type: "business-hour-gate",
        tenant: "tenant-3",
        wires: [[], []],
      },
    ];
    const certificate = (file: string) => join(root, "test/support/faults/certs", file);
    const pair = { cert: certificate("good.pem"), key: certificate("expired.key.pem"), ca: "" };
    const tls = { id: "tls", type: "tls-config", ...pair };
    const unpaired = { ...live, id: "tenant-4", tls: "tls" };
    const pathReader = { ...SANDBOX, id: "tenant-6", sandboxParties: "nested" };
    const patient = { ...live, id: "tenant-5" };
    return flowOf(nodes, [SANDBOX, live, tokenless, tls, unpaired, patient, pathReader]);
  });
  beforeEach(() => {
    tenant.reset();
    tenant.answers(() => ({ body: LIST }));
  });
  after(() => {
    tenant?.stop();
  });

  it("tests a sandbox", async () => {
    await editor.edit("tenant-1");
    await test(/It works. Schedules: 2, answered in \d+\sms/);
    await editor.page.selectOption(input("mode"), "live");
    assert.equal(await editor.page.textContent("#telephony-test-result"), "");
    await editor.cancel();
  });

  it("shows the detected party format, in the dialog and with a test", async () => {
    const hint = (text: RegExp) => editor.page.locator("#telephony-hint-partyFields").filter({ hasText: text });
    await editor.edit("tenant-6");
    await hint(/No call has shown yet/).waitFor({ state: "attached" });
    await editor.cancel();
    await editor.nodeRed.press("go");
    await eventually(async () => {
      const answer = await fetch(`${editor.nodeRed.url}/telephony/tenant/tenant-6/control`);
      const { style } = (await answer.json()) as { style?: { partyFields?: string } };
      return style?.partyFields === "nested" || undefined;
    });
    await editor.edit("tenant-6");
    await hint(/This tenant accepts the nested format\./).waitFor({ state: "attached" });
    await test(/It works\..* This tenant accepts the nested format\./);
    await editor.page.selectOption(input("partyFields"), "dotted");
    assert.equal(await hint(/^Always as the API specifies it\.$/).isVisible(), true);
    await editor.cancel();
  });

  it("tests what was typed, before it is deployed", async () => {
    await editor.edit("tenant-2");
    await editor.page.fill(input("token"), TOKEN);
    await test(/Schedules: 7/);
    assert.equal(tenant.received[0]?.headers["authentication"], `Bearer ${TOKEN}`);
    await editor.page.fill(input("url"), "acme.example.com");
    await test(/address is invalid/);
    await editor.page.fill(input("url"), "${ADDRESS}");
    await test(/Deploy first/);
    assert.equal(tenant.received.length, 1);
    await editor.page.fill(input("url"), tenant.url);
    await editor.done();
    await editor.deploy();
  });

  it("tests the deployed tenant with its saved token, and never sends that to another address", async () => {
    await editor.edit("tenant-2");
    assert.equal(await editor.page.inputValue(input("token")), "__PWRD__");
    await test(/Schedules: 7/);
    assert.equal(tenant.received[0]?.headers["authentication"], `Bearer ${TOKEN}`);
    await editor.page.fill(input("url"), "http://127.0.0.1:9");
    await test(/enter the token as well/);
    await editor.page.fill(input("token"), "another");
    await test(/No connection: 127\.0\.0\.1 cannot be reached/);
    assert.equal(tenant.received.length, 1);
    await editor.cancel();
  });

  it("shows the runtime's error text, or that there was no answer", async () => {
    tenant.answers(() => ({ status: 401, body: { success: false, message: "no" } }));
    await editor.edit("tenant-2");
    await test(/Token refused/);
    for (const [status, reason] of [
      [401, /login/],
      [403, /proxy/],
      [502, /did not answer/],
    ] as const) {
      await editor.page.route("**/telephony/tenant/test", (route) => route.fulfill({ status }));
      await test(reason);
      await editor.page.unroute("**/telephony/tenant/test");
    }
    await editor.cancel();
  });

  it("pauses, resumes and counts", async () => {
    await editor.edit("tenant-2");
    await state(/^\s*0 waiting · 0 in flight/);
    const hold = editor.page.locator("#telephony-hold");
    assert.match((await hold.textContent()) ?? "", /Pause/);
    await hold.focus();
    await editor.page.keyboard.press("Enter");
    await state(/paused · 0 waiting/);
    await editor.cancel();
    await editor.edit("tenant-2");
    await state(/paused/);
    assert.match((await hold.textContent()) ?? "", /Resume/);
    await hold.click();
    await state(/^\s*0 waiting/);
    await editor.page.route("**/tenant-2/control", (route) => route.fulfill({ status: 502 }));
    await hold.focus();
    await editor.page.keyboard.press("Enter");
    await state(/did not answer/);
    await editor.page.unroute("**/tenant-2/control");
    // It keeps the focus, and can be pressed again.
    await editor.page.keyboard.press("Enter");
    await state(/paused/);
    await editor.page.keyboard.press("Enter");
    await state(/^\s*0 waiting/);
    await editor.page.click("#telephony-count");
    await editor.cancel();
  });

  it("shows why calls wait, what to do and when the next one tries, and ends the hold", async () => {
    await editor.edit("tenant-5");
    await editor.page.fill(input("token"), TOKEN);
    await editor.done();
    await editor.deploy();
    const counts = async () => {
      const answer = await fetch(`${editor.nodeRed.url}/telephony/tenant/tenant-5/control`);
      return (await answer.json()) as {
        readonly reason: string | null;
        readonly waiting: { readonly callOut: number };
      };
    };
    /** The call that may try gets through. */
    const over = async () => {
      await eventually(async () => {
        const { reason, waiting } = await counts();
        return (reason === null && waiting.callOut === 0) || undefined;
      });
      await editor.page.click("#telephony-count");
      await state(/^\s*0 waiting/);
    };
    /** A call-out is refused, so that it waits until somebody resumes. */
    const hold = async () => {
      tenant.answers(() => ({ status: 429, headers: { "retry-after": "3600" } }));
      await editor.nodeRed.press("hold");
      await eventually(async () => {
        const { reason, waiting } = await counts();
        return (reason !== null && waiting.callOut === 1) || undefined;
      });
      tenant.answers(() => ({ body: LIST }));
      await editor.page.click("#telephony-count");
    };
    await editor.edit("tenant-5");
    await state(/^\s*0 waiting/);
    const release = editor.page.locator("#telephony-release");
    assert.equal(await release.isVisible(), false);
    await hold();
    await state(
      /^\s*Too many requests since \d\d:\d\d\. 1 call waits\. Lower .*, and deploy\.\s+asks again at \d\d:\d\d · 1 waiting/,
    );
    // A pause ends with the hold: one button resumes both.
    await editor.page.click("#telephony-hold");
    await state(/deploy\.\s+paused · 1 waiting/);
    assert.equal(await release.isVisible(), false);
    await editor.page.click("#telephony-hold");
    await over();
    await hold();
    await state(/asks again at/);
    await release.click();
    await over();
    assert.equal(await release.isVisible(), false);
    await editor.cancel();
  });

  it("drops the waiting messages only after a confirmation", async () => {
    await editor.edit("tenant-2");
    await state(/0 waiting/);
    const commands: string[] = [];
    editor.page.on("request", (request) => {
      if (request.url().endsWith("/control")) commands.push(String(request.postData()));
    });
    await editor.page.click("#telephony-drop");
    await editor.page.keyboard.press("Escape");
    assert.equal(await editor.page.isVisible("#telephony-sure"), false);
    await editor.page.click("#telephony-drop");
    // The harmless answer has the focus.
    await editor.page.keyboard.press("Enter");
    assert.deepEqual(commands, []);
    await editor.page.click("#telephony-drop");
    await editor.page.locator("#telephony-sure").getByText("Drop them").click();
    await state(/0 dropped/);
    assert.deepEqual(commands, ['{"command":"drop"}']);
    await editor.cancel();
  });

  it("shows why a deployed tenant cannot be used, and offers no control without effect", async () => {
    await editor.edit("tenant-3");
    await state(/No token/);
    assert.equal(await editor.page.isDisabled("#telephony-hold"), true);
    assert.equal(await editor.page.isDisabled("#telephony-drop"), true);
    assert.equal(await editor.page.isDisabled("#telephony-count"), false);
    await editor.cancel();
    await editor.edit("gate");
    await editor.shows("#telephony-verdict", /No token/);
    const schedules = await editor.schedules("#node-input-scheduleName");
    await schedules.filter({ hasText: "No token" }).click();
    await editor.cancel();
  });

  it("offers no controls for a tenant that is not deployed", async () => {
    await editor.edit("stop");
    await editor.addTenant();
    assert.equal(await editor.page.isVisible("#telephony-control"), false);
    await editor.page.selectOption(input("mode"), "live");
    await editor.page.fill(input("url"), tenant.url);
    await test(/access token is missing/);
    await editor.page.selectOption(input("mode"), "sandbox");
    await test(/Deploy first/);
    assert.equal(await editor.page.locator("#telephony-test-result.telephony-problem").count(), 0);
    await editor.page.locator("#node-config-dialog-cancel").click();
  });
});
