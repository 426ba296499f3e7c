import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { GOOD_PAYLOAD } from "../../interface/requests";
import { ACCEPTED, failureOf, flowWith, load, type Reply, withTenant } from "../../support/flow";

const REFUSED = { ...ACCEPTED, success: false, code: 1234, message: "No such number" };

interface Row {
  readonly title: string;
  readonly reply: () => Reply;
  readonly code: string;
  readonly phase?: string;
  readonly sent: "maybe" | "yes";
  /** `lost`: the outcome is unknown; a second attempt is harmless only for stopping a call. */
  readonly kind: "rejected" | "limited" | "lost" | "unreadable";
  readonly cause?: Readonly<Record<string, unknown>>;
}

const said = { serviceCode: 1234, serviceMessage: "No such number" };
const status =
  (httpStatus: number, body: unknown = "", headers = {}) =>
  () => ({ status: httpStatus, body, headers });

const ROWS: readonly Row[] = [
  {
    title: "401",
    reply: status(401, REFUSED),
    code: "ERR_AUTH",
    sent: "yes",
    kind: "rejected",
    cause: { httpStatus: 401, ...said },
  },
  {
    title: "403 without an envelope",
    reply: status(403),
    code: "ERR_AUTH",
    sent: "yes",
    kind: "rejected",
    cause: { httpStatus: 403 },
  },
  ...[400, 404, 409, 422].map(
    (code): Row => ({
      title: String(code),
      reply: status(code, REFUSED),
      code: "ERR_REJECTED",
      sent: "yes",
      kind: "rejected",
      cause: { httpStatus: code, ...said },
    }),
  ),
  {
    title: "200 that says no",
    reply: status(200, REFUSED),
    code: "ERR_REJECTED",
    sent: "yes",
    kind: "rejected",
    cause: { httpStatus: 200, ...said },
  },
  {
    title: "429",
    reply: status(429, REFUSED),
    code: "ERR_RATE_LIMITED",
    sent: "yes",
    kind: "limited",
    cause: { httpStatus: 429, ...said },
  },
  {
    title: "429 that says when",
    reply: status(429, REFUSED, { "retry-after": "7" }),
    code: "ERR_RATE_LIMITED",
    sent: "yes",
    kind: "limited",
    cause: { httpStatus: 429, ...said, retryAfterMs: 7000 },
  },
  ...["-1", "1.5", "soon", "1e9", "5, 6", "Infinity", "0x10"].map(
    (value): Row => ({
      title: `429 that says nonsense: ${value}`,
      reply: status(429, REFUSED, { "retry-after": value }),
      code: "ERR_RATE_LIMITED",
      sent: "yes",
      kind: "limited",
      cause: { httpStatus: 429, ...said },
    }),
  ),
  {
    title: "301 without a place to go",
    reply: status(301),
    code: "ERR_REDIRECT",
    sent: "yes",
    kind: "rejected",
    cause: { httpStatus: 301 },
  },
  ...[500, 503].map(
    (code): Row => ({
      title: String(code),
      reply: status(code, REFUSED),
      code: "ERR_SERVER",
      sent: "yes",
      kind: "lost",
      cause: { httpStatus: code, ...said },
    }),
  ),
  {
    title: "502 with a page",
    reply: status(502, "<html>Bad gateway</html>"),
    code: "ERR_SERVER",
    sent: "yes",
    kind: "lost",
    cause: { httpStatus: 502 },
  },
  {
    title: "a connection that ends before an answer",
    reply: () => (response) => response.destroy(),
    code: "ERR_CONNECTION_LOST",
    sent: "maybe",
    kind: "lost",
  },
  ...["", "<html>Hello</html>", "[]", "null", '"OK"', "{}", '{"data":null}', '{"success":"true"}', '{"success":1}'].map(
    (body): Row => ({
      title: `200 with ${body || "nothing"}`,
      reply: status(200, body),
      code: "ERR_BAD_RESPONSE",
      sent: "yes",
      kind: "unreadable",
      cause: { httpStatus: 200 },
    }),
  ),
  {
    title: "204",
    reply: status(204),
    code: "ERR_BAD_RESPONSE",
    sent: "yes",
    kind: "unreadable",
    cause: { httpStatus: 204 },
  },
  {
    title: "more than is read",
    reply: status(200, { ...ACCEPTED, data: "x".repeat(1024 * 1024) }),
    code: "ERR_RESPONSE_TOO_LARGE",
    phase: "body",
    sent: "yes",
    kind: "unreadable",
    cause: { httpStatus: 200 },
  },
];

/** Outcome, retryable and attempts (docs/contract.md#error-codes), for calls that must not ring twice and for call-stop. */
const VERDICTS: Record<
  string,
  Record<Row["kind"], readonly [outcome: string, retryable: boolean, attempts: number]>
> = {
  "call-out": {
    rejected: ["rejected", false, 1],
    limited: ["rejected", true, 1],
    lost: ["unknown", false, 1],
    unreadable: ["unknown", false, 1],
  },
  "call-stop": {
    rejected: ["rejected", false, 1],
    limited: ["rejected", true, 1],
    lost: ["unknown", true, 2],
    unreadable: ["unknown", true, 1],
  },
};

describe("failure of a call node", () => {
  const held = withTenant();

  for (const [type, verdicts] of Object.entries(VERDICTS)) {
    for (const { title, reply, code, phase, sent, kind, cause } of ROWS) {
      it(`${type}, answered with ${title}, is ${code}`, async () => {
        held.tenant.answers(reply);
        await load(flowWith(held.tenant.url, { type }));
        const error = await failureOf({ payload: GOOD_PAYLOAD[type] });
        const [outcome, retryable, attempts] = verdicts[kind];
        strictEqual(error.code, code);
        match(error.message, new RegExp(`^${code}: `));
        strictEqual("stack" in error, false);
        const { waitedMs: _, elapsedMs: __, sentAt, phase: struckIn, host: ___, sys: ____, ...rest } = error.cause;
        const request = held.tenant.received[0]?.body;
        deepStrictEqual(rest, { action: type, mode: "live", sent, outcome, retryable, attempts, request, ...cause });
        ok(phase === undefined || struckIn === phase, String(struckIn));
        match(String(sentAt), /^\d{4}-\d\d-\d\dT.*Z$/);
        strictEqual(held.tenant.received.length, attempts);
      });
    }
  }
});
