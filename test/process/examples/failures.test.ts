import assert from "node:assert/strict";
import { ExampleStage } from "../../support/process/example-stage";
import type { FlowNode } from "../../support/process/node-red";

describe("the examples that handle failures, in a real Node-RED", () => {
  const stage = new ExampleStage();

  describe("Try again when that is safe", () => {
    const name = "Try again when that is safe";
    const tries = async () =>
      (await stage.asked()).map((request) => request.replace("POST /api/v1/call/call-out ", ""));
    /** The printed pauses of the loop. */
    const pauses = (printed: string) =>
      [...printed.matchAll(/\[debug:Pause in ms\]\s+(\d+)/g)].map(([, pause]) => Number(pause));
    /** Shortens the delays. The printed pauses stay the same. */
    const withShortDelays = (node: FlowNode) =>
      node.type === "delay" ? { ...node, pauseType: "delay", timeout: "10", timeoutUnits: "milliseconds" } : node;

    it("calls at once when nothing is wrong", async () => {
      await stage.show(name);
      await stage.shows("Call Ada", /\[debug:Accepted\]/);
      assert.deepEqual(await tries(), ["200"]);
    });

    it("tries again after growing pauses, as its Inject nodes show", async () => {
      await stage.show(name);
      await stage.shows("Busy twice", "success: true");
      const printed = await stage.shows("Call Ada", /\[debug:Accepted\]/);
      assert.deepEqual(await tries(), ["429", "429", "200"]);
      assert.deepEqual(pauses(printed), [1000, 2000]);
      assert.equal((await stage.calls()).length, 1);
    });

    it("gives up after five retries", async () => {
      await stage.show(name, undefined, withShortDelays);
      await stage.shows("Busy for long", "success: true");
      const printed = await stage.shows("Call Ada", /\[debug:Given up\].*retries: 5/s);
      assert.deepEqual(await tries(), Array(6).fill("429"));
      assert.deepEqual(pauses(printed), [1000, 2000, 4000, 8000, 16_000]);
      assert.match(printed, /code: 'ERR_RATE_LIMITED'/);
      assert.deepEqual(await stage.calls(), []);
      // The next call starts counting from zero.
      await stage.shows("Be well again", "success: true");
      await stage.shows("Call Ada", /\[debug:Accepted\]/);
    });

    it("waits as long as the phone system requests", async () => {
      await stage.show(name, undefined, withShortDelays);
      await stage.injectFaults({ times: 2, status: 429, retryAfter: 7 });
      assert.deepEqual(pauses(await stage.shows("Call Ada", /\[debug:Accepted\]/)), [7000, 7000]);
    });

    it("never repeats a call with an unknown outcome", async () => {
      await stage.show(name, undefined, withShortDelays);
      await stage.shows("Broken once", "success: true");
      const printed = await stage.shows("Call Ada", /\[debug:Given up\].*retries: 0/s);
      assert.match(printed, /code: 'ERR_SERVER'.*The phone may have rung/s);
      assert.deepEqual(await tries(), ["503"]);
      // After a further call, the log shows that the previous one was not sent again.
      await stage.shows("Call Ada", /\[debug:Accepted\]/);
      assert.deepEqual(await tries(), ["503", "200"]);
    });

    it("does not repeat a refused call", async () => {
      await stage.show(name, undefined, withShortDelays);
      await stage.injectFaults({ times: 1, status: 422 });
      const printed = await stage.shows("Call Ada", /\[debug:Given up\].*retries: 0/s);
      assert.match(printed, /code: 'ERR_REJECTED'.*would fail again/s);
      assert.deepEqual(await tries(), ["422"]);
    });
  });

  describe("Check the tenant every night", () => {
    const name = "Check the tenant every night";
    const button = "Every night at three";

    it("reports success, and changes nothing", async () => {
      await stage.show(name);
      const printed = await stage.shows(button, /\[debug:How it is\].*All is well: it answers, and 0 calls wait/s);
      assert.match(printed, /ok: true,\s+schedules: 2,\s+waiting: 0/);
      assert.deepEqual(await stage.asked(), ["GET /api/v1/setting/business-hour 200"]);
    });

    it("explains failures, as its Inject nodes show", async () => {
      await stage.show(name);
      await stage.shows("A wrong token", "success: true");
      await stage.shows(button, /\[debug:What to do\].*code: 'ERR_AUTH'.*get a new one and put it into the tenant/s);
      await stage.shows("Out of order", "success: true");
      await stage.shows(button, /\[debug:What to do\].*code: 'ERR_SERVER'.*It is out of order/s);
      await stage.shows("Be well again", "success: true");
      await stage.shows(button, "All is well");
    });

    it("reports paused calls", async () => {
      await stage.show(name);
      const [tenant] = stage.shown.flows.filter(({ type }) => type === "telephony-tenant");
      await stage.nodeRed.deploy([
        ...stage.shown.flows,
        { id: "brake-tab", type: "tab", label: "Brake" },
        { id: "brake", z: "brake-tab", type: "inject", props: [], x: 1, y: 1, wires: [["pause"]] },
        { id: "pause", z: "brake-tab", type: "telephony-control", tenant: tenant?.id, command: "pause", x: 2, y: 1 },
      ]);
      await stage.nodeRed.inject("brake");
      await stage.shows(button, /ok: false.*calls are paused, and 0 wait/s);
    });

    it("has a remedy for every error code of a read", () => {
      // The codes of the table in docs/calls.md without those that only calls, schedules or gates have.
      const codes = ["CONFIG", "AUTH", "DNS", "CONNECT", "CONNECT_TIMEOUT", "TLS", "RATE_LIMITED", "REDIRECT"];
      const more = ["REJECTED", "BAD_RESPONSE", "SERVER", "TIMEOUT", "CONNECTION_LOST", "RESPONSE_TOO_LARGE"];
      const node = JSON.stringify(stage.shown.flows.find((flow) => flow["name"] === "Say what to do"));
      for (const code of [...codes, ...more]) assert.ok(node.includes(`ERR_${code}\\`), code);
    });
  });
});
