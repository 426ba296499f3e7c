import { deepStrictEqual } from "node:assert/strict";
import { flowOf, give, load, until } from "../../support/stage";
import { callOut } from "../schedules/requests";
import { tenantGate as gate, gatesOfTenant, judged } from "./gates";

describe("business-hour-gate without a copy of its schedule", () => {
  const { held } = gatesOfTenant();
  const byName = { scheduleName: "name", scheduleNameType: "msg", onUnknown: "closed" };

  it("answers by onUnknown while call-outs are held and the tenant does not answer", async () => {
    held.tenant.answers(() => ({ status: 429, body: {}, headers: { "retry-after": "3600" } }));
    await load(
      flowOf({ url: held.tenant.url, onTrouble: "wait" }, callOut({ id: "n2" }), gate({ id: "n1", ...byName })),
    );
    give({ payload: "1" }, "n2");
    await until(() => held.tenant.received.length === 1, "the refused call");
    const release = held.tenant.hold(() => ({ status: 404, body: {} }));
    for (const at of ["2026-11-23T10:00", "2026-11-23T11:00"]) {
      const { open, reason } = await judged({ at, name: "Office" });
      deepStrictEqual([open, reason], [false, "unknown"]);
    }
    release();
  });
});
