import assert from "node:assert/strict";
import { eventually } from "../../support/process/eventually";
import { answered, type Call, ExampleStage, KNOWS, SECRET } from "../../support/process/example-stage";

describe("the examples that control calls, in a real Node-RED", () => {
  const stage = new ExampleStage();

  describe("Call control by webhook", () => {
    const callId = "a-call-of-the-tests";
    const to = { type: "internal", number: "12" };
    const post = (action: string, body: unknown, headers = {}) =>
      answered(stage.nodeRed.post(`/call-control/${action}`, body, headers));

    beforeEach(() => stage.show("Call control by webhook", SECRET));

    for (const [action, expected] of [
      ["transfer", { state: "ongoing", participants: [{ ...to, by: "transfer" }] }],
      ["listen", { state: "ongoing", participants: [{ ...to, by: "add-user", listensOnly: true }] }],
      ["stop", { state: "ended", participants: [] }],
    ] as const) {
      it(`does ${action}`, async () => {
        const answer = await post(action, { callId, to }, KNOWS);
        assert.equal(answer.status, 200);
        assert.deepEqual(answer.json, { accepted: true, callId, message: answer.json.message });
        const [call] = await stage.calls();
        assert.equal(call?.callId, callId);
        assert.deepEqual({ state: call?.state, participants: call?.participants }, expected);
      });

      it(`does ${action} for a call_id`, async () => {
        assert.equal((await post(action, { call_id: callId, to }, KNOWS)).status, 200);
        assert.equal((await stage.calls())[0]?.callId, callId);
      });

      it(`refuses ${action} without the secret`, async () => {
        assert.equal((await post(action, { callId, to })).status, 401);
        assert.equal((await post(action, { callId, to }, { "x-call-secret": "wrong" })).status, 401);
        await stage.show("Call control by webhook");
        assert.equal((await post(action, { callId, to }, { "x-call-secret": "" })).status, 503);
        assert.deepEqual(await stage.calls(), []);
      });

      it(`answers 400 to ${action} without a call id`, async () => {
        const answer = await post(action, { to }, KNOWS);
        assert.equal(answer.status, 400);
        assert.match(answer.json.code ?? "", /^ERR_INPUT$/);
      });
    }

    it("answers 404 to an unknown action", async () => {
      assert.equal((await post("merge", { callId }, KNOWS)).status, 404);
    });

    for (const [button, done] of [
      ["Try a transfer", (call: Call) => call.participants.length === 1],
      ["Try to listen in", (call: Call) => "listensOnly" in (call.participants[0] ?? {})],
      ["Try to stop", (call: Call) => call.state === "ended"],
    ] as const) {
      it(`can be tried with its Inject node "${button}"`, async () => {
        await stage.press(button);
        await eventually(async () => (await stage.calls()).some(done) || undefined);
      });
    }
  });

  describe("What does my phone system send", () => {
    beforeEach(() => stage.show("What does my phone system send"));

    it("accepts any report, and stops its call with an Inject node", async () => {
      const answer = await stage.nodeRed.post("/phone-system?from=the-query", { callId: "seen-last" });
      assert.equal(answer.status, 204);
      assert.equal((await stage.nodeRed.get("/phone-system?call_id=in-the-query")).status, 204);
      await stage.nodeRed.post("/phone-system", { callId: "seen-last" });
      assert.deepEqual(await stage.calls(), []);
      await stage.press("Stop the call seen last");
      const call = await eventually(async () => (await stage.calls())[0]);
      assert.deepEqual([call.callId, call.state], ["seen-last", "ended"]);
    });
  });

  describe("Let a supervisor listen in", () => {
    const name = "Let a supervisor listen in";
    const post = (body: unknown, headers = {}) => answered(stage.nodeRed.post("/call-taken", body, headers));
    const supervisor = { type: "internal", number: "90", alias: "Supervisor", by: "add-user", listensOnly: true };

    it("adds the supervisor to a new colleague's call as a listener, once for repeated reports", async () => {
      await stage.show(name, SECRET);
      const { status, json } = await post({ callId: "taken", user: "21" }, KNOWS);
      assert.deepEqual([status, json.accepted, json.listening], [200, true, true]);
      const again = await post({ callId: "taken", user: "21" }, KNOWS);
      assert.deepEqual([again.status, again.json.code, again.json.first?.outcome], [200, "ERR_DUPLICATE", "applied"]);
      const [call, ...others] = await stage.calls();
      assert.deepEqual(others, []);
      assert.deepEqual([call?.callId, call?.participants], ["taken", [supervisor]]);
    });

    it("understands a report with a call_id, from a phone system that is given nothing but an address", async () => {
      await stage.show(name, SECRET);
      const address = `/call-taken?secret=${encodeURIComponent(SECRET)}`;
      const { status, json } = await answered(stage.nodeRed.post(address, { call_id: "taken", user: "21" }, {}));
      assert.deepEqual([status, json.listening], [200, true]);
      assert.deepEqual((await stage.calls())[0]?.callId, "taken");
      assert.equal((await answered(stage.nodeRed.post("/call-taken?secret=wrong", {}, {}))).status, 401);
    });

    it("does not report an unknown outcome as accepted when a report is repeated", async () => {
      await stage.show(name, SECRET);
      await stage.injectFaults({ times: 1, status: 503 });
      assert.equal((await post({ callId: "taken", user: "21" }, KNOWS)).status, 502);
      const { status, json } = await post({ callId: "taken", user: "21" }, KNOWS);
      assert.deepEqual([status, json.accepted, json.first?.outcome], [200, null, "unknown"]);
      assert.match(json.message ?? "", /may have rung/);
    });

    it("does not touch other calls", async () => {
      await stage.show(name, SECRET);
      for (const user of ["12", "121", "", undefined]) {
        const { status, json } = await post({ callId: "taken", user }, KNOWS);
        assert.deepEqual([status, json.listening], [200, false]);
      }
      assert.deepEqual(await stage.calls(), []);
    });

    it("refuses a report without the secret or a call id", async () => {
      await stage.show(name, SECRET);
      assert.equal((await post({ callId: "taken", user: "21" })).status, 401);
      const { status, json } = await post({ user: "21" }, KNOWS);
      assert.deepEqual([status, json.code], [400, "ERR_INPUT"]);
      await stage.show(name);
      assert.equal((await post({ callId: "taken", user: "21" }, { "x-call-secret": "" })).status, 503);
      assert.deepEqual(await stage.calls(), []);
    });
  });
});
