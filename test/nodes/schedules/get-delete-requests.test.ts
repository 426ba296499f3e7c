import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { withTenant } from "../../support/flow";
import { envelope, fail, flowOf, hour, LIST, load, pass, refusal, serving } from "../../support/stage";

describe("requests of business-hour-get and -delete", () => {
  const held = withTenant();
  const lines = () => held.tenant.received.map(({ method, url }) => `${method} ${url}`);
  const only = (type: string, more: Record<string, unknown> = {}) =>
    load(flowOf({ url: held.tenant.url }, { id: "n1", type, tenant: "t1", wires: [["out"]], ...more }));

  for (const [type, method] of [
    ["business-hour-get", "GET"],
    ["business-hour-delete", "DELETE"],
  ] as const) {
    for (const [given, sent] of [
      [7, "7"],
      ["7", "7"],
      [" 0042 ", "0042"],
      ["123456789012345678", "123456789012345678"],
    ] as const) {
      it(`${type} takes the id ${JSON.stringify(given)}`, async () => {
        held.tenant.answers(() => ({ body: envelope(null, { code: 0 }) }));
        await only(type);
        const out = await pass({ payload: { id: given } });
        deepStrictEqual(lines(), [`${method} ${LIST}/${sent}`]);
        strictEqual(held.tenant.received[0]?.body, undefined);
        deepStrictEqual(out["telephony"].request, { id: sent });
        strictEqual("callId" in out, false);
      });
    }

    for (const bad of [
      "",
      null,
      "abc",
      "1/2",
      "../1",
      "..",
      "%2e",
      "1/../2",
      "1?x=1",
      "-1",
      "1.5",
      "١٢",
      "1234567890123456789",
      1e21,
      1.5,
      -1,
      true,
      {},
      [1],
      "1\n2",
    ]) {
      it(`${type} sends nothing for the id ${JSON.stringify(bad)}`, async () => {
        await only(type);
        const { code, cause } = await fail({ payload: { id: bad } });
        strictEqual(code, "ERR_INPUT");
        deepStrictEqual([cause.field, cause.outcome, cause.sent, cause.retryable], ["id", "not-applied", "no", false]);
        deepStrictEqual(lines(), []);
      });
    }

    it(`${type} reads its own property scheduleId`, async () => {
      held.tenant.answers(() => ({ body: envelope(null) }));
      await only(type, { scheduleId: "12", scheduleIdType: "num" });
      await pass({ payload: { id: 7 } });
      deepStrictEqual(lines(), [`${method} ${LIST}/12`]);
    });
  }

  it("gives the business hour as received", async () => {
    held.tenant.answers(serving(() => [hour(7, "Office")]));
    await only("business-hour-get", { target: "schedule" });
    const out = await pass({ payload: { id: 7 } });
    deepStrictEqual(out["schedule"], hour(7, "Office"));
    deepStrictEqual(out.payload, { id: 7 });
  });

  it("reports a 404 as rejected", async () => {
    held.tenant.answers(serving(() => []));
    await only("business-hour-get");
    const { code, cause } = await fail({ payload: { id: 7 } });
    deepStrictEqual(
      [code, cause.outcome, cause.retryable, cause.httpStatus, cause.serviceMessage],
      ["ERR_REJECTED", "rejected", false, 404, "Not found"],
    );
  });

  it("a 404 on the first DELETE is a refusal", async () => {
    held.tenant.answers(() => ({ status: 404, body: refusal("Not found") }));
    await only("business-hour-delete");
    strictEqual((await fail({ payload: { id: 7 } })).code, "ERR_REJECTED");
    strictEqual(held.tenant.received.length, 1);
  });

  for (const [what, loss] of [
    ["a lost answer", (response: ServerResponse) => response.destroy()],
    ["a 503", { status: 503, body: refusal("busy") }],
  ] as const) {
    it(`a 404 on a DELETE repeated after ${what} is a success`, async () => {
      const gone = refusal("Not found");
      held.tenant.answers((_request, index) => (index === 0 ? loss : { status: 404, body: gone }));
      await only("business-hour-delete");
      const out = await pass({ payload: { id: 7 } });
      strictEqual(out.payload, null);
      strictEqual(out["statusCode"], 404);
      deepStrictEqual(out["envelope"], gone);
      strictEqual(out["telephony"].attempts, 2);
      strictEqual(held.tenant.received.length, 2);
    });
  }

  it("repeats a DELETE twice at most", async () => {
    held.tenant.answers(() => ({ status: 500, body: refusal("down") }));
    await only("business-hour-delete");
    const { code, cause } = await fail({ payload: { id: 7 } });
    deepStrictEqual([code, cause.outcome, cause.retryable, cause.attempts], ["ERR_SERVER", "unknown", true, 3]);
    strictEqual(held.tenant.received.length, 3);
  });
});
