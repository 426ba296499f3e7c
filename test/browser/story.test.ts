import { strict as assert } from "node:assert";
import type { Locator } from "playwright-core";
import { Hand } from "../support/browser/hand";
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
    hand = await Hand.on(editor);
  });

  /** One step of the story; how many presses it took is kept for the sentence of a failure. */
  const step = async <Result>(name: string, does: () => Promise<Result>): Promise<Result> => {
    const before = await hand.clicks();
    const result = await does();
    spent[name] = (await hand.clicks()) - before;
    return result;
  };

  const typedInput = (field: string) => editor.page.locator(`#node-input-${field} + .red-ui-typedInput-container`);
  const chooseType = async (input: Locator, type: string) => {
    await input.locator(".red-ui-typedInput-type-select").click();
    // The box has the focus then.
    await editor.page.locator(`.red-ui-typedInput-options:visible a[value="${type}"]`).click();
  };
  const fill = async (input: Locator, text: string) => {
    await input.click();
    await editor.page.keyboard.press("Control+a");
    await hand.type(text);
  };

  it(`takes at most ${PRESSES} presses`, async () => {
    const { page } = editor;
    const webhook = await step("webhook", async () => {
      const id = await hand.place("http in", 150, 100);
      await hand.open(id);
      await page.locator("#node-input-method").focus();
      await hand.type("POST");
      await page.click("#node-input-url");
      await hand.type("/orders");
      await editor.done();
      return id;
    });
    const gate = await step("gate", async () => {
      const id = await hand.place("business-hour-gate", 360, 100);
      await hand.open(id);
      await hand.addTenant();
      // The sandbox is not deployed yet.
      const schedules = await editor.schedules("#node-input-scheduleName");
      await schedules.filter({ hasText: "Support 24/7" }).click();
      await editor.done();
      return id;
    });
    const call = await step("call", async () => {
      const id = await hand.place("call-out", 570, 80);
      await hand.open(id);
      await fill(typedInput("toNumber").locator("input"), "payload.buyer.mobile");
      await chooseType(page.locator("#telephony-actions-list .telephony-said + div"), "mustache");
      await hand.type("Hello {{payload.buyer.fullName}}, your order {{payload.order.number}} is ready.");
      await chooseType(typedInput("onceKey"), "msg");
      await hand.type("payload.order.number");
      await editor.done();
      return id;
    });
    const answer = await step("answer", () => hand.place("http response", 800, 120));
    const failure = await step("failure", () => hand.place("catch", 570, 220));
    const report = await step("report", async () => {
      const id = await hand.place("debug", 800, 220);
      await hand.open(id);
      await fill(typedInput("typed-complete").locator("input"), "error.message");
      await editor.done();
      return id;
    });
    await step("six wires", async () => {
      await hand.wire(webhook, gate);
      await hand.wire(gate, call);
      await hand.wire(gate, answer, 1);
      await hand.wire(call, answer);
      await hand.wire(failure, answer);
      await hand.wire(failure, report);
    });
    await step("deploy", () => hand.deploy());
    const presses = await hand.clicks();
    assert.ok(presses <= PRESSES, `It took ${presses} presses: ${JSON.stringify(spent)}`);
  });

  /** The status of the answer. There is no such path before the flow of the last deploy runs. */
  const post = (number: string) =>
    eventually(async () => {
      const { status } = await editor.nodeRed.post("/orders", order(number));
      return status === 404 ? undefined : status;
    });
  const tenant = (): Promise<string> => editor.page.evaluate("RED.nodes.filterNodes({ type: 'call-out' })[0].tenant");
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
    await editor.shows(".red-ui-flow-node-status-label", /may have been placed/);
    assert.equal(await post("A-18"), 200);
    assert.equal((await calls()).length, 1);
  });

  /** The next call gets no proper answer. The sandbox moves to a port that is known, which keeps its calls. */
  const failOnce = async () => {
    const port = await freePort();
    await editor.change(await tenant(), { sandboxPort: String(port), changed: true });
    await editor.page.evaluate("RED.nodes.dirty(true)");
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
