import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { TenantClient } from "../../../src/client";
import type { NoSchedule } from "../../../src/runtime/node-red/no-schedule";
import { findSchedule } from "../../../src/runtime/schedules/find-schedule";
import { type Hour, hour, LIST, NINE_TO_FIVE, queryOf, serving } from "../../support/business-hours";
import { flowOf, give, load, nodeOf, redeploy, roundTrip, seen, statusesOf, until } from "../../support/stage";
import { tenantGate as gate, gatesOfTenant, judged, verdict } from "./gates";

describe("business-hour-gate with a schedule of the tenant", () => {
  const { held, flow, serve, lines } = gatesOfTenant();
  const AT = "2026-11-23T10:00:00Z";

  it("reads a schedule by id at deploy, once", async () => {
    serve(hour(7, "Office", NINE_TO_FIVE));
    await load(flow(gate({ scheduleId: "7", scheduleIdType: "str", scheduleName: "wins not" })));
    await until(() => held.tenant.received.length === 1, "the schedule is read without a message");
    deepStrictEqual(
      await judged({ at: AT }),
      verdict(true, "hours", {
        name: "Office",
        id: 7,
        timezone: "UTC",
        checkedAt: "2026-11-23T10:00:00+00:00",
        closesAt: "2026-11-23T17:00:00+00:00",
        opensAt: "2026-11-24T09:00:00+00:00",
        opensIn: 23 * 3_600_000,
        sentence: "We are open until 17:00.",
      }),
    );
    strictEqual((await judged({ at: "2026-11-23T18:00:00Z" })).open, false);
    deepStrictEqual(lines(), [`GET ${LIST}/7`]);
  });

  it("finds a schedule by its exact name, with search, over all pages", async () => {
    const others = Array.from({ length: 25 }, (_, index) => hour(100 + index, `Office ${index}`));
    serve(...others, hour(3, "office"), hour(4, "Office", NINE_TO_FIVE));
    await load(flow(gate({ scheduleName: "Office" })));
    const { id, name } = await judged({ at: AT });
    deepStrictEqual([id, name], [4, "Office"]);
    deepStrictEqual(held.tenant.received.map(queryOf), [{ search: "Office" }, { search: "Office", page: "2" }]);
    ok(held.tenant.received.every(({ method, url }) => method === "GET" && url.startsWith(`${LIST}?`)));
  });

  for (const [what, before, change, requests] of [
    ["on two pages", 19, (hours: Hour[]) => hours.unshift(hour(99, "Office new")), 2],
    ["on none, until it is read again", 20, (hours: Hour[]) => hours.shift(), 4],
  ] as const)
    it(`finds a schedule that is ${what}, because the list moves while it is read`, async () => {
      const hours = Array.from({ length: 25 }, (_, index) => hour(100 + index, `Office ${index}`));
      hours.splice(before, 0, hour(4, "Office", NINE_TO_FIVE));
      const { length } = held.tenant.received;
      held.tenant.answers((request) => {
        if (held.tenant.received.length === length + 2) change(hours);
        return serving(() => hours)(request);
      });
      await load(flow(gate({ scheduleName: "Office" })));
      strictEqual((await judged({ at: AT })).id, 4);
      strictEqual(held.tenant.received.length, length + requests);
    });

  it("shows a name that differs only in what nobody sees", async () => {
    serve(hour(4, "Office\u00a0", NINE_TO_FIVE));
    await load(flow(gate({ scheduleName: "Office" })));
    const statuses = statusesOf("n1");
    const { client } = (nodeOf("t1") as unknown as { tenant: { client: TenantClient } }).tenant;
    for (const name of ["Office", "Of\u200bfice"]) {
      const { why } = (await findSchedule(client, { name })) as NoSchedule;
      deepStrictEqual(why.params, { name, there: '"Office[U+00A0]"' });
    }
    await until(() => statuses.at(-1)?.text === "schedule.none", "a status");
  });

  it("messages wait for the first answer, in their order", async () => {
    const release = held.tenant.hold(serving(() => [hour(7, "Office")]));
    await load(flow(gate({ scheduleName: "Office" })));
    for (let index = 0; index < 20; index += 1) give({ payload: index, at: AT });
    await until(() => held.tenant.received.length === 1, "asked");
    await roundTrip();
    strictEqual(seen.out.length + seen.closed.length + seen.caught.length, 0);
    release();
    await until(() => seen.out.length === 20, "all passed");
    deepStrictEqual(
      seen.out.map(({ payload }) => payload),
      Array.from({ length: 20 }, (_, index) => index),
    );
    strictEqual(held.tenant.received.length, 1);
  });

  it("an override does not wait for the schedule", async () => {
    const release = held.tenant.hold(serving(() => [hour(7, "Office")]));
    await load(flow(gate({ scheduleName: "Office", override: "force", overrideType: "msg" })));
    const { open, reason, name, id } = await judged({ at: AT, force: "closed" });
    deepStrictEqual({ open, reason, name, id }, { open: false, reason: "override", name: null, id: null });
    release();
    await until(() => held.tenant.received.length === 1, "asked");
  });

  it("copies survive a redeploy", async () => {
    serve(hour(7, "Office"));
    await load(flow(gate({ scheduleName: "Office" })));
    await judged({ at: AT });
    held.tenant.answers(() => (response) => void response.socket?.destroy());
    await redeploy(flow(gate({ scheduleName: "Office", name: "changed" })));
    const { open, id } = await judged({ at: AT });
    deepStrictEqual([open, id], [true, 7]);
  });

  it("a copy of one tenant is not another one's", async () => {
    serve(hour(7, "Office"));
    await load(flow(gate({ scheduleId: "7" })));
    await judged({ at: AT });
    held.tenant.received.length = 0;
    await redeploy(flowOf({ url: `${held.tenant.url}/other` }, gate({ scheduleId: "7", onUnknown: "closed" })));
    strictEqual((await judged({ at: AT })).reason, "unknown");
    deepStrictEqual(lines(), [`GET /other${LIST}/7`]);
  });
});
