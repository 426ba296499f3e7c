import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { ACCEPTED, withTenant } from "../nodes/flow";
import { callOut, control, dialledIn } from "./calls";
import { clear, envelope, flowOf, give, load, pageOf, pass, queryOf, seen, settle, until } from "./stage";

describe('a tenant with onTrouble "wait" in a flow', () => {
  const held = withTenant();
  beforeEach(clear);
  const all = (tenant: Record<string, unknown> = {}) =>
    flowOf({ url: held.tenant.url, ...tenant }, callOut(), control());
  const command = async (payload: unknown) => (await pass({ payload }, "k1")).payload;
  const dialled = () => dialledIn(held.tenant.received);
  const probes = () => held.tenant.received.filter(({ method }) => method === "GET");

  it("holds what waits after a 429, asks once the tenant said so, and goes on", async () => {
    let calls = 0;
    held.tenant.answers(({ method }) => {
      if (method === "GET") return { body: envelope(pageOf([], 1, 1)) };
      calls += 1;
      return calls === 1 ? { status: 429, body: {}, headers: { "retry-after": "2" } } : { body: ACCEPTED };
    });
    await load(all({ concurrency: 1, onTrouble: "wait" }));
    for (let index = 0; index < 4; index += 1) give({ payload: String(index) });
    await until(() => seen.caught.length === 1, "the message that met the trouble failed");
    const { code, cause } = seen.caught[0]?.["error"] ?? {};
    deepStrictEqual(
      [code, cause.outcome, cause.retryable, cause.retryAfterMs],
      ["ERR_RATE_LIMITED", "rejected", true, 2000],
    );
    await settle(300);
    deepStrictEqual([held.tenant.received.length, (await command("count")).waiting.callOut], [1, 3]);
    await until(() => dialled().length === 4, "the rest went out", 5000);
    deepStrictEqual(
      probes().map(({ url }) => url),
      ["/api/v1/setting/business-hour?limit=1"],
    );
    strictEqual(
      held.tenant.received.findIndex(({ method }) => method === "GET"),
      1,
      "asked before anything else went out",
    );
    deepStrictEqual(probes().map(queryOf), [{ limit: "1" }]);
  });

  it("holds after three refused tokens in a row, until the probe is no 401", async () => {
    let refusing = true;
    held.tenant.answers(() => (refusing ? { status: 401, body: {} } : { body: ACCEPTED }));
    await load(all({ concurrency: 1, onTrouble: "wait" }));
    for (let index = 0; index < 6; index += 1) give({ payload: String(index) });
    await until(() => probes().length >= 1, "the tenant was asked");
    await settle(50);
    deepStrictEqual([seen.caught.length, dialled().length], [3, 3]);
    refusing = false;
    await until(() => dialled().length === 6, "the rest went out", 8000);
    strictEqual(seen.caught.length, 3);
  });

  it("is not the default", async () => {
    held.tenant.answers(() => ({ status: 401, body: {} }));
    await load(all({ concurrency: 1 }));
    for (let index = 0; index < 6; index += 1) give({ payload: String(index) });
    await until(() => seen.caught.length === 6, "each failed");
    strictEqual(probes().length, 0);
  });
});
