import { strict as assert } from "node:assert";
import type { Browser } from "playwright-core";
import { contrasts } from "../../support/browser/contrast";
import { Editor, launch } from "../../support/browser/editor";
import type { NodeRed as EditedNodeRed } from "../../support/browser/node-red";
import { LiveTenant } from "../../support/live-tenant";
import { Campaign, campaignFlow, control, go, placed, placedAll } from "../../support/process/campaign";
import { age, journalIn, untilAccepted } from "../../support/process/journals";
import type { NodeRed } from "../../support/process/node-red";

const NUMBER = "0901 234 567";
const NEEDS = ".telephony-needs";
const TODAY = ".telephony-today";

/** docs/contract/tab.md: what needs a person, and what became of today's calls. */
describe("The sidebar's tab of a live tenant", () => {
  let tenant: LiveTenant;
  let campaign: Campaign;
  let browser: Browser;
  let nodeRed: NodeRed;
  let editor: Editor | undefined;

  before(async () => {
    [tenant, campaign, browser] = await Promise.all([LiveTenant.start(), Campaign.create(), launch()]);
  });
  beforeEach(() => {
    campaign.clear();
    tenant.reset();
  });
  afterEach(async () => {
    const { complaints = [] } = editor ?? {};
    await editor?.page.close();
    editor = undefined;
    await campaign.killAll();
    assert.deepEqual(complaints, []);
  });
  after(async () => {
    await browser?.close();
    tenant?.stop();
  });

  /** A Node-RED whose calls were waiting when it was stopped for long. */
  const afterStop = async (...calls: string[]) => {
    const first = await campaign.start();
    await first.deploy(campaignFlow({ url: tenant.url, timezone: "Asia/Ho_Chi_Minh" }));
    await control(first, "pause");
    await go(first, ...calls);
    await untilAccepted(campaign.telephonyFolder, ...calls);
    await control(first, "resume");
    tenant.reset();
    return first;
  };
  const heldBack = async (environment: Record<string, string> = {}) => {
    const first = await campaign.start();
    const release = tenant.hold();
    await first.deploy(campaignFlow({ url: tenant.url, concurrency: "1" }));
    await go(first, "in flight");
    await go(first, "a", "b");
    await untilAccepted(campaign.telephonyFolder, "in flight", "a", "b");
    await placedAll(tenant, 1);
    await first.stop("SIGKILL");
    release();
    tenant.reset();
    age(journalIn(campaign.telephonyFolder), 16 * 60_000);
    nodeRed = await campaign.start(environment);
  };
  const open = async (options: object = {}) => {
    editor = await Editor.open(browser, nodeRed as unknown as EditedNodeRed, options);
    return editor.page;
  };
  const show = async (options: object = {}) => {
    const page = await open(options);
    await page.evaluate("RED.sidebar.show('telephony')");
    await page.locator(NEEDS).waitFor();
    return page;
  };

  it("has a badge, and drops what is held back with one press", async () => {
    await heldBack();
    const page = await open();
    // The one in flight may have rung.
    await page.locator('[data-telephony-needs="3"]').waitFor();
    await page.evaluate("RED.sidebar.show('telephony')");
    await page.locator(NEEDS).getByText("Calls held back after a stop: 2").waitFor();
    assert.equal(await page.locator(`${NEEDS} .telephony-badge`).textContent(), "3");
    await page.locator(NEEDS).getByRole("button", { name: "Drop them" }).click();
    await page.locator('[data-telephony-needs="1"]').waitFor();
    await page.locator(NEEDS).getByRole("button", { name: "It rang" }).click();
    await page.locator(NEEDS).getByText("Nothing needs you.").waitFor();
    await page.locator("[data-telephony-needs]").waitFor({ state: "detached" });
    assert.deepEqual(placed(tenant), []);
    assert.equal((await control(nodeRed, "count")).waiting.callOut, 0);
  });

  it("asks before phones ring, and can be used with the keyboard alone @markup", async () => {
    await heldBack();
    const page = await show();
    const focused = () =>
      page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText");
    const resume = page.locator(NEEDS).getByRole("button", { name: "Resume calls" });
    await resume.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("group", { name: "Phones may ring now. Calls held back: 2." }).waitFor();
    assert.equal(await focused(), "Not now");
    await page.keyboard.press("Escape");
    assert.match(String(await focused()), /^Resume calls: Calls held back/);
    assert.deepEqual(placed(tenant), []);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    await campaign.resultsOf(3);
    await page.locator(NEEDS).getByText("Calls held back after a stop: 2").waitFor({ state: "detached" });
    assert.equal(await focused(), "Needs you");
    assert.deepEqual(placed(tenant), ["a", "b"]);
  });

  it("lists the calls that may have rung, and decides with one press, but asks before a phone rings again", async () => {
    nodeRed = await campaign.start();
    await nodeRed.deploy(
      campaignFlow({ url: tenant.url }, { node: { toNumber: "payload.number", toNumberType: "msg" } }),
    );
    tenant.answers(() => (response) => response.destroy());
    for (const id of ["a", "b", "c"]) await go(nodeRed, { id, number: NUMBER });
    await campaign.resultsOf(3);
    tenant.answers(() => ({}));
    tenant.reset();
    const page = await open();
    await page.locator('[data-telephony-needs="3"]').waitFor();
    await page.evaluate("RED.sidebar.show('telephony')");
    const needs = page.locator(NEEDS);
    const rows = needs.locator("li");
    await needs.getByText("may have been placed").nth(2).waitFor();
    assert.match(
      String(await rows.first().textContent()),
      /^\d\d:\d\d[•\s]+567call outmay have been placedIt rangCall again$/,
    );
    const badge = (count: string) => needs.locator(".telephony-badge", { hasText: count }).waitFor();
    await rows.first().getByRole("button", { name: "It rang" }).click();
    await needs.getByText("Decided").waitFor();
    await badge("2");
    // The rows follow the badge.
    await rows.nth(2).waitFor({ state: "detached" });
    await rows.first().getByRole("button", { name: "Call again" }).click();
    const asked = page.getByRole("group", { name: /^The phone of [•\s]+567 may ring a second time\.$/ });
    await asked.getByRole("button", { name: "Not now" }).click();
    assert.deepEqual(placed(tenant), []);
    await rows.first().getByRole("button", { name: "Call again" }).click();
    await asked.getByRole("button", { name: "Call again" }).click();
    await badge("1");
    await campaign.resultsOf(4);
    assert.equal(placed(tenant).length, 1);
    // Somebody else is quicker.
    const [left] = (await control(nodeRed, { command: "unknown" } as never))["unknown"] as { id: string }[];
    assert.equal(
      (await control(nodeRed, { command: "settle", id: left?.id, as: "did-not-ring" } as never))["settled"],
      1,
    );
    await needs.getByText("Nothing needs you.").waitFor();
    await page.locator("[data-telephony-needs]").waitFor({ state: "detached" });
  });

  it("shows a user with read permission only the same, without buttons", async () => {
    await heldBack({ READERS: "1" });
    const needs = (await show()).locator(NEEDS);
    await needs.getByText("Calls held back after a stop: 2").waitFor();
    await needs.getByText("may have been placed").waitFor();
    assert.equal(await needs.getByRole("button").count(), 0);
    assert.equal(await needs.locator(".telephony-badge").textContent(), "3");
  });

  it("shows today's calls by node, and those not placed with reason and masked number, but none that was accepted", async () => {
    nodeRed = await afterStop();
    const node = { toNumber: "payload.number", toNumberType: "msg" };
    await nodeRed.deploy(
      campaignFlow({ url: tenant.url, country: "VN", block: ["0901234567"], blockType: "list" }, { node }),
    );
    await go(nodeRed, { id: "accepted", number: "0902 345 678" }, { id: "blocked", number: NUMBER }, { id: "none" });
    await campaign.resultsOf(3);
    const page = await show();
    const today = page.locator(TODAY);
    await today.getByText("Today: 1 accepted, 2 not called").waitFor();
    await today.getByText(/^Since the start at \d\d:\d\d$/).waitFor();
    const rows = await today.locator("ol > li").allInnerTexts();
    assert.deepEqual(rows.map((row) => row.replace(/\s+/g, " ").replace(/^\d\d:\d\d /, "")).sort(), [
      "– call out check the message (Number to call)",
      "•••• ••• 567 call out Blocked: this number is never called.",
    ]);
    assert.doesNotMatch(String(await page.locator(".telephony-tab").textContent()), /678|234/);
  });

  it("can be read in both themes and five languages @markup", async () => {
    await heldBack();
    for (const [locale, dark] of [
      ["en-US", false],
      ["vi", true],
      ["de", true],
      ["ja", false],
      ["zh-CN", true],
    ] as const) {
      const page = await show({ locale, dark });
      const seen = await contrasts(page, ".telephony-tab :is(summary, p, li, h4, h5, button, span, b)");
      assert.deepEqual(
        seen.filter(({ ratio }) => ratio < 4.5),
        [],
      );
      assert.doesNotMatch(String(await page.locator(".telephony-tab").textContent()), /tab\.|__/);
      if (process.env["SHOTS"]) await page.screenshot({ path: `${process.env["SHOTS"]}/needs-${locale}.png` });
      await editor?.page.close();
    }
  });
});
