import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { putClockAhead } from "../../support/clocks";
import { withTenant } from "../../support/flow";
import { clear, envelope, fail, flowOf, give, load, pass, seen, settle, until } from "../../support/stage";
import { CONTROL, callAlike as callOut } from "../schedules/requests";

describe("notAfter of the nodes that act", () => {
  const held = withTenant();
  beforeEach(clear);
  const flow = (...nodes: Record<string, unknown>[]) => flowOf({ url: held.tenant.url }, ...nodes);
  const count = () => held.tenant.received.length;
  const until1 = { notAfter: "until", notAfterType: "msg" };
  const hour = 3_600_000;

  for (const [what, make] of [
    ["epoch milliseconds", (at: number) => at],
    ["a Date", (at: number) => new Date(at)],
    ["ISO 8601 in UTC", (at: number) => new Date(at).toISOString()],
    ["ISO 8601 with an offset", (at: number) => new Date(at + 7 * hour).toISOString().replace("Z", "+07:00")],
  ] as const) {
    it(`is ${what}`, async () => {
      await load(flow(callOut(until1)));
      await pass({ until: make(Date.now() + hour) });
      strictEqual(count(), 1);
      const { code, cause } = await fail({ until: make(Date.now() - 1) });
      deepStrictEqual(
        [code, cause.outcome, cause.retryable, cause.sent, cause.attempts, cause.phase],
        ["ERR_EXPIRED", "not-applied", false, "no", 0, "queue"],
      );
      strictEqual(count(), 1);
    });
  }

  it("that is not given holds no message back", async () => {
    await load(flow(callOut(until1)));
    for (const until of [undefined, null, ""]) await pass({ until });
    strictEqual(count(), 3);
  });

  it("is off by default", async () => {
    await load(flow(callOut({ notAfter: "", notAfterType: "str" })));
    await pass({ payload: { notAfter: 1 }, notAfter: 1 });
    strictEqual(count(), 1);
  });

  for (const bad of ["soon", "2026-11-23", true, {}]) {
    it(`${JSON.stringify(bad)} is ERR_INPUT`, async () => {
      await load(flow(callOut(until1)));
      const { code, cause } = await fail({ until: bad });
      deepStrictEqual([code, cause.field, cause.source], ["ERR_INPUT", "notAfter", "msg.until"]);
      strictEqual(count(), 0);
    });
  }

  it("takes msg.businessHour.closesAt", async () => {
    await load(flow(callOut({ notAfter: "businessHour.closesAt", notAfterType: "msg" })));
    strictEqual((await fail({ businessHour: { closesAt: "2020-01-01T17:30:00+07:00" } })).code, "ERR_EXPIRED");
    await pass({ businessHour: { closesAt: null } });
    strictEqual(count(), 1);
  });

  it("is checked when the job starts, also after waiting in a paused lane", async () => {
    await load(flow(callOut(until1), CONTROL));
    give({ payload: "pause" }, "k1");
    await settle(20);
    give({ until: Date.now() + hour });
    give({ until: Date.now() + 3 * hour });
    await settle(200);
    strictEqual(seen.caught.length, 0);
    putClockAhead(2 * hour);
    give({ payload: "resume" }, "k1");
    await until(() => seen.caught.length + seen.out.length === 2, "both ended");
    strictEqual(seen.caught[0]?.["error"].code, "ERR_EXPIRED");
    ok(seen.caught[0]?.["error"].cause.waitedMs >= 150);
    strictEqual(count(), 1);
  });

  it("is checked before a repeated attempt", async () => {
    held.tenant.answers(() => {
      putClockAhead(2 * hour);
      return { status: 503, body: {} };
    });
    await load(flow({ id: "n1", type: "call-stop", tenant: "t1", ...until1, wires: [["out"]] }));
    const { code, cause } = await fail({ payload: { callId: "c" }, until: Date.now() + hour });
    deepStrictEqual([code, cause.outcome, count()], ["ERR_EXPIRED", "unknown", 1]);
  });

  it("three thousand that expired in a paused lane fail, and the next one goes out", async () => {
    await load(flow(callOut(until1), CONTROL));
    give({ payload: "pause" }, "k1");
    await settle(20);
    for (let index = 0; index < 2999; index += 1) give({ until: Date.now() + 1 });
    give({ until: Date.now() + hour });
    await settle(100);
    give({ payload: "resume" }, "k1");
    await until(() => seen.caught.length === 2999 && seen.out.length === 1, "all ended");
    strictEqual(count(), 1);
  });

  for (const [type, payload] of [
    ["call-stop", { callId: "c" }],
    ["call-transfer", { callId: "c", to: { type: "internal", number: "1" } }],
    ["call-add-user", { callId: "c", to: { type: "internal", number: "1" } }],
    ["business-hour-create", { name: "x", days: [{ day: "mon", open: "8:00", close: "9:00" }] }],
  ] as const) {
    it(`${type} has it`, async () => {
      await load(flow({ id: "n1", type, tenant: "t1", ...until1, wires: [["out"]] }));
      strictEqual((await fail({ payload, until: 1 })).code, "ERR_EXPIRED");
      strictEqual(count(), 0);
    });
  }

  for (const type of ["business-hour-get", "business-hour-delete", "business-hour-list"]) {
    it(`${type} has none`, async () => {
      held.tenant.answers(() => ({ body: envelope(null) }));
      await load(flow({ id: "n1", type, tenant: "t1", ...until1, wires: [["out"]] }));
      await pass({ payload: { id: 1 }, until: 1 });
      strictEqual(count(), 1);
    });
  }
});
