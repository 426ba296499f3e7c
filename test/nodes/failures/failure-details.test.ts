import { deepStrictEqual, match, ok } from "node:assert/strict";
import { GOOD_PAYLOAD } from "../../interface/requests";
import { ACCEPTED } from "../../support/live-tenant";
import { fail, flowWith, load, type Message, play, withTenant } from "../../support/stage";

const REFUSED = { ...ACCEPTED, success: false, code: 1234, message: "No such number" };
const status =
  (httpStatus: number, body: unknown = "", headers = {}) =>
  () => ({ status: httpStatus, body, headers });

/** The promises to a flow beyond code and outcome. */
describe("failed message", () => {
  const held = withTenant();

  it("says all of a message beyond the backlog, at once, and does not affect the others", async () => {
    const release = held.tenant.hold();
    await load(flowWith(held.tenant.url, { type: "call-out" }, { concurrency: "1", backlog: "1" }));
    const payload = GOOD_PAYLOAD["call-out"];
    const played = play(...["a", "b", "c"].map((_msgid) => ({ _msgid, payload })));
    release();
    const { out, caught } = await played;
    const [failed] = caught;
    deepStrictEqual([out.map(({ _msgid }) => _msgid), failed?._msgid], [["a", "b"], "c"]);
    const { waitedMs: _, elapsedMs: __, request, ...cause } = failed?.["error"].cause ?? {};
    const unsent = { sent: "no", outcome: "not-applied", retryable: true, attempts: 0, phase: "queue" };
    deepStrictEqual(cause, { action: "call-out", mode: "live", ...unsent });
    deepStrictEqual([failed?.["error"].code, request["to.number"]], ["ERR_BACKLOG_FULL", "u8"]);
    deepStrictEqual(held.tenant.received.length, 2);
  });

  it("lets a message come through as it was, but for the error and its row; the cause is frozen and plain JSON", async () => {
    held.tenant.answers(status(422, REFUSED));
    await load(flowWith(held.tenant.url, { type: "call-stop" }));
    const message = {
      _msgid: "m1",
      payload: { callId: "c-1", more: [1, { a: null }] },
      topic: "kept",
      callId: "c-0",
      statusCode: 1,
    };
    const before = structuredClone(message);
    const { caught, completed, out } = await play(message);
    deepStrictEqual([out.length, caught.length, completed.length], [0, 1, 0]);
    const { error, telephony, ...rest } = caught[0] as Message;
    deepStrictEqual([rest, Object.keys(telephony)], [before, ["row"]]);
    deepStrictEqual(JSON.parse(JSON.stringify(error.cause)), error.cause);
    ok(Object.isFrozen(error.cause) && Object.isFrozen(error.cause.request));
  });

  it("has a cause that reads well as text, without what a log must not show", async () => {
    held.tenant.answers(status(422, { ...REFUSED, message: "No such number: 0901234567" }));
    await load(flowWith(held.tenant.url, { type: "call-out" }));
    const { cause } = await fail({ payload: GOOD_PAYLOAD["call-out"] });
    match(
      `${cause}`,
      /^outcome: rejected, retryable: false, sent: yes, phase: parse, .*action: call-out, mode: live, attempts: 1, .*httpStatus: 422, serviceCode: 1234, serviceMessage: No such number: •••••••567, sentAt: 2/,
    );
    ok(cause.request);
    deepStrictEqual(Object.keys(cause).includes("toString"), false);
  });

  for (const [type, payload, body, key] of [
    ["call-stop", { callId: "c" }, REFUSED, "noSuchCall"],
    ["business-hour-get", { id: 7 }, REFUSED, "noSuchSchedule"],
    ["call-out", GOOD_PAYLOAD["call-out"], REFUSED, "ERR_REJECTED"],
    ["business-hour-list", {}, REFUSED, "ERR_REJECTED"],
    ["call-stop", { callId: "c" }, { message: "Not found" }, "notService"],
  ] as const) {
    it(`says after a 404 to ${type} with ${JSON.stringify(body)}: ${key}`, async () => {
      held.tenant.answers(status(404, body));
      await load(flowWith(held.tenant.url, { type }));
      const { code, message, cause } = await fail({ payload });
      deepStrictEqual([code, cause["outcome"]], ["ERR_REJECTED", "rejected"]);
      match(message, new RegExp(`errors\\.${key}$`));
    });
  }

  it("keeps the unknown outcome when a retry is refused", async () => {
    held.tenant.answers((_request, index) => (index === 0 ? { status: 500 } : { status: 404, body: REFUSED }));
    await load(flowWith(held.tenant.url, { type: "call-stop" }));
    const { code, message, cause } = await fail({ payload: { callId: "c" } });
    deepStrictEqual([code, cause.outcome, cause.attempts], ["ERR_REJECTED", "unknown", 2]);
    // The last try did nothing; it is the one before that may have.
    match(message, /repetitionRefused.*earlierTry$/);
  });
});
