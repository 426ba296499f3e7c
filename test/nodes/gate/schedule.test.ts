import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { fail, flowOf, load, withTenant } from "../../support/stage";
import { ownGate as gate, judged, MORNING } from "./gates";

describe("business-hour-gate with its own schedule", () => {
  const held = withTenant();
  const only = (more: Record<string, unknown> = {}) => load(flowOf({ url: held.tenant.url }, gate(more)));

  describe("schedule", () => {
    const typed = { schedule: "payload.schedule", scheduleType: "msg" };

    it("comes from a typed input, with name and id", async () => {
      await only(typed);
      const schedule = { id: 4, name: "Office", enable: 1, days: [{ day: "mon", open: "8:00", close: "17:00:00" }] };
      const { open, name, id } = await judged({ at: MORNING, payload: { schedule } });
      deepStrictEqual({ open, name, id }, { open: true, name: "Office", id: 4 });
      const text = await judged({ at: MORNING, payload: { schedule: JSON.stringify(schedule) } });
      deepStrictEqual([text.open, text.name, text.id], [true, "Office", 4]);
    });

    for (const bad of ["nonsense", { days: "never" }]) {
      it(`${JSON.stringify(bad)} is ERR_INPUT`, async () => {
        await only(typed);
        const { code, cause } = await fail({ at: MORNING, payload: { schedule: bad } });
        strictEqual(code, "ERR_INPUT");
        ok(cause.field.startsWith("schedule"), cause.field);
        ok(cause.source.startsWith("msg.payload.schedule"), cause.source);
        deepStrictEqual(
          [cause.action, cause.outcome, cause.retryable, cause.sent],
          ["business-hour-gate", "not-applied", false, "no"],
        );
      });
    }

    it("that is not given is unknown, not permanently closed", async () => {
      await only(typed);
      const { code, cause } = await fail({ at: MORNING, payload: {} });
      deepStrictEqual([code, cause.outcome, cause.retryable], ["ERR_SCHEDULE", "not-applied", true]);
    });

    const exceptions = [{ date: "2026-11-23", name: "Founding day" }];
    const BEFORE = "2026-11-22T03:00";

    for (const schedule of ["", undefined])
      it(`is open but for its exceptions where it is ${JSON.stringify(schedule)}`, async () => {
        await only({ schedule, exceptions, exceptionsType: "list" });
        const { open, reason, exception, opensAt } = await judged({ at: MORNING });
        const tomorrow = "2026-11-24T00:00:00+07:00";
        deepStrictEqual([open, reason, exception, opensAt], [false, "exception", "Founding day", tomorrow]);
        const before = await judged({ at: BEFORE });
        deepStrictEqual([before.open, before.closesAt], [true, "2026-11-23T00:00:00+07:00"]);
      });

    it("is always closed with an empty week", async () => {
      await only({ schedule: [], exceptions, exceptionsType: "list" });
      strictEqual((await judged({ at: BEFORE })).open, false);
    });

    it("is unknown where it is empty, and there are no exceptions", async () => {
      await only({ schedule: "", exceptions: "[ ]", exceptionsType: "json" });
      strictEqual((await fail({ at: MORNING })).code, "ERR_SCHEDULE");
    });

    it("ignores what another choice left behind", async () => {
      await only({
        scheduleId: "payload.id",
        scheduleIdType: "msg",
        scheduleName: "payload.x",
        scheduleNameType: "msg",
      });
      strictEqual((await judged({ at: MORNING, payload: { id: "no id" } })).open, true);
    });
  });
});
