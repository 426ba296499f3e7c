import assert from "node:assert/strict";
import { answered, ExampleStage, judgingAt, KNOWS, SECRET } from "../../support/process/example-stage";

/** The office of the sandbox is open on weekdays from 8 to 12 and from 13 to 17:30. */
const MONDAY_AT_TEN = "2099-01-05T10:00";
const SUNDAY_AT_TEN = "2099-01-04T10:00";

describe("the examples with business hours, in a real Node-RED", () => {
  const stage = new ExampleStage();

  describe("3 Only call during business hours", () => {
    const name = "3 Only call during business hours";
    const ada = { name: "Ada", number: "0000000000" };
    const post = (body: unknown, headers = {}) =>
      answered(stage.nodeRed.post("/call-in-business-hours", body, headers));

    it("calls the customer while it is open, before it closes", async () => {
      await stage.show(name, SECRET, judgingAt(MONDAY_AT_TEN));
      const { status, json } = await post(ada, KNOWS);
      assert.deepEqual([status, json.accepted, json.open], [200, true, true]);
      assert.match(json.closesAt ?? "", /^2099-01-05T12:00:00/);
      assert.match(json.opensAt ?? "", /^2099-01-05T13:00:00/);
      const [call, ...others] = await stage.calls();
      assert.deepEqual(others, []);
      assert.deepEqual(call?.to, { type: "external", number: "0000000000", alias: "Ada" });
      assert.match(call?.actions?.[0]?.text ?? "", /^Hello Ada,/);
    });

    it("answers 409 with the opening time while it is closed, and places no call", async () => {
      await stage.show(name, SECRET, judgingAt(SUNDAY_AT_TEN));
      const { status, json } = await post(ada, KNOWS);
      assert.deepEqual([status, json.accepted, json.open], [409, false, false]);
      assert.match(json.opensAt ?? "", /^2099-01-05T08:00:00/);
      assert.match(json.message ?? "", /Ask again from 2099-01-05T08:00:00/);
      assert.deepEqual(await stage.calls(), []);
    });

    it("does not place a waiting call after closing time", async () => {
      // Open on a day in the past, so that closing time is over.
      await stage.show(name, SECRET, judgingAt("2024-01-08T10:00"));
      const { status, json } = await post(ada, KNOWS);
      assert.deepEqual([status, json.code], [409, "ERR_EXPIRED"]);
      assert.match(json.opensAt ?? "", /^2024-01-08T13:00:00/);
      assert.deepEqual(await stage.calls(), []);
    });

    it("places one call for repeated posts", async () => {
      await stage.show(name, SECRET, judgingAt(MONDAY_AT_TEN));
      const twice = { ...ada, requestId: "one" };
      assert.equal((await post(twice, KNOWS)).status, 200);
      const { status, json } = await post(twice, KNOWS);
      assert.deepEqual([status, json.code, json.first?.outcome], [200, "ERR_DUPLICATE", "applied"]);
      assert.equal((await stage.calls()).length, 1);
    });

    it("does not report an unknown outcome as accepted when a post is repeated", async () => {
      await stage.show(name, SECRET, judgingAt(MONDAY_AT_TEN));
      const twice = { ...ada, requestId: "one" };
      await stage.injectFaults({ times: 1, status: 503, path: "/api/v1/call/call-out" });
      assert.equal((await post(twice, KNOWS)).status, 502);
      const { status, json } = await post(twice, KNOWS);
      assert.deepEqual([status, json.accepted, json.first?.outcome], [200, null, "unknown"]);
      assert.match(json.message ?? "", /may have been placed/);
    });

    it("refuses a request without the secret, and every request while none is set", async () => {
      await stage.show(name, SECRET, judgingAt(MONDAY_AT_TEN));
      assert.equal((await post(ada)).status, 401);
      assert.equal((await post(ada, { "x-call-secret": "wrong" })).status, 401);
      assert.deepEqual(await stage.calls(), []);
      await stage.show(name, undefined, judgingAt(MONDAY_AT_TEN));
      assert.equal((await post(ada, { "x-call-secret": "" })).status, 503);
      assert.deepEqual(await stage.calls(), []);
    });

    it("uses the clock and ignores the time in a post, unlike its Inject nodes", async () => {
      await stage.show(name, SECRET);
      const { status, json } = await post({ ...ada, at: SUNDAY_AT_TEN, override: "closed" }, KNOWS);
      assert.equal(status, json.open ? 200 : 409);
      const before = (await stage.calls()).length;
      assert.equal(before, json.open ? 1 : 0);
      assert.doesNotMatch(json.opensAt ?? "", /^2099/);
      await stage.shows("Try it on a Sunday", /opensAt: '2099-01-05T08:00:00/);
      assert.equal((await stage.calls()).length, before);
      await stage.shows("Try it on a Monday", /closesAt: '2099-01-05T12:00:00/);
      assert.equal((await stage.calls()).length, before + 1);
    });
  });

  describe("After-hours: transfer the caller to the night queue", () => {
    const name = "After-hours transfer the caller to the night queue";
    const post = (body: unknown, headers = {}) => answered(stage.nodeRed.post("/incoming-call", body, headers));
    const queue = { type: "queue", number: "9", alias: "Night queue", by: "transfer/advance" };

    it("transfers a caller blindly to the queue while it is closed, once for repeated reports", async () => {
      await stage.show(name, SECRET, judgingAt(SUNDAY_AT_TEN));
      const { status, json } = await post({ callId: "comes-in" }, KNOWS);
      assert.deepEqual([status, json.transferred, json.open], [200, true, false]);
      assert.match(json.opensAt ?? "", /^2099-01-05T08:00:00/);
      const again = await post({ callId: "comes-in" }, KNOWS);
      assert.deepEqual([again.status, again.json.code], [200, "ERR_DUPLICATE"]);
      const [call, ...others] = await stage.calls();
      assert.deepEqual(others, []);
      assert.deepEqual([call?.callId, call?.participants], ["comes-in", [queue]]);
      assert.match(JSON.stringify(call), /"blind"/);
    });

    it("does not report an unknown outcome as accepted when a report is repeated", async () => {
      await stage.show(name, SECRET, judgingAt(SUNDAY_AT_TEN));
      await stage.injectFaults({ times: 1, status: 503, path: "/api/v1/call/transfer/advance" });
      assert.equal((await post({ callId: "comes-in" }, KNOWS)).status, 502);
      const { status, json } = await post({ callId: "comes-in" }, KNOWS);
      assert.deepEqual([status, json.accepted, json.first?.outcome], [200, null, "unknown"]);
      assert.match(json.message ?? "", /may have been transferred/);
    });

    it("understands a report with a call_id, from a phone system that is given nothing but an address", async () => {
      await stage.show(name, SECRET, judgingAt(SUNDAY_AT_TEN));
      const address = `/incoming-call?secret=${encodeURIComponent(SECRET)}`;
      const { json } = await answered(stage.nodeRed.post(address, { call_id: "comes-in" }, {}));
      assert.equal(json.transferred, true);
      assert.equal((await stage.calls())[0]?.callId, "comes-in");
    });

    it("does not touch the call while it is open", async () => {
      await stage.show(name, SECRET, judgingAt(MONDAY_AT_TEN));
      const { status, json } = await post({ callId: "comes-in" }, KNOWS);
      assert.deepEqual([status, json.transferred, json.open], [200, false, true]);
      assert.match(json.message ?? "", /nothing to do/);
      assert.deepEqual(await stage.calls(), []);
    });

    it("refuses a report without the secret or a call id", async () => {
      await stage.show(name, SECRET, judgingAt(SUNDAY_AT_TEN));
      assert.equal((await post({ callId: "comes-in" })).status, 401);
      const { status, json } = await post({}, KNOWS);
      assert.deepEqual([status, json.code], [400, "ERR_INPUT"]);
      assert.deepEqual(await stage.calls(), []);
    });

    it("uses the clock and ignores the time in a post, unlike its Inject nodes", async () => {
      await stage.show(name, SECRET);
      const { json } = await post({ callId: "comes-in", at: SUNDAY_AT_TEN, override: "closed" }, KNOWS);
      const before = (await stage.calls()).length;
      assert.equal(before, json.open ? 0 : 1);
      assert.doesNotMatch(json.opensAt ?? "", /^2099/);
      await stage.shows("Try it on a Monday", "transferred: false");
      assert.equal((await stage.calls()).length, before);
      await stage.shows("Try it on a Sunday", /opensAt: '2099-01-05T08:00:00/);
      assert.equal((await stage.calls()).length, before + 1);
    });
  });
});
