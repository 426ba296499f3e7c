import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { GOOD_PAYLOAD } from "../../interface/requests";
import { ACCEPTED } from "../../support/live-tenant";
import { fail, flowWith, load, withTenant } from "../../support/stage";

const REFUSED = { ...ACCEPTED, success: false, code: 1234, message: "No such number" };
const said = { serviceCode: 1234, serviceMessage: "No such number" };

/** For a call that must not ring twice, and one that may be repeated; test/unit/client/classify.test.ts has every answer. */
const CASES = [
  {
    type: "call-out",
    reply: { status: 429, body: REFUSED, headers: { "retry-after": "7" } },
    code: "ERR_RATE_LIMITED",
    cause: { outcome: "rejected", retryable: true, attempts: 1, httpStatus: 429, ...said, retryAfterMs: 7000 },
  },
  {
    type: "call-stop",
    reply: { status: 503, body: REFUSED },
    code: "ERR_SERVER",
    cause: { outcome: "unknown", retryable: true, attempts: 2, httpStatus: 503, ...said },
  },
];

describe("failure of a call node", () => {
  const held = withTenant();

  for (const { type, reply, code, cause } of CASES) {
    it(`${type}, answered with ${reply.status}, has all of its cause and nothing else`, async () => {
      held.tenant.answers(() => reply);
      await load(flowWith(held.tenant.url, { type }));
      const error = await fail({ payload: GOOD_PAYLOAD[type] });
      strictEqual(error.code, code);
      match(error.message, new RegExp(`^${code}: `));
      strictEqual("stack" in error, false);
      const { waitedMs: _, elapsedMs: __, sentAt, phase: ___, host: ____, sys: _____, ...rest } = error.cause;
      const request = held.tenant.received[0]?.body;
      deepStrictEqual(rest, { action: type, mode: "live", sent: "yes", request, ...cause });
      match(String(sentAt), /^\d{4}-\d\d-\d\dT.*Z$/);
      strictEqual(held.tenant.received.length, cause.attempts);
    });
  }
});
