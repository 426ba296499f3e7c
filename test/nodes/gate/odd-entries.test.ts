import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { type Hour, hour } from "../../support/business-hours";
import { flowOf, load, redeploy, statusesOf, statusesOfNext, until, warnings } from "../../support/stage";
import { tenantGate as gate, gatesOfTenant, judged } from "./gates";

const odd = (...days: unknown[]) => hour(7, "Office", days as Hour["days"]);
const MONDAY = { day: "mon", open: "08:00:30", close: "23:59:59" };
const ODD = [null, { day: "sun", open: null, close: null }, MONDAY, { day: "tue", open: "24:00:00", close: "25:00" }];

describe("business-hour-gate with odd entries in a schedule of the tenant", () => {
  const { held, flow, serve } = gatesOfTenant();
  const reported = () => warnings().filter((line) => line.includes("skippedEntries"));

  it("skips entries that cannot be read, and says so in the status and in one warning", async () => {
    serve(odd(...ODD));
    const gates = flow(gate({ scheduleName: "Office" }), gate({ id: "n2", scheduleId: "7" }));
    await load(gates);
    const statuses = statusesOf("n1");
    const { open, closesAt } = await judged({ at: "2026-11-23T12:00" });
    deepStrictEqual([open, closesAt], [true, "2026-11-24T00:00:00+00:00"]);
    strictEqual((await judged({ at: "2026-11-23T12:00" }, "n2")).open, true);
    await until(() => statuses.some(({ text }) => text?.endsWith(", skipped")), "the word in the status");
    ok(statuses.every(({ fill }) => fill !== "red"));
    strictEqual(reported().length, 1);
    const next = statusesOfNext("n1");
    await redeploy(flowOf({ url: held.tenant.url }, gate({ scheduleName: "Office", name: "changed" })));
    await until(() => next.length > 0, "a status");
    strictEqual(reported().length, 1);
  });
});
