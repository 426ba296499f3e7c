import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { envelope, hour, LIST, pageOf, serving } from "../../support/business-hours";
import { TOKEN } from "../../support/canary";
import { fail, flowOf, load, pass, withTenant } from "../../support/stage";

describe("requests of business-hour-list", () => {
  const held = withTenant();
  const lines = () => held.tenant.received.map(({ method, url }) => `${method} ${url}`);
  const only = (type: string, more: Record<string, unknown> = {}) =>
    load(flowOf({ url: held.tenant.url }, { id: "n1", type, tenant: "t1", wires: [["out"]], ...more }));
  beforeEach(() => held.tenant.answers(serving(() => [hour(1, "Office")])));

  it("sends no query when nothing is given", async () => {
    await only("business-hour-list");
    const out = await pass({ payload: "not an object" });
    deepStrictEqual(lines(), [`GET ${LIST}`]);
    strictEqual(held.tenant.received[0]?.headers["accept"], "application/json");
    strictEqual(held.tenant.received[0]?.headers["authentication"], `Bearer ${TOKEN}`);
    strictEqual(held.tenant.received[0]?.body, undefined);
    deepStrictEqual(out.payload, pageOf([hour(1, "Office")], 1, 20), "the paged list as received");
    deepStrictEqual(out["envelope"], envelope(out.payload));
    strictEqual(out["statusCode"], 200);
    const { action, mode, request, attempts } = out["telephony"];
    deepStrictEqual(
      { action, mode, request, attempts },
      { action: "business-hour-list", mode: "live", request: {}, attempts: 1 },
    );
  });

  it("refuses what the interface does not take, and sends nothing", async () => {
    await only("business-hour-list");
    for (const [field, value] of Object.entries({ limit: 0, page: 1.5, asc: "perhaps", search: { a: 1 } })) {
      const { code, cause } = await fail({ payload: { [field]: value } });
      deepStrictEqual([code, cause.field, cause.source], ["ERR_INPUT", field, `msg.payload.${field}`]);
    }
    deepStrictEqual(lines(), []);
  });

  it("refuses an output that there is not", async () => {
    await only("business-hour-list", { output: "every" });
    const { code, cause } = await fail({});
    deepStrictEqual([code, cause.field], ["ERR_CONFIG", "output"]);
  });
});
