import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { Reply } from "../../support/live-tenant";
import { fail, flowOf, load, seen, settle, statusesOf, until } from "../../support/stage";
import { tenantGate as gate, gatesOfTenant, judged, verdict } from "./gates";

describe("business-hour-gate with a schedule of the tenant", () => {
  const { held, flow } = gatesOfTenant();
  const AT = "2026-11-23T10:00:00Z";

  describe("unknown", () => {
    const answers: [string, Reply, string, number?][] = [
      ["the tenant refuses the token", { status: 401, body: {} }, "ERR_AUTH", 401],
      ["the schedule is not there", { status: 404, body: { success: false, code: 404 } }, "schedule.noId", 404],
      ["the address is not the service's", { status: 404, body: { message: "Not found" } }, "ERR_REJECTED", 404],
      [
        "the answer is no schedule",
        { body: { success: true, data: { id: 7, name: "Office", days: 5 } } },
        "ERR_BAD_RESPONSE",
      ],
    ];
    for (const [what, answer, words, httpStatus] of answers) {
      it(`${what}: ERR_SCHEDULE, and why in red`, async () => {
        held.tenant.answers(() => answer);
        await load(flow(gate({ scheduleId: "7" })));
        const statuses = statusesOf("n1");
        const { code, cause } = await fail({ at: AT });
        deepStrictEqual(
          [code, cause.outcome, cause.retryable, cause.action, cause.mode, cause.sent, cause.attempts],
          ["ERR_SCHEDULE", "not-applied", true, "business-hour-gate", "live", "yes", 1],
        );
        strictEqual(cause.httpStatus, httpStatus);
        await until(() => statuses.length > 0, "a status");
        await settle();
        deepStrictEqual(statuses.at(-1), { fill: "red", shape: "dot", text: words });
        ok(held.tenant.received.length >= 1);
      });
    }

    it("the tenant refuses connections: ERR_SCHEDULE, and that it cannot connect", async () => {
      await load(flowOf({ url: "http://127.0.0.1:1" }, gate({ scheduleId: "7" })));
      const statuses = statusesOf("n1");
      const { code, cause } = await fail({ at: AT });
      deepStrictEqual(
        [code, cause.outcome, cause.retryable, cause.phase, cause.sent, cause.attempts, cause.sys],
        ["ERR_SCHEDULE", "not-applied", true, "connect", "no", 3, "ECONNREFUSED"],
      );
      await until(() => statuses.length > 0, "a status");
      deepStrictEqual(statuses.at(-1), { fill: "red", shape: "ring", text: "ERR_CONNECT" });
    });

    for (const onUnknown of ["open", "closed"]) {
      const open = onUnknown === "open";
      it(`treats it as ${onUnknown} when set so`, async () => {
        held.tenant.answers(() => ({ status: 404, body: { success: false, code: 404 } }));
        await load(flow(gate({ scheduleId: "7", onUnknown })));
        const statuses = statusesOf("n1");
        deepStrictEqual(
          await judged({ at: AT }),
          verdict(open, "unknown", {
            timezone: "UTC",
            checkedAt: "2026-11-23T10:00:00+00:00",
            sentence: open ? "We are open." : "We are closed.",
          }),
        );
        deepStrictEqual([seen.out.length, seen.closed.length], open ? [1, 0] : [0, 1]);
        await until(() => statuses.some(({ fill }) => fill === "red"), "red");
      });
    }
  });
});
