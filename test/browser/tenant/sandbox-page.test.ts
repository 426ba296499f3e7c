import { strict as assert } from "node:assert";
import type { Browser, Page } from "playwright-core";
import { launch } from "../../support/browser/editor";
import { ask, sandboxForEach } from "../../unit/sandbox/visit";

/** Bodies as the service's interface writes them, with dots in the names of party fields. */
const ASKED = [
  [
    "call-out",
    {
      "to.type": "external",
      "to.number": "0000000000",
      "to.alias": "<b>Ada</b>",
      "from.type": "internal",
      "from.number": "9",
      "from.alias": "Acme",
      answer_url: "https://flows.example.com/answer",
      actions: [{ action: "talk", text: "Hello", voice: "banmai", speed: 1, loop: "2" }],
    },
  ],
  ["transfer", { callId: "c1", fromUserId: "u7", "to.type": "internal", "to.number": "u8" }],
  [
    "transfer/advance",
    { callId: "c1", "to.type": "queue", "to.number": "9", "to.alias": "Night", transferType: "blind" },
  ],
  ["add-user", { callId: "c1", "to.type": "internal", "to.number": "90", spyCall: true }],
  ["stop-a-call", { callId: "c1" }],
] as const;

describe("The sandbox's page", () => {
  const sandbox = sandboxForEach();
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];
  const texts = async (selector: string) => {
    const found = await page.locator(selector).allInnerTexts();
    // Without the time of day.
    return found.map((text) =>
      text
        .replace(/\s+/g, " ")
        .replace(/\d+:\d\d:\d\d( [AP]M)? /g, "")
        .trim(),
    );
  };

  before(async function () {
    this.timeout(60_000);
    browser = await launch();
    page = await browser.newPage({ locale: "en-US" });
    page.setDefaultTimeout(8000);
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  });
  after(() => browser?.close());

  it("says that there is nothing yet", async () => {
    await page.goto(`${sandbox().url}/sandbox`);
    await page.getByText("as of").waitFor();
    assert.deepEqual(await texts("#calls-none, #log-none"), ["No call yet.", "No request yet."]);
    assert.deepEqual(complaints, []);
  });

  it("describes an action without words of its own by its name and fields", async () => {
    const fields = { to: { type: "internal", number: "u8" }, spyCall: true, music: "waltz" };
    sandbox().state.calls.act("c1", "put-on-hold", fields, false);
    await page.goto(`${sandbox().url}/sandbox`);
    await page.locator("article").first().waitFor();
    assert.deepEqual(await texts("article ol > li"), ['Put on hold to user u8, spyCall true, music "waltz"']);
  });

  it("lists calls and requests, the newest first, and shows markup as text", async () => {
    for (const [action, body] of ASKED) await ask(sandbox(), "POST", `/api/v1/call/${action}`, body);
    await page.goto(`${sandbox().url}/sandbox`);
    await page.locator("article").first().waitFor();
    assert.deepEqual(await texts("article h3, article h3 ~ span"), [
      ...["c1", "ended", "placed elsewhere"],
      ...["sandbox-1", "ongoing", "Acme (hotline 9) → <b>Ada</b> (number 0000000000)"],
    ]);
    assert.deepEqual(await texts("article ol > li"), [
      "Transferred to user u8, from user u7",
      "Transferred (blind) to Night (queue 9)",
      "Added user 90, who only listens",
      "Stopped",
      "Placed to <b>Ada</b> (number 0000000000) talk: “Hello” (voice banmai, speed 1, loop 2) " +
        "driven by https://flows.example.com/answer",
    ]);
    assert.deepEqual(await texts("#log code"), ASKED.map(([action]) => `POST /api/v1/call/${action}`).reverse());
    assert.deepEqual(complaints, []);
  });

  it("keeps a body open while new requests come, and says when the sandbox is gone", async () => {
    await ask(sandbox(), "POST", "/api/v1/call/stop-a-call", { callId: "c1" });
    await page.goto(`${sandbox().url}/sandbox`);
    await page.locator("#log summary").click();
    await ask(sandbox(), "POST", "/api/v1/call/stop-a-call", { callId: "c2" });
    await page.locator("#log tr").nth(1).waitFor();
    assert.deepEqual(await texts("#log details[open] pre"), ['{ "callId": "c1" }']);
    assert.deepEqual(complaints, []);
    await sandbox().stop();
    await page.getByText("The sandbox does not answer.").waitFor();
  });

  it("passes a login on, and reports when it is refused", async () => {
    const asked: (string | undefined)[] = [];
    await page.route("**/sandbox/*", (route) => {
      asked.push(route.request().headers()["authorization"]);
      return route.fulfill({ status: 401 });
    });
    await page.goto(`${sandbox().url}/sandbox?access_token=a%2Bb`);
    await page.getByText("No permission to see this.").waitFor();
    assert.deepEqual([...new Set(asked)], ["Bearer a+b"]);
    assert.equal(page.url(), `${sandbox().url}/sandbox`);
  });
});
