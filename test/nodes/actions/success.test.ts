import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { GOOD_PAYLOAD } from "../../interface/requests";
import { ACCEPTED } from "../../support/live-tenant";
import { fail, flowWith, load, type Message, play, withTenant } from "../../support/stage";

describe("success of a call node", () => {
  const held = withTenant();
  const stop = (more: object = {}) => load(flowWith(held.tenant.url, { type: "call-stop", ...more }));

  for (const [type, payload] of Object.entries(GOOD_PAYLOAD)) {
    it(`${type} sends the message it got, once, then is done, once`, async () => {
      await load(flowWith(held.tenant.url, { type }));
      const req = { headers: { a: "b" } };
      const message = { _msgid: "m1", payload, topic: "kept", req, res: { _res: {} } };
      const { out, caught, completed } = await play(message);
      deepStrictEqual([out.length, caught.length, completed.length], [1, 0, 1]);
      const [only] = out;
      strictEqual(only, message as never);
      strictEqual(only?.["req"], req);
      const { telephony, ...rest } = only as Message;
      const callId = "callId" in payload ? { callId: "c-1" } : {};
      const { topic, res } = message;
      deepStrictEqual(rest, {
        _msgid: "m1",
        payload: null,
        topic,
        req,
        res,
        envelope: ACCEPTED,
        statusCode: 200,
        ...callId,
      });
      deepStrictEqual(Object.keys(telephony), [
        "action",
        "mode",
        "request",
        "attempts",
        "waitedMs",
        "elapsedMs",
        "row",
      ]);
      deepStrictEqual([telephony.action, telephony.mode, telephony.attempts], [type, "live", 1]);
      deepStrictEqual(telephony.request, held.tenant.received[0]?.body);
      ok([telephony.waitedMs, telephony.elapsedMs].every((ms) => Number.isInteger(ms) && ms >= 0));
    });
  }

  const ENVELOPES: readonly [title: string, status: number, envelope: object, payload: unknown][] = [
    [
      "data of any shape, untouched",
      200,
      { ...ACCEPTED, data: { "a.b": [1, null, { c: "" }] } },
      { "a.b": [1, null, { c: "" }] },
    ],
    ["code 0, as the interface shows it too", 200, { ...ACCEPTED, code: 0 }, null],
    ["an envelope that says no more than success", 200, { success: true }, null],
  ];
  for (const [title, status, envelope, payload] of ENVELOPES) {
    it(`takes ${title}`, async () => {
      held.tenant.answers(() => ({ status, body: envelope }));
      await stop();
      const { out } = await play({ payload: { callId: "c-1" } });
      deepStrictEqual([out[0]?.payload, out[0]?.["envelope"], out[0]?.["statusCode"]], [payload, envelope, status]);
    });
  }

  for (const coding of ["identity", "UTF-8", "none", ""]) {
    it(`accepts an answer with the content coding "${coding}", which compresses nothing`, async () => {
      held.tenant.answers(() => ({ headers: { "content-encoding": coding } }));
      await stop();
      const { out } = await play({ payload: { callId: "c-1" } });
      deepStrictEqual(out[0]?.["envelope"], ACCEPTED);
    });
  }

  it("passes numbers with blanks and ids with letters on as they were given", async () => {
    await load(flowWith(held.tenant.url, { type: "call-transfer" }));
    const payload = { callId: "Call 7/a", fromUserId: "user-b4", to: { type: "external", number: "+49 170 / 123-45" } };
    const { out } = await play({ payload });
    const sent = {
      callId: "Call 7/a",
      fromUserId: "user-b4",
      "to.type": "external",
      "to.number": "+49 170 / 123-45",
    };
    deepStrictEqual([held.tenant.body(), out[0]?.["callId"]], [sent, "Call 7/a"]);
  });

  const TARGETS: readonly [target: string, before: object, after: object][] = [
    ["answer", {}, { payload: { callId: "c-1" }, answer: 7 }],
    ["msg.answer", {}, { payload: { callId: "c-1" }, answer: 7 }],
    ["payload.answer", {}, { payload: { callId: "c-1", answer: 7 } }],
    ["phone.answers[0].data", {}, { payload: { callId: "c-1" }, phone: { answers: [{ data: 7 }] } }],
    ["phone['last answer']", { phone: { a: 1 } }, { payload: { callId: "c-1" }, phone: { a: 1, "last answer": 7 } }],
    ["", {}, { payload: 7 }],
    ["-", {}, { payload: { callId: "c-1" } }],
    ["-", { "-": "mine" }, { payload: { callId: "c-1" }, "-": "mine" }],
  ];
  for (const [target, before, after] of TARGETS) {
    it(`puts the data into ${target || "payload when no target is named"}`, async () => {
      held.tenant.answers(() => ({ body: { ...ACCEPTED, data: 7 } }));
      await stop({ target });
      const { out } = await play({ payload: { callId: "c-1" }, ...before });
      const {
        _msgid,
        envelope: _envelope,
        statusCode: _status,
        callId: _callId,
        telephony: _telephony,
        ...rest
      } = out[0] as Record<string, unknown>;
      deepStrictEqual(rest, after);
    });
  }

  const BAD_TARGETS: readonly [title: string, target: string, message: object][] = [
    ["is no property path", "payload..x", {}],
    ["leads out of the message", "__proto__.polluted", {}],
    ["leads into a constructor", "payload.constructor.prototype.polluted", {}],
    ["leads through a text", "topic.answer", { topic: "text" }],
    ["leads through null", "topic.answer", { topic: null }],
    ["leads deep through a number", "a.b.c.d", { a: { b: 5 } }],
    ["leads into a frozen object", "a.b", { a: Object.freeze({}) }],
    ["leads to a read-only property", "a.b", { a: Object.defineProperty({}, "b", { value: 1 }) }],
  ];
  for (const [title, target, message] of BAD_TARGETS) {
    it(`refuses a target that ${title}, before a request is sent`, async () => {
      await stop({ target });
      const { code, cause } = await fail({ payload: { callId: "c-1" }, ...message });
      deepStrictEqual([code, cause.field, cause.sent, held.tenant.received.length], ["ERR_INPUT", "target", "no", 0]);
      strictEqual(({} as Record<string, unknown>)["polluted"], undefined);
    });
  }

  it("accepts a frozen message, and sends a copy of it", async () => {
    await stop();
    const message = Object.freeze({ _msgid: "m1", payload: Object.freeze({ callId: "c-1" }), topic: "kept" });
    const { out, completed } = await play(message);
    const { payload, topic, callId, statusCode, _msgid } = out[0] as Record<string, unknown>;
    deepStrictEqual(
      { payload, topic, callId, statusCode, _msgid },
      { payload: null, topic: "kept", callId: "c-1", statusCode: 200, _msgid: "m1" },
    );
    strictEqual(completed.length, 1);
  });
});
