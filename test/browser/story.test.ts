import { strict as assert } from "node:assert";
import type { Locator } from "playwright-core";
import { Hand, middleOf } from "../support/browser/hand";
import { withEditor } from "../support/browser/with-editor";
import { eventually } from "../support/process/eventually";
import { freePort } from "../support/process/free-port";

/** How often a mouse button goes down in the whole story, at most. */
const PRESSES = 36;

/** What a shop posts, in its own words. */
const order = (number: string) => ({
  order: { number, total: 129 },
  buyer: { fullName: "Ada", mobile: "0000000000" },
});

describe("Orders of a web shop are called about, once and in business hours: a flow built by hand", () => {
  let hand: Hand;
  const spent: Record<string, number> = {};

  const editor = withEditor([{ id: "a-tab", type: "tab", label: "Empty" }], { width: 1500 });
  before(async () => {
    hand = await Hand.on(editor.page);
  });

  /** One step of the story; how many presses it took is kept for the sentence of a failure. */
  const step = async <Result>(name: string, does: () => Promise<Result>): Promise<Result> => {
    const before = await hand.clicks();
    const result = await does();
    spent[name] = (await hand.clicks()) - before;
    return result;
  };

  /** Drags a node out of the palette; `x` and `y` count from the corner of the canvas. */
  const place = async (type: string, x: number, y: number): Promise<string> => {
    const { page } = editor;
    const before = await ids();
    const canvas = await page.locator("#red-ui-workspace-chart").boundingBox();
    assert.ok(canvas);
    const entry = page.locator(`.red-ui-palette-node[data-palette-type="${type}"]`);
    await hand.drag(await middleOf(entry), [canvas.x + x, canvas.y + y]);
    const id = (await ids()).find((id) => !before.includes(id));
    assert.ok(id, `No ${type} was dropped`);
    return id;
  };
  const ids = (): Promise<string[]> =>
    editor.page.evaluate("RED.nodes.filterNodes({ z: 'a-tab' }).map(({ id }) => id)");
  const port = (id: string, kind: "input" | "output", index = 0): Locator =>
    editor.page.locator(`[id="${id}"] .red-ui-flow-port-${kind}`).nth(index);
  const wire = async (from: string, to: string, output = 0) =>
    hand.drag(await middleOf(port(from, "output", output)), await middleOf(port(to, "input")));
  const open = async (id: string) => {
    await hand.doubleClick(editor.page.locator(`[id="${id}"] .red-ui-flow-node`));
    await editor.page.locator("#node-dialog-ok").waitFor();
    await editor.settled();
  };
  const done = async () => {
    await hand.click(editor.page.locator("#node-dialog-ok"));
    await editor.page.waitForFunction("!document.querySelector('.red-ui-tray')");
  };

  const typedInput = (field: string) => editor.page.locator(`#node-input-${field} + .red-ui-typedInput-container`);
  const chooseType = async (input: Locator, type: string) => {
    await hand.click(input.locator(".red-ui-typedInput-type-select"));
    // The box has the focus then.
    await hand.click(editor.page.locator(`.red-ui-typedInput-options:visible a[value="${type}"]`));
  };
  const fill = async (input: Locator, text: string) => {
    await hand.click(input);
    await hand.press("Control+a");
    await hand.type(text);
  };

  it(`takes at most ${PRESSES} presses`, async () => {
    const { page } = editor;
    const webhook = await step("webhook", async () => {
      const id = await place("http in", 150, 100);
      await open(id);
      await page.locator("#node-input-method").focus();
      await hand.type("POST");
      await hand.click(page.locator("#node-input-url"));
      await hand.type("/orders");
      await done();
      return id;
    });
    const gate = await step("gate", async () => {
      const id = await place("business-hour-gate", 360, 100);
      await open(id);
      await hand.click(page.locator("#node-input-btn-tenant-add"));
      await page.locator("#node-config-dialog-ok").waitFor();
      await editor.settled();
      await hand.click(page.locator("#node-config-dialog-ok"));
      await page.locator("#node-config-dialog-ok").waitFor({ state: "detached" });
      await editor.settled();
      // The sandbox is not deployed yet.
      await hand.click(typedInput("scheduleName").locator(".red-ui-typedInput-option-expand"));
      await hand.click(
        page.locator(".red-ui-popover-panel:visible .red-ui-menu li").filter({ hasText: "Support 24/7" }),
      );
      await done();
      return id;
    });
    const call = await step("call", async () => {
      const id = await place("call-out", 570, 80);
      await open(id);
      await fill(typedInput("toNumber").locator("input"), "payload.buyer.mobile");
      await chooseType(page.locator("#telephony-actions-list .telephony-said + div"), "mustache");
      await hand.type("Hello {{payload.buyer.fullName}}, your order {{payload.order.number}} is ready.");
      await chooseType(typedInput("onceKey"), "msg");
      await hand.type("payload.order.number");
      await done();
      return id;
    });
    const answer = await step("answer", () => place("http response", 800, 120));
    const failure = await step("failure", () => place("catch", 570, 220));
    const report = await step("report", async () => {
      const id = await place("debug", 800, 220);
      await open(id);
      await fill(typedInput("typed-complete").locator("input"), "error.message");
      await done();
      return id;
    });
    await step("six wires", async () => {
      await wire(webhook, gate);
      await wire(gate, call);
      await wire(gate, answer, 1);
      await wire(call, answer);
      await wire(failure, answer);
      await wire(failure, report);
    });
    await step("deploy", async () => {
      await hand.click(page.locator("#red-ui-header-button-deploy"));
      await page.waitForFunction("!RED.nodes.dirty()");
    });
    const presses = await hand.clicks();
    assert.ok(presses <= PRESSES, `It took ${presses} presses: ${JSON.stringify(spent)}`);
  });

  const post = async (number: string) => {
    const init = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(order(number)),
    };
    return (await fetch(`${editor.nodeRed.url}/orders`, init)).status;
  };
  const tenant = (): Promise<string> =>
    editor.page.evaluate("(() => { let id; RED.nodes.eachConfig((node) => { id = node.id; }); return id; })()");
  const calls = async () => {
    const response = await fetch(`${editor.nodeRed.url}/telephony/sandbox/${await tenant()}/calls`);
    return (await response.json()) as { to: unknown; actions: { text: string }[] }[];
  };
  /** Waits until the Debug sidebar shows such a text. */
  const reports = (text: RegExp) =>
    editor.page.locator(".red-ui-debug-msg").filter({ hasText: text }).first().waitFor({ state: "attached" });

  it("places one call that says name and number of an order that is posted twice, and reports the duplicate", async () => {
    assert.deepEqual([await post("A-17"), await post("A-17")], [200, 200]);
    assert.deepEqual(
      (await calls()).map(({ to, actions }) => [to, actions.map(({ text }) => text)]),
      [[{ type: "external", number: "0000000000" }, ["Hello Ada, your order A-17 is ready."]]],
    );
    await reports(/ERR_DUPLICATE/);
  });

  it("reports that it is unknown whether a call was placed, and does not repeat it", async () => {
    await failOnce();
    assert.equal(await post("A-18"), 200);
    await reports(/ERR_SERVER/);
    await editor.page
      .locator(".red-ui-flow-node-status-label")
      .filter({ hasText: /may have been placed/ })
      .waitFor();
    assert.equal(await post("A-18"), 200);
    assert.equal((await calls()).length, 1);
  });

  /** The next call gets no proper answer. The sandbox moves to a port that is known, which keeps its calls. */
  const failOnce = async () => {
    const port = await freePort();
    await editor.page.evaluate(`(() => {
      Object.assign(RED.nodes.node(${JSON.stringify(await tenant())}), { sandboxPort: "${port}", changed: true });
      RED.nodes.dirty(true);
    })()`);
    // For a moment after a deploy, the editor takes no other one.
    await editor.page.waitForFunction("!RED.nodes.dirty() || void RED.actions.invoke('core:deploy-flows')", undefined, {
      polling: 100,
    });
    const body = JSON.stringify({ times: 1, status: 503, path: "/api/v1/call/call-out" });
    const init = { method: "POST", headers: { "content-type": "application/json" }, body };
    const isPlanned = () =>
      fetch(`http://127.0.0.1:${port}/sandbox/faults`, init).then(
        ({ ok }) => ok || undefined,
        // It has not moved yet.
        () => undefined,
      );
    await eventually(isPlanned);
  };
});
