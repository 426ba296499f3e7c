import { strict as assert } from "node:assert";
import type { Frame, Request } from "playwright-core";
import type { Editor } from "../../support/browser/editor";
import { flowOf, inject, LIVE, pairs, SANDBOX } from "../../support/browser/flows";
import type { Flow } from "../../support/browser/node-red";
import { withEditor } from "../../support/browser/with-editor";
import { eventually } from "../../support/process/eventually";

const SECOND = { ...SANDBOX, id: "tenant-2", name: "The second", timezone: "Asia/Tokyo" };
const say = (text: string, toNumber = "0000000000") => ({
  ...pairs("str", { toNumber }),
  ...pairs("list", { actions: [{ action: "talk", text, textType: "str" }] }),
});

const FLOW: Flow = [
  ...flowOf(
    [
      { id: "call", type: "call-out", ...say("Hello Ada") },
      inject("go", "call"),
      { id: "call-2", type: "call-out", tenant: "tenant-2", ...say("Hello Bo", "1111111111") },
      inject("go-2", "call-2"),
      { id: "inside-1", type: "subflow:sub" },
      inject("go-inside", "inside-1"),
    ],
    [SANDBOX, SECOND, { ...LIVE, id: "tenant-3" }],
  ),
  { id: "sub", type: "subflow", name: "Calls", in: [{ x: 40, y: 40, wires: [{ id: "in-sub" }] }], out: [] },
  { id: "in-sub", type: "call-stop", z: "sub", x: 200, y: 40, tenant: "tenant-1", callId: "c1", callIdType: "str" },
  { id: "other-tab", type: "tab", label: "Other" },
  { id: "far", type: "call-stop", z: "other-tab", x: 200, y: 60, tenant: "tenant-1", wires: [[]] },
];

const SELECT = ".telephony-tab-head select";
const FRAME = ".telephony-tab iframe";
const STATE = ".telephony-tab-numbers > summary";

describe("The sidebar's tab", () => {
  const first = withEditor(FLOW);
  let editor: Editor;
  /** This editor's requests to our routes, and those of them that it has broken off. */
  let asked: string[];
  let ended: string[];

  const show = async () => {
    await editor.page.evaluate("RED.sidebar.show('telephony')");
    await editor.page.locator(".telephony-tab").waitFor();
  };
  const hide = () => editor.page.evaluate("RED.sidebar.show('info')");
  const frame = async (): Promise<Frame> => {
    const handle = await editor.page.locator(FRAME).elementHandle();
    const found = await handle?.contentFrame();
    assert.ok(found);
    await found.waitForLoadState();
    return found;
  };
  const inFrame = (text: string) => editor.page.frameLocator(FRAME).getByText(text).first();
  const follows = (tenant: string, since = 0) =>
    eventually(() => asked.slice(since).includes(`/telephony/sandbox/${tenant}/changes`) || undefined);
  const selected = () => editor.page.evaluate("(RED.view.selection().nodes ?? []).map(({ id }) => id).join()");
  const settings = (body: object, tenant = "tenant-2") =>
    first.nodeRed.post(`/telephony/sandbox/${tenant}/settings`, body, { origin: first.nodeRed.url });

  beforeEach(async () => {
    [asked, ended] = [[], []];
    editor = await first.beside({});
    const noteIn = (list: string[]) => (request: Request) => {
      const { pathname } = new URL(request.url());
      if (pathname.includes("/telephony/")) list.push(pathname);
    };
    editor.page.on("request", noteIn(asked));
    editor.page.on("requestfailed", noteIn(ended));
  });
  afterEach(async function () {
    const { complaints } = editor;
    await editor.page.close();
    if (this.currentTest?.title.startsWith("follows a redeploy")) await first.nodeRed.post("/flows", FLOW);
    assert.deepEqual(complaints, []);
  });

  it("makes no request while it is hidden @markup", async () => {
    // Which tenants there are, it asks whenever flows have started.
    assert.deepEqual(
      asked.filter((path) => path !== "/telephony/tenants"),
      [],
    );
    await editor.page.clock.install();
    await show();
    await inFrame("No call yet.").waitFor();
    await follows("tenant-1");
    await eventually(() => asked.includes("/telephony/tenant/tenant-1/control") || undefined);
    await hide();
    await eventually(() => ended.includes("/telephony/sandbox/tenant-1/changes") || undefined);
    // A hidden tab that still counted, or followed its sandbox, would make a request before this one.
    const before = asked.length;
    await first.nodeRed.press("go");
    await editor.page.clock.runFor(2500);
    await editor.page.evaluate("fetch('telephony/tenants')");
    assert.deepEqual(asked.slice(before), ["/telephony/tenants"]);
    await show();
    await inFrame("Hello Ada").waitFor();
  });

  it("shows calls as they come", async () => {
    await show();
    await follows("tenant-1");
    await first.nodeRed.press("go");
    await inFrame("Hello Ada").waitFor();
    await editor.page.getByText(/^Today: [1-9] accepted$/).waitFor();
  });

  it("says above the calls and beside them that Node-RED does not answer, until it does", async () => {
    await show();
    await inFrame("live").waitFor();
    await editor.page.route("**/telephony/**", (route) => route.abort());
    // What is answered already is not aborted.
    await settings({ ringSeconds: 30 }, "tenant-1");
    await inFrame("The sandbox does not answer.").waitFor();
    await editor.page.locator(`${STATE}.telephony-problem`).waitFor();
    await editor.page.unroute("**/telephony/**");
    await inFrame("live").waitFor();
  });

  it("shows each sandbox separately, and no placed calls of a live tenant", async () => {
    await show();
    const groups = editor.page.locator(`${SELECT} optgroup`);
    await groups.nth(1).waitFor({ state: "attached" });
    const labels = await groups.evaluateAll((all) =>
      all.map((group) => [(group as unknown as { label: string }).label, group.textContent]),
    );
    assert.deepEqual(labels, [
      ["Sandboxes, with their calls", "sandboxThe second"],
      ["Others, with waiting calls", "Acme"],
    ]);
    await editor.page.selectOption(SELECT, "tenant-2");
    assert.match((await editor.page.getAttribute(FRAME, "src")) ?? "", /zone=Asia%2FTokyo/);
    await first.nodeRed.press("go-2");
    await inFrame("Hello Bo").waitFor();
    assert.equal(await inFrame("Hello Ada").count(), 0);
    await editor.page.selectOption(SELECT, "tenant-3");
    await editor.page.locator(".telephony-tab-hint").waitFor();
    assert.equal(await editor.page.locator(FRAME).count(), 0);
    await editor.page.getByText("No token: paste the tenant's access token into its dialog.").waitFor();
  });

  it("selects the node that a request came from: on another tab, in a subflow", async () => {
    await show();
    const page = await frame();
    const choose = (id: string) => page.evaluate(`parent.postMessage({ telephony: "node", id: "${id}" }, "*")`);
    await choose("far");
    await eventually(async () => (await selected()) === "far" || undefined);
    assert.equal(await editor.page.evaluate("RED.workspaces.active()"), "other-tab");
    await first.nodeRed.press("go-inside");
    // What the runtime names the node inside of an instance.
    const node = await eventually(async () => {
      const log = await (await fetch(`${first.nodeRed.url}/telephony/sandbox/tenant-1/log`)).json();
      return (log as { path: string; node?: string }[]).find(({ path }) => path.endsWith("stop-a-call"))?.node;
    });
    assert.notEqual(node, "in-sub");
    await choose(node);
    await eventually(async () => (await selected()) === "in-sub" || undefined);
    assert.equal(await editor.page.evaluate("RED.workspaces.active()"), "sub");
    // The answer goes away after some seconds.
    await Promise.all([
      editor.page.getByText("The node that sent this request is not in this editor.").waitFor(),
      choose("gone"),
    ]);
  });

  it("selects nodes only for the page in its frame", async () => {
    await show();
    await frame();
    await editor.page.evaluate('postMessage({ telephony: "node", id: "call" }, "*")');
    await editor.page.evaluate(`new Promise((resolve) => {
      const frame = document.createElement("iframe");
      frame.srcdoc = "<script>parent.postMessage({ telephony: 'node', id: 'call' }, '*'); parent.postMessage('posted', '*');</script>";
      addEventListener("message", ({ data }) => data === "posted" && resolve());
      document.body.append(frame);
    })`);
    assert.equal(await selected(), "");
  });

  it("follows a redeploy: a tenant that is gone, one that is new, and none at all @markup", async () => {
    await show();
    await editor.page.selectOption(SELECT, "tenant-2");
    await editor.page.evaluate("RED.nodes.remove('tenant-2'); RED.nodes.dirty(true)");
    await editor.deploy();
    await eventually(async () => (await editor.page.inputValue(SELECT)) === "tenant-1" || undefined);
    await follows("tenant-1");
    const before = asked.length;
    await editor.change("tenant-1", { name: "Renamed", changed: true });
    await editor.page.evaluate("RED.nodes.dirty(true)");
    await editor.deploy();
    await editor.page.locator(`${SELECT} option:checked`, { hasText: "Renamed" }).waitFor({ state: "attached" });
    // A sandbox that was stopped and started is followed anew.
    await follows("tenant-1", before);
    await first.nodeRed.press("go");
    await inFrame("Hello Ada").waitFor();
    await editor.page.evaluate(
      "for (const id of ['tenant-1', 'tenant-3']) RED.nodes.remove(id); RED.nodes.dirty(true)",
    );
    await editor.deploy();
    await editor.page.getByText("Nothing to show yet.").waitFor();
    assert.equal(await editor.page.locator(FRAME).count(), 0);
    assert.equal(await editor.page.isVisible(SELECT), false);
  });

  it("follows a redeploy of the flow in front: to a tenant that is new", async () => {
    await show();
    await frame();
    assert.equal(await editor.page.inputValue(SELECT), "tenant-1");
    await editor.page.evaluate(`RED.workspaces.show("other-tab");
      RED.nodes.import(${JSON.stringify([
        { ...SANDBOX, id: "tenant-4", name: "The new one" },
        { id: "new", type: "call-stop", z: "other-tab", x: 200, y: 120, tenant: "tenant-4", wires: [[]] },
      ])});
      RED.nodes.dirty(true)`);
    await editor.deploy();
    await eventually(async () => (await editor.page.inputValue(SELECT)) === "tenant-4" || undefined);
    // One that somebody chooses stays through later deploys.
    await editor.page.selectOption(SELECT, "tenant-2");
    await editor.change("new", { name: "Renamed", changed: true });
    await editor.page.evaluate("RED.nodes.dirty(true)");
    const before = asked.length;
    await editor.deploy();
    await eventually(() => asked.slice(before).includes("/telephony/tenants") || undefined);
    assert.equal(await editor.page.inputValue(SELECT), "tenant-2");
  });

  it("follows the flow in front @markup", async () => {
    await show();
    await editor.page.selectOption(SELECT, "tenant-2");
    await editor.page.evaluate("RED.workspaces.show('other-tab')");
    await eventually(async () => (await editor.page.inputValue(SELECT)) === "tenant-1" || undefined);
  });

  it("says elsewhere in the editor that a phone rings, and answers it @markup", async () => {
    await settings({ answers: "ask", ringSeconds: 300 });
    await hide();
    await first.nodeRed.press("go-2");
    const toast = editor.page.locator(".red-ui-notification", { hasText: "1111111111 rings" });
    await toast.waitFor();
    await editor.page.locator('[data-telephony-rings="1"]').waitFor();
    await toast.getByText("Answer").click();
    await inFrame("talking").waitFor();
    assert.equal(await editor.page.inputValue(SELECT), "tenant-2");
    await editor.page.locator("[data-telephony-rings]").waitFor({ state: "detached" });
    await settings({ answers: "everybody", ringSeconds: 30 });
  });

  it("lets a phone that rings be seen wherever its card is not, without the focus and away from buttons", async () => {
    const toast = editor.page.locator(".red-ui-notification", { hasText: /1111111111 rings.*The second/ });
    const isHidden = () => toast.waitFor({ state: "detached" });
    await settings({ answers: "ask", ringSeconds: 300 });
    await hide();
    await editor.edit("call");
    await editor.page.focus("#node-input-name");
    await first.nodeRed.press("go-2");
    await toast.waitFor();
    await editor.page.keyboard.type("Ring Ada and Bo", { delay: 20 });
    assert.equal(await editor.page.inputValue("#node-input-name"), "Ring Ada and Bo");
    const over = toast.evaluate((element) => {
      const buttons = [...document.querySelectorAll(".red-ui-tray button")];
      const box = element.getBoundingClientRect();
      const isCovered = ({ left, right, top, bottom }: DOMRect) =>
        left < box.right && right > box.left && top < box.bottom && bottom > box.top;
      return buttons.filter((button) => isCovered(button.getBoundingClientRect())).map(({ id }) => id);
    });
    assert.deepEqual(await over, []);
    await editor.cancel();
    // On its page, the phone is seen anyway, but not while the window of rehearsals takes the whole screen.
    await show();
    await editor.page.selectOption(SELECT, "tenant-2");
    await isHidden();
    const scroll = (to: number) =>
      editor.page
        .frameLocator(FRAME)
        .locator("body")
        .evaluate((_, top) => {
          document.body.style.paddingBottom = "300vh";
          scrollTo(0, top);
        }, to);
    // The page scrolls to a phone when it is shown.
    await editor.page.frameLocator(FRAME).locator(".phone.ringing").waitFor();
    await scroll(10_000);
    await toast.waitFor();
    await scroll(0);
    await isHidden();
    await editor.page.locator(".telephony-tab").getByRole("button", { name: "Rehearse and test" }).click();
    await editor.page.locator("dialog").waitFor();
    await toast.getByText("Answer").click();
    await inFrame("talking").waitFor();
    await isHidden();
    await settings({ answers: "everybody", ringSeconds: 30 });
  });

  it("is opened by the tenant's dialog, which stays as it is; with a modifier key a page of its own opens @markup", async () => {
    await editor.edit("tenant-2");
    await editor.page.click("#telephony-calls");
    await editor.page.locator(FRAME).waitFor();
    assert.equal(await editor.page.inputValue(SELECT), "tenant-2");
    assert.equal(await editor.page.isVisible("#telephony-calls"), true);
    const [page] = await Promise.all([
      editor.page.context().waitForEvent("page"),
      editor.page.click("#telephony-calls", { modifiers: ["Control"] }),
    ]);
    await page.waitForURL(`${first.nodeRed.url}/telephony/sandbox/tenant-2`);
    await page.close();
    await editor.cancel();
  });

  it("works with the keyboard alone @markup", async () => {
    await show();
    // The tab fills its list, and shows the frame, when the browser reports that it is visible.
    await frame();
    await editor.page.locator(SELECT).focus();
    await editor.page.keyboard.press("ArrowDown");
    await eventually(
      async () => (await editor.page.getAttribute(FRAME, "title")) === "Calls of The second" || undefined,
    );
    // An empty line cannot have the focus.
    await editor.page.locator(STATE, { hasText: "waiting" }).waitFor();
    await editor.page.locator(".telephony-today > summary").waitFor();
    const focused = () =>
      editor.page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.tagName");
    await editor.page.locator(SELECT).focus();
    await editor.page.keyboard.press("Tab");
    assert.equal(await focused(), "Open in a window of its own");
    await editor.page.keyboard.press("Tab");
    // Today's calls, what waits, then rehearsals.
    for (const element of ["SUMMARY", "SUMMARY", "BUTTON"]) {
      assert.equal(await focused(), element);
      await editor.page.keyboard.press("Tab");
    }
    assert.equal(await focused(), "IFRAME");
  });
});
