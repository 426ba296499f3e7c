import { strict as assert } from "node:assert";
import type { Browser } from "playwright-core";
import { contrasts } from "../../support/browser/contrast";
import { flowOf, LIVE, SANDBOX } from "../../support/browser/flows";
import { withEditor } from "../../support/browser/with-editor";
import { eventually } from "../../support/process/eventually";

const FLOW = flowOf([], [SANDBOX, { ...LIVE, id: "tenant-3" }]);
const SELECT = ".telephony-tab-head select";
const FRAME = ".telephony-tab iframe";
const STATE = ".telephony-tab-numbers > summary";

describe("The sidebar's tab, in other editors", () => {
  const first = withEditor(FLOW);

  it("speaks Vietnamese, and can be read in both themes, as the page in it @markup", async () => {
    for (const dark of [false, true]) {
      const editor = await first.beside({ dark, locale: "vi" });
      if (dark && (await editor.version()) < 5) continue;
      await editor.page.evaluate("RED.sidebar.show('telephony')");
      const address = (await editor.page.locator(FRAME).getAttribute("src")) ?? "";
      assert.equal(address, `telephony/sandbox/tenant-1?lang=vi&theme=${dark ? "dark" : "light"}`);
      await editor.page.selectOption(SELECT, "tenant-3");
      await editor.page.getByText("Ở đây chỉ hiện cuộc gọi của sandbox").waitFor();
      await editor.page.locator(`${STATE}.telephony-problem`).waitFor();
      const seen = await contrasts(editor.page, ".telephony-tab :is(select, summary, p, i)");
      assert.ok(seen.length >= 2);
      assert.deepEqual(
        seen.filter(({ ratio }) => ratio < 4.5),
        [],
      );
      assert.deepEqual(editor.complaints, []);
      await editor.close();
    }
  });

  it("lets a page from elsewhere show nothing", async () => {
    const page = await (first.page.context().browser() as Browser).newPage();
    try {
      await page.setContent("<p>Elsewhere</p>");
      await page.evaluate(`new Promise((resolve) => {
        const frame = document.createElement("iframe");
        frame.name = "shown";
        frame.src = "${first.nodeRed.url}/telephony/sandbox/tenant-1";
        frame.addEventListener("load", resolve);
        document.body.append(frame);
      })`);
      await eventually(() => page.frame("shown")?.url().startsWith("chrome-error:") || undefined);
    } finally {
      await page.close();
    }
  });
});

describe("The sidebar's tab of a user without permission", () => {
  const permissions = ["flows.read", "nodes.read", "plugins.read", "settings.read"];
  const adminAuth = { type: "credentials", users: [], default: { permissions } };
  const editor = withEditor(FLOW, { settings: { adminAuth } });

  it("shows one sentence, and asks nothing", async () => {
    const asked: string[] = [];
    editor.page.on("request", (request) => {
      if (request.url().includes("/telephony/")) asked.push(request.url());
    });
    await editor.page.evaluate("RED.actions.invoke('telephony:show-calls')");
    const tab = editor.page.locator(".telephony-tab");
    await tab.waitFor();
    assert.equal(await tab.textContent(), "You do not have permission, or your login has ended.");
    assert.equal(await tab.locator("iframe, select, summary").count(), 0);
    assert.deepEqual(asked, []);
    for (const path of ["", "/view", "/log", "/calls", "/changes"])
      assert.equal((await fetch(`${editor.nodeRed.url}/telephony/sandbox/tenant-1${path}`)).status, 401, path);
  });
});
