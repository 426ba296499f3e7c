import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { ACCEPTED, withTenant } from "../../support/flow";
import { clear, envelope, flowOf, give, load, pageOf, pass, queryOf, seen, settle, until } from "../../support/stage";
import { callOut, control, dialledIn } from "../schedules/requests";

describe('a tenant with onTrouble "wait" in a flow', () => {
  const held = withTenant();
  beforeEach(clear);
  const all = (tenant: Record<string, unknown> = {}) =>
    flowOf({ url: held.tenant.url, ...tenant }, callOut(), control());
  const command = async (payload: unknown) => (await pass({ payload }, "k1")).payload;
  const dialled = () => dialledIn(held.tenant.received);
  const probes = () => held.tenant.received.filter(({ method }) => method === "GET");

  it("holds the waiting messages after a 429, probes after its Retry-After, and resumes", async () => {
    let calls = 0;
    let refusedAt = 0;
    let askedAt = 0;
    let answer: () => void = () => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    held.tenant.answers(async ({ method }) => {
      if (method === "GET") {
        askedAt ||= performance.now();
        await answered;
        return { body: envelope(pageOf([], 1, 1)) };
      }
      calls += 1;
      if (calls > 1) return { body: ACCEPTED };
      refusedAt = performance.now();
      return { status: 429, body: {}, headers: { "retry-after": "2" } };
    });
    await load(all({ concurrency: 1, onTrouble: "wait" }));
    for (let index = 0; index < 4; index += 1) give({ payload: String(index) });
    await until(() => seen.caught.length === 1, "the message that opened the circuit failed");
    const { code, cause } = seen.caught[0]?.["error"] ?? {};
    deepStrictEqual(
      [code, cause.outcome, cause.retryable, cause.retryAfterMs],
      ["ERR_RATE_LIMITED", "rejected", true, 2000],
    );
    await until(() => askedAt > 0, "the tenant was asked");
    await settle(50);
    deepStrictEqual([dialled().length, (await command("count")).waiting.callOut], [1, 3]);
    answer();
    await until(() => dialled().length === 4, "the rest went out");
    // Timers count in whole milliseconds.
    ok(askedAt - refusedAt >= 1999, `asked after ${askedAt - refusedAt} ms`);
    deepStrictEqual(
      probes().map(({ url }) => url),
      ["/api/v1/setting/business-hour?limit=1"],
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
    await until(() => dialled().length === 6, "the rest went out");
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
