import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { envelope, LIST, pageOf } from "../../support/business-hours";
import type { Received, Reply } from "../../support/live-tenant";
import { fail, flowOf, load, type Message, pass, play, redeploy, seen, withTenant } from "../../support/stage";

/** As the service's interface writes a call-out, and as a tenant reads it that takes the dots as a path. */
const PAYLOAD = { from: { number: "1900" }, to: { number: "0000000000" }, answer_url: "https://example.com/a" };
const DOTTED = {
  "from.type": "internal",
  "from.number": "1900",
  "to.type": "external",
  "to.number": "0000000000",
  answer_url: PAYLOAD.answer_url,
};
const NESTED = {
  from: { type: "internal", number: "1900" },
  to: { type: "external", number: "0000000000" },
  answer_url: PAYLOAD.answer_url,
};

const refused = (message: string, status = 422): Reply => ({
  status,
  body: { success: false, code: status, locale: "en", message, data: null },
});
const accepted: Reply = { body: envelope(null) };

/** Validates as Laravel does: the dots of a rule are a path. */
const readsPaths = ({ url, body }: Received): Reply => {
  const { from, to } = body as { from?: unknown; to?: unknown };
  return (from && to) || url.endsWith("/stop-a-call")
    ? accepted
    : refused("The from.number field is required. (and 2 more errors)");
};
const wantsDigits = ({ url }: Received): Reply =>
  /[?&]asc=(true|false)/.test(url)
    ? refused("The asc field must be true or false.", 400)
    : { body: envelope(pageOf([], 1, 20)) };

describe("a tenant whose party format is found out", () => {
  const held = withTenant();

  const flow = (tenant: Record<string, unknown> = {}) =>
    flowOf(
      { url: held.tenant.url, ...tenant },
      { id: "n1", type: "call-out", tenant: "t1", wires: [["out"]] },
      { id: "list", type: "business-hour-list", tenant: "t1", wires: [["out"]] },
      { id: "stop", type: "call-stop", tenant: "t1", wires: [["out"]] },
    );
  const call = () => pass({ payload: structuredClone(PAYLOAD) });
  const bodies = () => held.tenant.received.map(({ body }) => body);
  const attempts = ({ telephony }: Message) => telephony.attempts;

  it("reads the dots as a path: asked once more, then always right, and after a deploy", async () => {
    held.tenant.answers(readsPaths);
    await load(flow());
    const { telephony } = await call();
    deepStrictEqual([telephony.attempts, telephony.request], [2, NESTED]);
    strictEqual(attempts(await call()), 1);
    await redeploy(flow({ timeout: 20 }));
    strictEqual(attempts(await call()), 1);
    deepStrictEqual(bodies(), [DOTTED, NESTED, NESTED, NESTED]);
  });

  it("is known to messages that were waiting meanwhile, as their flow sent them", async () => {
    held.tenant.answers(readsPaths);
    await load(flow({ concurrency: 1 }));
    const first = { payload: structuredClone(PAYLOAD) };
    const second = { payload: structuredClone(PAYLOAD) };
    const both = play(first, second);
    second.payload.to.number = "changed later";
    await both;
    deepStrictEqual(bodies(), [DOTTED, NESTED, NESTED]);
  });

  it("refuses a number in either format: the refusal that is about the number, and nothing is remembered", async () => {
    held.tenant.answers(({ body }) =>
      Object.hasOwn(body as object, "to.number")
        ? refused("The to.number field is no phone number.")
        : refused("The to.type field is required. The to.number field is required."),
    );
    await load(flow());
    const { message, cause } = await fail({ payload: PAYLOAD });
    match(message, /ERR_REJECTED/);
    deepStrictEqual(cause.request, DOTTED);
    match(cause.serviceMessage, /no phone number/);
    deepStrictEqual([cause.attempts, cause.outcome, cause.retryable], [2, "rejected", false]);
    await fail({ payload: PAYLOAD });
    strictEqual(held.tenant.received.length, 4);
  });

  it("reads paths and refuses the number: the refusal of the nested request", async () => {
    held.tenant.answers(({ body }) =>
      (body as { to?: unknown }).to
        ? refused("The to.number field is no phone number.")
        : refused("The to.type field is required. The to.number field is required."),
    );
    await load(flow());
    const { cause } = await fail({ payload: PAYLOAD });
    deepStrictEqual(cause.request, NESTED);
    match(cause.serviceMessage, /no phone number/);
  });

  for (const [what, reply] of [
    ["does not name a party", refused("There is no credit left.")],
    ["has another status", refused("The to.type field is required.", 404)],
    ["is a success without success", { body: { ...envelope(null), success: false, message: "to.type" } }],
    ["is lost", ((response) => void response.destroy()) as Reply],
  ] as const)
    it(`is asked only once if the refusal ${what}`, async () => {
      held.tenant.answers(() => reply);
      await load(flow());
      strictEqual((await fail({ payload: PAYLOAD })).cause.attempts, 1);
      deepStrictEqual(bodies(), [DOTTED]);
    });

  it("is not asked again once a format has worked: then the value is wrong", async () => {
    await load(flow());
    await call();
    held.tenant.answers(() => refused("The to.number field is no phone number."));
    strictEqual((await fail({ payload: PAYLOAD })).cause.attempts, 1);
  });

  for (const [partyFields, body] of [
    ["dotted", DOTTED],
    ["nested", NESTED],
  ] as const)
    it(`is asked only once if its format is fixed: ${partyFields}`, async () => {
      held.tenant.answers(() => refused("The to.type field is required."));
      await load(flow({ partyFields }));
      strictEqual((await fail({ payload: PAYLOAD })).cause.attempts, 1);
      deepStrictEqual(bodies(), [body]);
    });

  it("loses the second request: the call may exist, and is not repeated", async () => {
    held.tenant.answers((request, index) =>
      index === 0 ? readsPaths(request) : (response) => void response.destroy(),
    );
    await load(flow());
    const { code, cause } = await fail({ payload: PAYLOAD });
    deepStrictEqual([code, cause.outcome, cause.attempts], ["ERR_CONNECTION_LOST", "unknown", 2]);
    deepStrictEqual(cause.request, NESTED);
    strictEqual(held.tenant.received.length, 2);
  });

  it("takes a boolean of a query as a digit", async () => {
    held.tenant.answers(wantsDigits);
    await load(flow());
    const first = await pass({ payload: { asc: false } }, "list");
    deepStrictEqual([first.telephony.attempts, first.telephony.request], [2, { asc: 0 }]);
    strictEqual(attempts(await pass({ payload: { asc: true } }, "list")), 1);
    deepStrictEqual(
      held.tenant.received.map(({ url }) => url),
      [`${LIST}?asc=false`, `${LIST}?asc=0`, `${LIST}?asc=1`],
    );
  });

  it("keeps its two formats apart", async () => {
    held.tenant.answers((request) => (request.method === "GET" ? wantsDigits(request) : readsPaths(request)));
    await load(flow());
    strictEqual(attempts(await pass({ payload: { callId: "c1" } }, "stop")), 1);
    strictEqual(attempts(await call()), 2);
    strictEqual(attempts(await pass({ payload: { asc: true } }, "list")), 2);
    strictEqual(attempts(await call()), 1);
    strictEqual(attempts(await pass({ payload: { asc: true } }, "list")), 1);
    strictEqual(seen.caught.length, 0);
  });
});

describe("a sandbox that plays a tenant of either taste", () => {
  withTenant();

  const flow = (tenant: Record<string, unknown>) =>
    flowOf(
      { mode: "sandbox", ...tenant },
      { id: "n1", type: "call-out", tenant: "t1", wires: [["out"]] },
      { id: "list", type: "business-hour-list", tenant: "t1", wires: [["out"]] },
    );
  const attemptsWith = async () => [
    (await pass({ payload: PAYLOAD })).telephony.attempts,
    (await pass({ payload: { asc: false } }, "list")).telephony.attempts,
  ];

  it("accepts every style, only dots and words, or only paths and digits", async () => {
    await load(flow({}));
    deepStrictEqual(await attemptsWith(), [1, 1]);
    await redeploy(flow({ sandboxParties: "nested", sandboxBooleans: "digits" }));
    deepStrictEqual(await attemptsWith(), [2, 2]);
    deepStrictEqual(await attemptsWith(), [1, 1]);
    await redeploy(flow({ sandboxParties: "dotted", sandboxBooleans: "words" }));
    deepStrictEqual(await attemptsWith(), [1, 1]);
    await redeploy(flow({ partyFields: "nested", sandboxParties: "dotted" }));
    match((await fail({ payload: PAYLOAD })).cause.serviceMessage, /^The from\.type field is required\. /);
  });
});
