import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { hour, LIST } from "../../support/business-hours";
import { fail, give, load, roundTrip, until, warnings } from "../../support/stage";
import { tenantGate as gate, gatesOfTenant, judged } from "./gates";

describe("business-hour-gate with a schedule of the tenant", () => {
  const { held, flow, serve, lines } = gatesOfTenant();
  const AT = "2026-11-23T10:00:00Z";

  describe("chosen by messages", () => {
    const byMessage = { scheduleName: "which", scheduleNameType: "msg", scheduleId: "number", scheduleIdType: "msg" };

    it("is read for the first message, and then cached", async () => {
      serve(hour(7, "Office"), hour(8, "Night", []));
      await load(flow(gate(byMessage)));
      await roundTrip();
      strictEqual(held.tenant.received.length, 0);
      strictEqual((await judged({ at: AT, which: "Office" })).id, 7);
      strictEqual((await judged({ at: AT, which: "Night" })).id, 8);
      strictEqual((await judged({ at: AT, which: "Office" })).open, true);
      strictEqual((await judged({ at: AT, which: "Office", number: 8 })).id, 8, "the id wins");
      deepStrictEqual(lines(), [`GET ${LIST}?search=Office`, `GET ${LIST}?search=Night`, `GET ${LIST}/8`]);
    });

    it("by a message that takes no property and cannot be copied: the failure is logged, and the gate continues", async () => {
      serve(hour(7, "Office"));
      await load(flow(gate({ ...byMessage, scheduleName: "which" })));
      give(
        Object.preventExtensions({
          _msgid: "odd",
          which: "Office",
          get total() {
            throw new Error("no");
          },
        }),
      );
      await until(() => warnings().some((text) => text.includes("log.undeliverable")), "a warning");
      strictEqual((await judged({ at: AT, which: "Office" })).id, 7);
    });

    it("by nothing is ERR_INPUT", async () => {
      await load(flow(gate(byMessage)));
      const { code, cause } = await fail({ at: AT });
      deepStrictEqual([code, cause.field, cause.source], ["ERR_INPUT", "scheduleId", "msg.number"]);
      deepStrictEqual(lines(), []);
    });

    it("by no name is ERR_INPUT, with the place that was looked at", async () => {
      await load(flow(gate({ scheduleName: "payload.which", scheduleNameType: "msg" })));
      const { cause } = await fail({ at: AT, payload: {} });
      deepStrictEqual([cause.field, cause.source], ["scheduleName", "msg.payload.which"]);
    });

    for (const bad of ["1/2", {}]) {
      it(`an id ${JSON.stringify(bad)} never leaves`, async () => {
        await load(flow(gate(byMessage)));
        const { code, cause } = await fail({ at: AT, number: bad });
        deepStrictEqual([code, cause.field, cause.source], ["ERR_INPUT", "scheduleId", "msg.number"]);
        deepStrictEqual(lines(), []);
      });
    }
  });

  describe("read at deploy, whatever other values messages or contexts supply", () => {
    for (const more of [
      { override: "force", overrideType: "flow" },
      { at: "$.at", atType: "jsonata" },
      { exceptions: "holidays", exceptionsType: "global" },
      { exceptions: "holidays", exceptionsType: "msg" },
      { at: "{{when}}", atType: "mustache" },
    ]) {
      it(JSON.stringify(more), async () => {
        serve(hour(7, "Office"));
        await load(flow(gate({ scheduleName: "Office", ...more })));
        await until(() => held.tenant.received.length === 1, "read without a message");
      });
    }
  });
});
