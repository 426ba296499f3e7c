import { strict as assert } from "node:assert";
import type { Browser } from "playwright-core";
import { LIMIT_MS, launch } from "../support/browser/editor";
import { freePort } from "../support/process/free-port";
import { NpmStart } from "../support/process/npm-start";
import { temporaryFolder } from "../support/process/user-folder";

describe("npm start, in a browser", () => {
  const npm = new NpmStart();
  let browser: Browser | undefined;
  afterEach(async () => {
    await browser?.close();
    npm.kill();
  });

  it("opens the first example with the calls in front: two clicks until the first is spoken", async () => {
    const port = await freePort();
    await npm.start(temporaryFolder(), ["--port", String(port)]);
    browser = await launch();
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: "en-US" });
    page.setDefaultTimeout(LIMIT_MS);
    await page.goto(`http://127.0.0.1:${port}/`);
    const frame = page.frameLocator(".telephony-tab iframe");
    await frame.getByText("No call yet.").waitFor();
    assert.deepEqual(
      (await page.locator(".red-ui-tab-label").allTextContents()).map((name) => name.trim()),
      ["1 Hello", "2 Call a customer"],
    );
    await page.locator(".red-ui-flow-node-button-button").first().click();
    const call = frame.locator(".call");
    await call.getByText("Hello! This is your first call").waitFor();
    const { y, height } = (await call.boundingBox()) ?? { y: 0, height: 999 };
    const tab = (await page.locator(".telephony-tab").boundingBox()) ?? { y: 0, width: 999, height: 0 };
    assert.ok(tab.width <= 300 && y + height <= tab.y + tab.height, "the call is seen whole");
    assert.equal(await page.locator(".telephony-tab summary:visible").count(), 2);
    assert.equal(await frame.locator(":is(h1, summary):visible").count(), 0);
    // Headless Chromium has no voices, so the words appear one by one, and go away at their end.
    await Promise.all([
      frame.locator(".speech .words").getByText("first").waitFor(),
      call.getByRole("button", { name: "Listen", exact: true }).click(),
    ]);
  });
});
