import { strict as assert } from "node:assert";
import { contrasts } from "../../support/browser/contrast";
import { eventually } from "../../support/process/eventually";
import { sandboxForEach, token, visit } from "../../unit/sandbox/visit";
import { CALL_OUT, callOut, control, visitor } from "./visitor";

/** Phones that ring longer than a test lasts. */
const ASK = { answers: "ask", ringSeconds: 300 };

describe("The appearance of the sandbox's page", () => {
  const sandbox = sandboxForEach();
  const here = visitor({ locale: "vi-VN" });

  it("is in the browser's language, or in the one that the address names", async () => {
    await here().open(sandbox());
    await here().page.getByText("Chưa có cuộc gọi nào.").waitFor();
    assert.equal(await here().page.title(), "Sandbox tổng đài");
    assert.equal(await here().page.getAttribute("html", "lang"), "vi");
    for (const [lang, text] of [
      ["en-US", "No call yet."],
      ["de", "Noch kein Anruf."],
      ["ja", "通話はまだありません。"],
      ["zh-CN", "还没有通话。"],
      ["xx", "Chưa có cuộc gọi nào."],
    ] as const) {
      await here().open(sandbox(), `?lang=${lang}`);
      await here().page.getByText(text).waitFor();
    }
    assert.deepEqual(here().complaints, []);
  });

  for (const theme of ["light", "dark"])
    it(`has enough contrast in the ${theme} theme, and fits into a sidebar`, async () => {
      await control(sandbox(), "settings", ASK);
      await callOut(sandbox());
      await callOut(sandbox());
      const { page } = here();
      await page.setViewportSize({ width: 300, height: 800 });
      await here().open(sandbox(), `?theme=${theme}`);
      await page.locator(".phone .answer").first().click();
      // Without the mouse: the card above them grows while it speaks.
      await page.locator("#controls-tab").press("Enter");
      for (const summary of await page.locator("#controls-panel summary").all()) await summary.press("Enter");
      const seen = await contrasts(page, "body *:not(script)");
      await page.locator("#calls-tab").press("Enter");
      await page.locator(".head").last().press("Enter");
      await page.locator(".timeline").waitFor();
      seen.push(...(await contrasts(page, "body *:not(script)")));
      assert.ok(seen.length > 60);
      assert.deepEqual(
        seen.filter(({ ratio }) => ratio < 4.5),
        [],
      );
      const background = await page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
      assert.equal(background, theme === "dark" ? "rgb(20, 24, 29)" : "rgb(246, 247, 249)");
      assert.equal(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), true);
    });

  for (const lang of ["en-US", "de", "ja", "vi", "zh-CN"])
    it(`shows a ringing phone whole in the narrowest sidebar, in ${lang}`, async () => {
      await control(sandbox(), "settings", ASK);
      const { page } = here();
      // What Node-RED 5 leaves for the page at 1280 × 800, above its Debug panel and below calls that wait.
      await page.setViewportSize({ width: 280, height: 150 });
      await page.emulateMedia({ reducedMotion: "reduce" });
      await here().open(sandbox(), `?lang=${lang}`);
      await callOut(sandbox());
      await page.locator(".phone.ringing").waitFor();
      const outside = () =>
        page
          .locator(".phone.ringing, .phone.ringing > *, .phone.ringing button")
          .evaluateAll((parts) =>
            parts
              .map((part) => (part as unknown as { getBoundingClientRect(): DOMRect }).getBoundingClientRect())
              .filter(({ top, left, right, bottom }) => top < 0 || left < 0 || right > 280 || bottom > 150),
          );
      await eventually(async () => (await outside()).length === 0 || undefined);
      assert.equal(await page.locator(".phone.ringing .answer").count(), 1);
    });

  it("has no animation for users who prefer reduced motion", async () => {
    await control(sandbox(), "settings", ASK);
    await callOut(sandbox());
    const { page } = here();
    const animation = () => page.evaluate("getComputedStyle(document.querySelector('.phone')).animationName");
    await here().open(sandbox());
    await page.locator(".phone").waitFor();
    assert.equal(await animation(), "ring");
    await page.emulateMedia({ reducedMotion: "reduce" });
    assert.equal(await animation(), "none");
  });

  it("makes no request in a frame that the editor hides, and selects nodes there", async () => {
    const headers = {
      Authentication: `Bearer ${token}`,
      "Content-Type": "application/json",
      "x-telephony-node": "node-7",
    };
    const address = `${sandbox().url}/api/v1/call/call-out`;
    const { page } = here();
    const say = (what: string) =>
      page.evaluate(`document.querySelector("iframe").contentWindow.postMessage({ telephony: "${what}" }, "*")`);
    // Stands in for the editor: a page of the same origin.
    await page.route("**/editor", (route) =>
      route.fulfill({
        contentType: "text/html",
        body: `<iframe src="/sandbox?lang=en" width="600" height="600"></iframe>
          <script>window.received = []; addEventListener("message", ({ data }) => received.push(data));</script>`,
      }),
    );
    const waits = () => page.waitForRequest("**/sandbox/changes*");
    const begun = waits();
    await page.goto(`${sandbox().url}/editor`);
    const frame = page.frameLocator("iframe");
    await frame.locator("#status.good").waitFor();
    await begun;
    // What the editor says while the page looks counts, too.
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.route("**/sandbox/view*", (route) => say("shown").then(() => route.continue()), { times: 1 });
    const again = waits();
    await say("shown");
    await again;
    assert.deepEqual(asked, ["/sandbox/view", "/sandbox/view", "/sandbox/changes"]);
    const broken = page.waitForEvent("requestfailed");
    await say("hidden");
    await broken;
    await visit(address, { method: "POST", headers, body: CALL_OUT });
    assert.equal(await frame.locator(".head").count(), 0);
    await say("shown");
    await frame.locator(".head").click();
    await frame.locator(".request button.link").click();
    await page.waitForFunction("received.length > 0");
    assert.deepEqual(await page.evaluate("received"), [{ telephony: "node", id: "node-7" }]);
  });
});
