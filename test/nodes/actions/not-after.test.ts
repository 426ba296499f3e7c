import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { envelope } from "../../support/business-hours";
import { fail, flowOf, load, pass, withTenant } from "../../support/stage";
import { callAlike as callOut } from "../schedules/requests";

describe("notAfter of the nodes that act", () => {
  const held = withTenant();
  const flow = (...nodes: Record<string, unknown>[]) => flowOf({ url: held.tenant.url }, ...nodes);
  const count = () => held.tenant.received.length;
  const until1 = { notAfter: "until", notAfterType: "msg" };
  const hour = 3_600_000;

  /** test/unit/fields/instants.test.ts has every form of an instant. */
  it("ends a message that comes too late, and refuses what is no instant", async () => {
    await load(flow(callOut(until1)));
    await pass({ until: new Date(Date.now() + hour) });
    const { code, cause } = await fail({ until: Date.now() - 1 });
    deepStrictEqual(
      [code, cause.outcome, cause.retryable, cause.sent, cause.attempts, cause.phase],
      ["ERR_EXPIRED", "not-applied", false, "no", 0, "queue"],
    );
    const bad = await fail({ until: "soon" });
    deepStrictEqual([bad.code, bad.cause.field, bad.cause.source], ["ERR_INPUT", "notAfter", "msg.until"]);
    strictEqual(count(), 1);
  });

  it("is off by default", async () => {
    await load(flow(callOut({ notAfter: "", notAfterType: "str" })));
    await pass({ payload: { notAfter: 1 }, notAfter: 1 });
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
