import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { envelope, hour, LIST, serving } from "../../support/business-hours";
import { fail, flowOf, load, pass, withTenant } from "../../support/stage";

describe("requests of business-hour-get and -delete", () => {
  const held = withTenant();
  const lines = () => held.tenant.received.map(({ method, url }) => `${method} ${url}`);
  const only = (type: string, more: Record<string, unknown> = {}) =>
    load(flowOf({ url: held.tenant.url }, { id: "n1", type, tenant: "t1", wires: [["out"]], ...more }));

  for (const [type, method] of [
    ["business-hour-get", "GET"],
    ["business-hour-delete", "DELETE"],
  ] as const) {
    for (const bad of ["", null, "1/../2"]) {
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
});
