import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { Sandbox } from "../../../src/sandbox";
import { envelope } from "../../support/business-hours";
import { TOKEN } from "../../support/canary";
import { fail, flowOf, load, pass, withTenant } from "../../support/stage";

describe("requests of business-hour-create", () => {
  const held = withTenant();
  const lines = () => held.tenant.received.map(({ method, url }) => `${method} ${url}`);
  const only = (type: string, more: Record<string, unknown> = {}, tenant: Record<string, unknown> = {}) =>
    load(flowOf({ url: held.tenant.url, ...tenant }, { id: "n1", type, tenant: "t1", wires: [["out"]], ...more }));
  const days = [{ day: "mon", open: "08:00", close: "17:00" }];
  const created = { name: "Office", enable: true, updated_at: "x", created_at: "x", id: 9 };
  beforeEach(() => held.tenant.answers(() => ({ body: envelope(created) })));

  const entry = { day: "mon", open: "08:00", close: "17:00" };
  for (const [bad, field] of [
    [{ days }, "name"],
    [{ name: "x" }, "days"],
    [{ name: "x", days: [entry, entry, { ...entry, open: "08:00:30" }] }, "days[2].open"],
    [{ name: "x", days, enabled: "maybe" }, "enabled"],
  ] as const) {
    it(`refuses ${JSON.stringify(bad).slice(0, 90)}`, async () => {
      await only("business-hour-create");
      const { code, cause } = await fail({ payload: bad });
      deepStrictEqual([code, cause.field], ["ERR_INPUT", field]);
      strictEqual(cause.source, `msg.payload.${field}`);
      deepStrictEqual(lines(), []);
    });
  }

  it("in log mode answers its fields with id 0 and sends nothing", async () => {
    await only("business-hour-create", {}, { mode: "log" });
    const out = await pass({ payload: { name: "Office", days } });
    strictEqual(out.payload.id, 0);
    strictEqual(out.payload.name, "Office");
    strictEqual(out.payload.enable, true);
    strictEqual(out["telephony"].mode, "log");
    deepStrictEqual(lines(), []);
  });

  it("what was read can be created again unchanged", async () => {
    const sandbox = await Sandbox.start({ token: TOKEN });
    try {
      await load(
        flowOf(
          { url: sandbox.url },
          { id: "n1", type: "business-hour-get", tenant: "t1", wires: [["n2"]] },
          { id: "n2", type: "business-hour-create", tenant: "t1", wires: [["n3"]] },
          { id: "n3", type: "business-hour-get", tenant: "t1", wires: [["out"]] },
        ),
      );
      for (const id of [1, 2]) {
        const out = await pass({ payload: { id } });
        const before = sandbox.state.schedules.find(id);
        ok(before && out.payload.id !== id);
        deepStrictEqual(
          [out.payload.name, out.payload.enable, out.payload.days],
          [before.name, before.enable, before.days],
        );
      }
    } finally {
      await sandbox.stop();
    }
  });
});
