import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import {
  fail,
  flowOf,
  load,
  nodeOf,
  pass,
  redeploy,
  seen,
  statusesOf,
  until,
  warnings,
  withTenant,
} from "../../support/stage";
import { ownGate as gate, judged, MORNING, verdict, WEEK, ZONE } from "./gates";

describe("business-hour-gate with its own schedule", () => {
  const held = withTenant();
  const only = (more: Record<string, unknown> = {}) => load(flowOf({ url: held.tenant.url }, gate(more)));

  describe("instant", () => {
    it("is read in the gate's zone, and refused if it is none", async () => {
      await only();
      const { open, checkedAt } = await judged({ at: "2026-11-23T08:30:00" });
      deepStrictEqual([open, checkedAt], [true, "2026-11-23T08:30:00+07:00"]);
      const { code, cause } = await fail({ at: "soon" });
      deepStrictEqual([code, cause.field, cause.source], ["ERR_INPUT", "at", "msg.at"]);
    });

    for (const [what, pair] of [
      ["absent", { at: undefined, atType: undefined }],
      ["core's date", { at: "", atType: "date" }],
      ["nothing in the message", {}],
    ] as const) {
      it(`is now when the pair is ${what}`, async () => {
        await only(pair);
        const before = Date.now();
        const { checkedAt } = await judged({});
        ok(Date.parse(checkedAt) >= before && Date.parse(checkedAt) <= Date.now(), checkedAt);
        ok(checkedAt.endsWith("+07:00"), checkedAt);
      });
    }
  });

  describe("exceptions", () => {
    const list = [
      { date: "2026-11-23", name: "day off" },
      { from: "12-24", to: "01-02", hours: [{ open: "10:00", close: "11:00" }] },
    ];

    it("are one list for many gates, as it is at each message", async () => {
      const shared = { exceptions: "holidays", exceptionsType: "global" };
      await load(flowOf({ url: held.tenant.url }, gate(shared), gate({ ...shared, id: "n2" })));
      const { global } = nodeOf("n1").context() as never as { global: { set(key: string, value: unknown): void } };
      strictEqual((await pass({ at: MORNING }))["businessHour"].reason, "hours");
      global.set("holidays", list);
      for (const id of ["n1", "n2"]) strictEqual((await pass({ at: MORNING }, id))["businessHour"].reason, "exception");
      global.set("holidays", []);
      strictEqual((await pass({ at: MORNING }))["businessHour"].reason, "hours");
    });

    for (const [exceptions, exceptionsType] of [
      [[{ date: "23.11.2026" }], "list"],
      [[{ from: "2026-11-23" }], "list"],
      [JSON.stringify([{ date: "02-30" }]), "json"],
      ["{", "json"],
      ["holidays", "msg"],
    ] as const) {
      it(`bad ones are ERR_CONFIG: ${JSON.stringify(exceptions)} (${exceptionsType})`, async () => {
        await only({ exceptions, exceptionsType });
        const statuses = statusesOf("n1");
        const { code, cause } = await fail({ at: MORNING, holidays: [{ date: 5 }] });
        deepStrictEqual([code, cause.retryable, cause.outcome], ["ERR_CONFIG", false, "not-applied"]);
        ok(cause.field.startsWith("exceptions"), cause.field);
        await until(() => statuses.some(({ fill, text }) => fill === "red" && text === "ERR_CONFIG"), "a red status");
      });
    }
  });

  describe("override", () => {
    const override = { override: "force", overrideType: "msg" };

    for (const force of ["open", "closed"]) {
      const open = force === "open";
      it(`${force} beats the schedule, exceptions and a disabled schedule`, async () => {
        await only({
          ...override,
          exceptions: [{ date: "2026-11-23" }],
          schedule: JSON.stringify({ enabled: false, days: WEEK, name: "Off", id: 3 }),
          scheduleType: "json",
        });
        deepStrictEqual(
          await judged({ at: MORNING, force }),
          verdict(open, "override", {
            name: "Off",
            id: 3,
            timezone: ZONE,
            checkedAt: "2026-11-23T08:30:00+07:00",
            sentence: open ? "We are open." : "We are closed.",
          }),
        );
        deepStrictEqual([seen.out.length, seen.closed.length], open ? [1, 0] : [0, 1]);
      });
    }

    for (const force of ["", undefined, null, "auto", true, 0, {}]) {
      it(`${JSON.stringify(force)} goes by the schedule`, async () => {
        await only(override);
        strictEqual((await judged({ at: MORNING, force })).reason, "hours");
      });
    }

    it("neither open nor closed warns once, and is ERR_CONFIG where it is fixed in the node", async () => {
      const warned = () => warnings().filter((text) => text.includes("unknownOverride")).length;
      await only(override);
      for (const force of ["shut", "open "]) strictEqual((await judged({ at: MORNING, force })).reason, "hours");
      strictEqual(warned(), 1);
      await redeploy(flowOf({ url: held.tenant.url }, gate({ override: '"shut"', overrideType: "jsonata" })));
      strictEqual((await judged({ at: MORNING })).reason, "hours");
      strictEqual(warned(), 2);
      await redeploy(flowOf({ url: held.tenant.url }, gate({ override: "shut", overrideType: "str" })));
      const { code, cause } = await fail({ at: MORNING });
      deepStrictEqual([code, cause.field], ["ERR_CONFIG", "override"]);
    });

    it("with a fixed value applies to every message", async () => {
      await only({ override: "closed", overrideType: "str" });
      strictEqual((await judged({ at: MORNING })).reason, "override");
    });
  });
});
