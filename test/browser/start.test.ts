import { strict as assert } from "node:assert";
import type { Browser, Locator } from "playwright-core";
import { launch } from "../support/browser/editor";
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

  it("needs three clicks until the first call is spoken", async () => {
    const port = await freePort();
    await npm.start(temporaryFolder(), ["--port", String(port)]);
    browser = await launch();
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, locale: "en-US" });
    page.setDefaultTimeout(60_000);
    await page.goto(`http://127.0.0.1:${port}/`);
    let clicks = 0;
    const click = async (what: Locator) => {
      await what.click();
      clicks += 1;
    };
    await click(page.locator('[data-tab-id="telephony"], #red-ui-tab-telephony-link-button'));
    const frame = page.frameLocator(".telephony-tab iframe");
    await frame.getByText("No call yet.").waitFor();
    // The button of "Try it: Ada posts the form", on the tab that the editor opens first.
    await click(page.locator(".red-ui-flow-node-button-button").first());
    await click(frame.getByRole("button", { name: "Listen", exact: true }));
    // Headless Chromium has no voices, so the words appear one by one.
    await frame.locator(".speech .words").getByText("Ada").waitFor();
    assert.equal(clicks, 3);
  });
});
