import { strict as assert } from "node:assert";
import { Sandbox } from "../../../src/sandbox/http/server";
import { freePort } from "../../support/process/free-port";
import { ask, sandboxForEach, token } from "../../unit/sandbox/visit";
import { CALL_OUT, callOut, visitor } from "./visitor";

/** Bodies as the service's interface writes them. */
const ASKED = [
  ["transfer", { callId: "c1", fromUserId: "u7", "to.type": "internal", "to.number": "u8" }],
  [
    "transfer/advance",
    { callId: "c1", "to.type": "queue", "to.number": "9", "to.alias": "Night", transferType: "blind" },
  ],
  ["transfer/advance", { callId: "c1", "to.type": "internal", "to.number": "4", transferType: "attendend" }],
  ["add-user", { callId: "c1", "to.type": "internal", "to.number": "90", spyCall: true }],
  ["add-user", { callId: "c1", "to.type": "internal", "to.number": "91", "from.type": "internal", "from.number": "5" }],
  ["stop-a-call", { callId: "c1" }],
] as const;

describe("The sandbox's page", () => {
  const sandbox = sandboxForEach();
  const here = visitor();
  const open = (callId: string) => here().page.locator(`[data-call="${callId}"] .head`).click();

  it("says that there is nothing yet", async () => {
    await here().open(sandbox());
    assert.deepEqual(await here().texts("#calls-none"), ["No call yet."]);
    assert.deepEqual(await here().texts("body > :not(.skip, header, main, script)"), [], "text outside of landmarks");
    await here().page.getByRole("tab", { name: "Requests" }).click();
    assert.deepEqual(await here().texts("#requests-none"), ["No request yet."]);
    assert.deepEqual(here().complaints, []);
  });

  it("describes what happened to a call, and shows markup as text", async () => {
    for (const [action, body] of ASKED) await ask(sandbox(), "POST", `/api/v1/call/${action}`, body);
    await here().open(sandbox());
    await open("c1");
    assert.deepEqual(await here().texts(".timeline > li"), [
      "Transferred to user u8, from user u7",
      "Transferred to Night (queue 9) (blind)",
      "Transferred to user 4 (attended)",
      "user 90 joined and only listens",
      "user 91 joined (added by user 5)",
      "Stopped",
    ]);
    await callOut(sandbox());
    await here().page.locator('[data-call="sandbox-1"]').waitFor();
    assert.deepEqual(await here().texts(".call .parties"), [
      "Acme (hotline 9) → <b>Ada</b> (number 0000000000)",
      "c1, placed elsewhere",
    ]);
    assert.deepEqual(here().complaints, []);
  });

  it("shows behind a call the requests that made it, with body and answer, and never the token", async () => {
    await callOut(sandbox());
    await callOut(sandbox(), { "to.number": "1111111111" });
    await ask(sandbox(), "POST", "/api/v1/call/stop-a-call", { callId: "sandbox-1" });
    await here().open(sandbox());
    await open("sandbox-1");
    const requests = here().page.locator('[data-call="sandbox-1"] .request');
    assert.equal(await requests.count(), 2);
    assert.match(
      (await here().texts('[data-call="sandbox-1"] .request'))[0] ?? "",
      /^POST \/api\/v1\/call\/call-out 200 OK/,
    );
    await requests.first().locator("summary").click();
    assert.deepEqual(JSON.parse((await requests.first().locator("pre").textContent()) ?? ""), CALL_OUT);
    assert.equal((await here().page.content()).includes(token), false);
  });

  it("shows reads in a folded list of their own", async () => {
    await ask(sandbox(), "GET", "/api/v1/setting/business-hour");
    await ask(sandbox(), "POST", "/api/v1/call/stop-a-call", { callId: "c1" });
    await here().open(sandbox());
    await here().page.getByRole("tab", { name: "Requests" }).click();
    assert.deepEqual(await here().texts("#requests code"), ["POST /api/v1/call/stop-a-call"]);
    assert.equal(await here().page.locator("#readings code").isVisible(), false);
    await here().page.getByText("Schedule reads, and probes").click();
    await here().page.locator("#readings code").waitFor();
    assert.deepEqual(await here().texts("#readings code"), ["GET /api/v1/setting/business-hour"]);
  });

  it("keeps a body open while new requests come", async () => {
    await ask(sandbox(), "POST", "/api/v1/call/stop-a-call", { callId: "c1" });
    await here().open(sandbox());
    await here().page.getByRole("tab", { name: "Requests" }).click();
    await here().page.locator("#requests summary").click();
    await ask(sandbox(), "POST", "/api/v1/call/stop-a-call", { callId: "c2" });
    await here().page.locator("#requests .request").nth(1).waitFor();
    assert.deepEqual(await here().texts("#requests details[open] pre"), ['{ "callId": "c1" }']);
  });

  it("follows a sandbox that goes away and comes back with another state", async () => {
    const first = await Sandbox.start({ token, port: await freePort() });
    await callOut(first);
    await here().open(first);
    await here().page.locator("[data-call]").waitFor();
    await first.stop();
    await here().page.getByText("The sandbox does not answer.").waitFor();
    const second = await Sandbox.start({ token, port: first.port });
    await here().page.locator("#status.good").waitFor();
    await here().page.getByText("No call yet.").waitFor();
    assert.equal(await here().page.locator("[data-call]").count(), 0);
    await second.stop();
  });

  it("passes a login on, and shows nothing but a sentence without permission", async () => {
    const asked: (string | undefined)[] = [];
    const { page } = here();
    await page.route("**/sandbox/*", (route) => {
      asked.push(route.request().headers()["authorization"]);
      return route.fulfill({ status: 401 });
    });
    await page.goto(`${sandbox().url}/sandbox?access_token=a%2Bb`);
    await page.getByText("You have no permission to see this.").waitFor();
    assert.deepEqual([...new Set(asked)], ["Bearer a+b"]);
    assert.equal(page.url(), `${sandbox().url}/sandbox`);
    assert.deepEqual(await here().texts("body"), [
      "You have no permission to see this. Open the page again from the editor in which you are logged in.",
    ]);
  });

  it("finds calls among more than fifty, by number, text and state", async () => {
    for (let n = 0; n < 51; n++) await callOut(sandbox(), { "to.number": `09000000${n}` });
    await callOut(sandbox(), { "to.alias": "Bo", "to.number": "1" });
    const { page } = here();
    await here().open(sandbox());
    await page.getByRole("searchbox").fill("bo");
    await page.getByText("1 of 52").waitFor();
    assert.equal(await page.locator("#calls article").count(), 1);
    await page.getByLabel("State").selectOption("declined");
    await page.getByText("0 of 52").waitFor();
  });

  it("places a call again", async () => {
    await callOut(sandbox());
    const { page } = here();
    await here().open(sandbox());
    await page.locator('[data-call="sandbox-1"] .head').click();
    sandbox().state.phones.hangUp("sandbox-1");
    await page.getByRole("button", { name: "Call again" }).click();
    await page.locator('[data-call="sandbox-2"]').waitFor();
    const [first, second] = sandbox().state.calls.newest();
    assert.deepEqual([second?.to, second?.actions], [first?.to, first?.actions]);
  });

  it("shows of 250 calls the newest 200, and finds the others", async () => {
    for (let count = 1; count <= 250; count++)
      sandbox().state.calls.place("call-out", { to: { type: "external", number: `#${count}.` } });
    const { page } = here();
    await here().open(sandbox());
    await page.getByText("The newest 200 of 250.").waitFor();
    const ids = await page.locator("[data-call]").evaluateAll((calls) => calls.map(({ dataset }) => dataset["call"]));
    assert.deepEqual([ids.length, ids.at(0), ids.at(-1)], [200, "sandbox-250", "sandbox-51"]);
    await page.getByRole("searchbox").fill("#50.");
    await page.locator('[data-call="sandbox-50"]').waitFor();
    assert.equal(await page.locator("[data-call]").count(), 1);
  });
});
