import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { ALWAYS } from "../../support/business-hours";
import { holdClock } from "../../support/clocks";
import { flowOf, load, nodeOf, pass, roundTrip, STATUS_MS, statusesOf, until, withTenant } from "../../support/stage";
import { judged, ownGate, tenantGate } from "./gates";

interface Contexts {
  readonly flow: { set(key: string, value: unknown): void };
}

const setFlow = (key: string, value: unknown) => (nodeOf("n1").context() as never as Contexts).flow.set(key, value);

const OPEN = { schedule: ALWAYS, scheduleType: "json" };

describe("status of a business-hour-gate with an override", () => {
  const held = withTenant();
  afterEach(() => {
    delete process.env["GATE_HAND"];
  });
  const only = (more: Record<string, unknown> = {}) =>
    load(flowOf({ url: held.tenant.url }, ownGate({ ...OPEN, at: "", atType: "date", ...more })));
  const shown = async (text: string) => {
    const statuses = statusesOf("n1");
    await until(() => statuses.at(-1)?.text === text, `the status ${text}`);
    return [statuses.at(-1)?.fill, statuses.at(-1)?.shape];
  };

  for (const [override, fill, shape] of [
    ["closed", "grey", "ring"],
    ["open", "green", "dot"],
  ] as const)
    it(`is that of the fixed override: ${override}`, async () => {
      await only({ ...(override === "open" && { schedule: "[]" }), override, overrideType: "str" });
      deepStrictEqual(await shown(`${override}, override`), [fill, shape]);
      strictEqual((await judged()).open, override === "open");
    });

  it("is that of the environment's override", async () => {
    process.env["GATE_HAND"] = "closed";
    await only({ override: "GATE_HAND", overrideType: "env" });
    deepStrictEqual(await shown("closed, override"), ["grey", "ring"]);
  });

  it("follows an override in a context store, without a message", async () => {
    await only({ override: "hand", overrideType: "flow" });
    const statuses = statusesOf("n1");
    const last = (text: RegExp) => until(() => text.test(String(statuses.at(-1)?.text)), String(text));
    await last(/^open/);
    setFlow("hand", "closed");
    await last(/^closed, override$/);
    setFlow("hand", "auto");
    await last(/^open(?!.*override)/);
  });

  it("follows an override in a context store where messages bring the schedule", async () => {
    await only({ override: "hand", overrideType: "flow", schedule: "week", scheduleType: "msg" });
    const statuses = statusesOf("n1");
    setFlow("hand", "open");
    await until(() => statuses.at(-1)?.text === "open, override", "the override");
    setFlow("hand", "");
    await until(() => statuses.at(-1)?.text === "open, override", "still the override");
    await pass({ week: { days: [] } });
    await until(() => statuses.at(-1)?.text?.startsWith("closed") === true, "by the schedule");
  });

  it("is by the schedule for an override that messages bring", async () => {
    const clock = holdClock();
    await only({ override: "hand", overrideType: "msg" });
    const statuses = statusesOf("n1");
    await until(() => statuses.length > 0, "a status");
    clock.advance(STATUS_MS);
    strictEqual((await judged({ hand: "closed" })).reason, "override");
    strictEqual(statuses.at(-1)?.text?.includes("override"), false);
    strictEqual(statuses.at(-1)?.fill, "green");
  });

  it("is shown while the tenant has no schedule: messages need none", async () => {
    held.tenant.answers(() => ({ status: 404, body: { success: false } }));
    const [clock, release] = [holdClock(), held.tenant.hold()];
    const gate = tenantGate({ scheduleName: "None", at: "", atType: "date", override: "open", overrideType: "str" });
    await load(flowOf({ url: held.tenant.url }, gate));
    deepStrictEqual(await shown("open, override"), ["green", "dot"]);
    await until(() => held.tenant.received.length > 0, "the schedule was asked for");
    const statuses = statusesOf("n1");
    clock.advance(STATUS_MS);
    release();
    await roundTrip();
    clock.advance(STATUS_MS);
    strictEqual((await judged()).open, true);
    deepStrictEqual(statuses, []);
  });
});

describe("status of a business-hour-gate on a sandbox tenant", () => {
  withTenant();
  const now = { at: "", atType: "date" };

  it("begins with sandbox, like that of every other node", async () => {
    await load(
      flowOf(
        { mode: "sandbox" },
        tenantGate({ scheduleName: "Support 24/7", ...now }),
        tenantGate({ id: "n2", scheduleName: "Nowhere", ...now }),
        ownGate({ id: "n3", tenant: "t1", ...OPEN, ...now }),
      ),
    );
    const [office, nowhere, own] = [statusesOf("n1"), statusesOf("n2"), statusesOf("n3")];
    await until(() => String(office.at(-1)?.text).startsWith("mode.sandbox: open"), "the schedule's status");
    deepStrictEqual([office.at(-1)?.fill, office.at(-1)?.shape], ["yellow", "ring"]);
    await until(() => nowhere.at(-1)?.fill === "red", "a red status");
    strictEqual(nowhere.at(-1)?.text, "mode.sandbox: schedule.none");
    // A gate with its own schedule reads nothing of the sandbox.
    await until(() => own.length > 0, "a status");
    strictEqual(own.at(-1)?.text?.startsWith("open"), true);
  });
});
