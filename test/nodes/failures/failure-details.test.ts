import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { GOOD_PAYLOAD } from "../../interface/requests";
import {
  ACCEPTED,
  failureOf,
  flowWith,
  load,
  type Message,
  play,
  TOKEN,
  tenantServer,
  withTenant,
} from "../../support/flow";

const REFUSED = { ...ACCEPTED, success: false, code: 1234, message: "No such number" };
const status =
  (httpStatus: number, body: unknown = "", headers = {}) =>
  () => ({ status: httpStatus, body, headers });

/** What a flow can rely on beyond code and outcome. */
describe("failed message", () => {
  const held = withTenant();

  it("reports a Retry-After date, too", async () => {
    const in20s = new Date(Date.now() + 20_000).toUTCString();
    held.tenant.answers(status(429, REFUSED, { "retry-after": in20s }));
    await load(flowWith(held.tenant.url, { type: "call-out" }));
    const { cause } = await failureOf({ payload: GOOD_PAYLOAD["call-out"] });
    const wait = Number(cause["retryAfterMs"]);
    ok(wait > 0 && wait <= 20_000, String(wait));
  });

  for (const code of [301, 302, 303, 307, 308]) {
    it(`follows no ${code}: the token stays home`, async () => {
      const elsewhere = await tenantServer();
      try {
        held.tenant.answers(status(code, "", { location: `${elsewhere.url}/api/v1/call/stop-a-call` }));
        await load(flowWith(held.tenant.url, { type: "call-stop" }));
        const error = await failureOf({ payload: { callId: "c" } });
        deepStrictEqual([error.code, error.cause.httpStatus, elsewhere.received.length], ["ERR_REDIRECT", code, 0]);
      } finally {
        await elsewhere.stop();
      }
    });
  }

  it("lets a message come through as it was, but for the error; the cause is frozen and plain JSON", async () => {
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
    const { catches, completions, outs } = await play(message);
    deepStrictEqual([outs.length, catches.length, completions.length], [0, 1, 0]);
    const { error, ...rest } = catches[0] as Message;
    deepStrictEqual(rest, before);
    deepStrictEqual(message, before);
    deepStrictEqual(JSON.parse(JSON.stringify(error.cause)), error.cause);
    ok(Object.isFrozen(error.cause) && Object.isFrozen(error.cause.request));
  });

  it("has a cause that reads well as text, without what a log must not show", async () => {
    held.tenant.answers(status(422, { ...REFUSED, message: "No such number: 0901234567" }));
    await load(flowWith(held.tenant.url, { type: "call-out" }));
    const { cause } = await failureOf({ payload: GOOD_PAYLOAD["call-out"] });
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
      const { code, message, cause } = await failureOf({ payload });
      deepStrictEqual([code, cause["outcome"]], ["ERR_REJECTED", "rejected"]);
      match(message, new RegExp(`errors\\.${key}$`));
    });
  }

  it("keeps the unknown outcome when a retry is refused", async () => {
    held.tenant.answers((_request, index) => (index === 0 ? { status: 500 } : { status: 404, body: REFUSED }));
    await load(flowWith(held.tenant.url, { type: "call-stop" }));
    const { code, message, cause } = await failureOf({ payload: { callId: "c" } });
    deepStrictEqual([code, cause.outcome, cause.attempts], ["ERR_REJECTED", "unknown", 2]);
    // The last try did nothing; it is the one before that may have.
    match(message, /repetitionRefused.*earlierTry$/);
  });

  it("does not report a failed first attempt when the second succeeded", async () => {
    held.tenant.answers((_request, index) => (index === 0 ? { status: 500 } : {}));
    await load(flowWith(held.tenant.url, { type: "call-stop" }));
    const { outs } = await play({ payload: { callId: "c" } });
    strictEqual(outs[0]?.["telephony"].attempts, 2);
  });

  it("shows no token that the service echoes", async () => {
    const base64 = Buffer.from(TOKEN).toString("base64");
    const echo = `no ${TOKEN} ${encodeURIComponent(TOKEN)} ${JSON.stringify(TOKEN)} ${base64}`;
    held.tenant.answers(status(400, { ...REFUSED, message: echo, code: `code ${TOKEN}` }));
    await load(flowWith(held.tenant.url, { type: "call-out" }));
    const { cause } = await failureOf({ payload: GOOD_PAYLOAD["call-out"] });
    deepStrictEqual(
      [cause["serviceMessage"], cause["serviceCode"]],
      ['no [token] [token] "[token]" [token]', "code [token]"],
    );
  });

  const PARTY_BODIES: readonly unknown[] = [
    { ...REFUSED, message: "The to.type field is required." },
    { message: "The given data was invalid.", errors: { "from.number": ["The from.number field is required."] } },
  ];
  for (const [index, body] of PARTY_BODIES.entries()) {
    const partyFields = ["dotted", "nested"][index];
    it(`mentions the setting partyFields, ${partyFields}, when a refusal names a party field: ${JSON.stringify(body).slice(0, 40)}`, async () => {
      held.tenant.answers(status(422, body));
      await load(flowWith(held.tenant.url, { type: "call-out" }, { partyFields }));
      match((await failureOf({ payload: GOOD_PAYLOAD["call-out"] })).message, /rejectedParty$/);
    });
  }
});
