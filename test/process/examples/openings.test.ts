import assert from "node:assert/strict";
import { eventually } from "../../support/process/eventually";
import { answered, ExampleStage, judgingAt, KNOWS, SECRET } from "../../support/process/example-stage";
import type { FlowNode } from "../../support/process/node-red";

/** The office of the sandbox is open on weekdays from 8 to 12 and from 13 to 17:30. */
const MONDAY_AT_TEN = "2099-01-05T10:00";
const SUNDAY_AT_TEN = "2099-01-04T10:00";
const NEW_YEAR = "2099-01-01T10:00";

describe("the examples that act at openings and closings, in a real Node-RED", () => {
  const stage = new ExampleStage();

  describe("Tell callers when we open", () => {
    const name = "Tell callers when we open";
    const caller = { callId: "comes-in", from: "0000000000" };
    const post = (body: unknown, headers = {}) => answered(stage.nodeRed.post("/caller", body, headers));
    const spoken = async () => (await stage.calls()).map(({ actions }) => actions?.[0]?.text);

    for (const [at, sentence] of [
      [SUNDAY_AT_TEN, "We are closed and open again on Monday, 5 January, at 8:00."],
      [NEW_YEAR, "We are closed for New Year and open again on Monday, 5 January, at 8:00."],
    ] as const) {
      it(`calls back and says: ${sentence}`, async () => {
        await stage.show(name, SECRET, judgingAt(at));
        const { status, json } = await post(caller, KNOWS);
        assert.deepEqual([status, json.calledBack, json.open, json.sentence], [200, true, false, sentence]);
        const again = await post({ ...caller, callId: "another" }, KNOWS);
        assert.deepEqual([again.status, again.json.code, again.json.first?.outcome], [200, "ERR_DUPLICATE", "applied"]);
        assert.deepEqual(await spoken(), [`Thank you for calling us. ${sentence}`]);
        assert.deepEqual((await stage.calls())[0]?.to, { type: "external", number: "0000000000" });
      });
    }

    it("calls nobody back while it is open, or without a number", async () => {
      await stage.show(name, SECRET, judgingAt(MONDAY_AT_TEN));
      const open = await post(caller, KNOWS);
      assert.deepEqual([open.status, open.json.calledBack, open.json.open], [200, false, true]);
      await stage.show(name, SECRET, judgingAt(SUNDAY_AT_TEN));
      const hidden = await post({ callId: "hidden" }, KNOWS);
      assert.deepEqual([hidden.status, hidden.json.calledBack, hidden.json.open], [200, false, false]);
      assert.match(hidden.json.sentence ?? "", /^We are closed /);
      assert.deepEqual(await stage.calls(), []);
    });

    it("does not report an unknown outcome as accepted when a report is repeated", async () => {
      await stage.show(name, SECRET, judgingAt(SUNDAY_AT_TEN));
      await stage.injectFaults({ times: 1, status: 503, path: "/api/v1/call/call-out" });
      assert.equal((await post(caller, KNOWS)).status, 502);
      const { status, json } = await post(caller, KNOWS);
      assert.deepEqual([status, json.accepted, json.first?.outcome], [200, null, "unknown"]);
    });

    it("refuses a report without the secret, and ignores the time in a post", async () => {
      await stage.show(name, SECRET, judgingAt(SUNDAY_AT_TEN));
      assert.equal((await post(caller)).status, 401);
      await stage.show(name, undefined, judgingAt(SUNDAY_AT_TEN));
      assert.equal((await post(caller, { "x-call-secret": "" })).status, 503);
      assert.deepEqual(await stage.calls(), []);
      await stage.show(name, SECRET);
      const { json } = await post({ ...caller, at: SUNDAY_AT_TEN }, KNOWS);
      assert.doesNotMatch(json.opensAt ?? "", /^2099/);
    });
  });

  describe("Last calls before closing", () => {
    const name = "Last calls before closing";
    /** The team's calls are those of the second tenant. */
    const team = async () => (await stage.asked(1)).filter((request) => request.endsWith("/call-out 200"));

    /** With hours of the test's own instead of the tenant's. */
    const withHours = (days: readonly object[]) => (node: FlowNode) =>
      node.type === "business-hour-trigger" ? { ...node, source: "value", schedule: days, scheduleType: "list" } : node;
    const week = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    const always = week.map((day) => ({ day, open: "00:00", close: "00:00" }));

    it("pauses the customers' calls after a start while it is closed, and calls nobody", async () => {
      const before = stage.nodeRed.log.length;
      await stage.show(name, undefined, withHours([]));
      await eventually(() => stage.nodeRed.log.slice(before).includes("paused: true") || undefined);
      assert.deepEqual(await team(), []);
    });

    it("continues the customers' calls after a start while it is open", async () => {
      const before = stage.nodeRed.log.length;
      await stage.show(name, undefined, withHours(always));
      await eventually(() => stage.nodeRed.log.slice(before).includes("paused: false") || undefined);
      assert.deepEqual(await team(), []);
    });

    it("notifies the team and holds the customers' calls until it opens, with its Inject nodes", async () => {
      await stage.show(name, undefined, withHours(always));
      await stage.shows("Try it: a quarter to closing", "paused: true");
      await eventually(async () => (await team()).length === 1 || undefined);
      const before = stage.nodeRed.log.length;
      await stage.press("Call a customer");
      assert.deepEqual(await stage.calls(), []);
      await stage.shows("Try it: opening", "paused: false");
      await eventually(() => stage.nodeRed.log.slice(before).includes("[debug:Accepted]") || undefined);
      assert.equal((await stage.calls()).length, 1);
    });
  });
});
