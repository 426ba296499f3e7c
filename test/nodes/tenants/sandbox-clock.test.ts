import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { closeSandbox, sandboxOf } from "../../../src/runtime/tenants/sandboxes";
import { withTenant } from "../../support/flow";
import {
  clear,
  flowOf,
  give,
  load,
  pass,
  redeploy,
  seen,
  settle,
  statusesOf,
  statusesOfNext,
  until,
} from "../../support/stage";
import { ownGate, tenantGate } from "../gate/gates";
import { callOut, control } from "../schedules/requests";
import { tenantTrigger } from "../trigger/triggers";

/** 2026-11-23 is a Monday. The sandbox's "Office" is open on weekdays, 08:00 to 12:00 and 13:00 to 17:30. */
const SUNDAY = "2026-11-22T23:00:00Z";
const MONDAY = "2026-11-23T09:00:00Z";

const NOW = { at: "", atType: "date" };
const gate = (more: object = {}) => tenantGate({ scheduleName: "Office", ...NOW, ...more });
const trigger = (more: object = {}) => tenantTrigger({ timezone: "UTC", ...more });
const flow = (...nodes: Record<string, unknown>[]) =>
  structuredClone(flowOf({ mode: "sandbox", timezone: "UTC" }, ...nodes));

/** Presses the button. */
async function clock(body: object): Promise<void> {
  const answer = await (await sandboxOf("t1"))?.inspect("POST", "/sandbox/clock", new URLSearchParams(), body);
  strictEqual(answer?.status, 200);
}

const checked = () => [...seen.out, ...seen.closed].map(({ businessHour }) => String(businessHour.checkedAt)).sort();
const edges = () =>
  [...seen.out, ...seen.closed].map(({ payload, businessHour }) => `${businessHour.checkedAt} ${payload}`).sort();

describe("the clock of a sandbox tenant", () => {
  withTenant();
  beforeEach(clear);
  afterEach(() => closeSandbox("t1"));

  it("decides what a gate of the tenant says, and moves its status at once", async () => {
    await load(flow(gate()));
    await clock({ at: SUNDAY });
    const statuses = statusesOf("n1");
    strictEqual((await pass({}))["businessHour"].open, false);
    match(checked()[0] ?? "", /^2026-11-22T23:00:0/);
    const before = statuses.length;
    await clock({ at: MONDAY });
    await until(() => statuses.length > before, "the status moves without a message");
    ok(statuses.at(-1)?.text?.includes("openUntil"), statuses.at(-1)?.text);
    strictEqual((await pass({}))["businessHour"].open, true);
    match(checked()[0] ?? "", /^2026-11-23T09:00:0/);
    await clock({ real: true });
    const { businessHour } = await pass({});
    strictEqual(businessHour.checkedAt.slice(0, 10), new Date().toISOString().slice(0, 10));
  });

  it("is what a gate's own instant stands above", async () => {
    await load(flow(gate({ at: "at", atType: "msg" })));
    await clock({ at: SUNDAY });
    strictEqual((await pass({ at: MONDAY }))["businessHour"].open, true);
    strictEqual((await pass({}))["businessHour"].open, false);
  });

  it("is not what a gate with its own schedule goes by", async () => {
    await load(flow(ownGate({ ...NOW, tenant: "t1", timezone: "" })));
    await clock({ at: "2001-01-01T00:00:00Z" });
    const { businessHour } = await pass({});
    strictEqual(businessHour.checkedAt.slice(0, 4), String(new Date().getUTCFullYear()));
  });

  it("sends what a fast clock passes, each edge once, and nothing for a jump", async () => {
    await load(flow(trigger()));
    const statuses = statusesOf("n1");
    await until(() => statuses.length > 0, "the schedule is known");
    await clock({ at: "2026-11-20T23:00:00Z" });
    await clock({ at: "2026-11-23T07:00:00Z" });
    await settle(50);
    deepStrictEqual(edges(), []);
    // An hour a second.
    await clock({ at: "2026-11-23T11:59:00Z", speed: 3600 });
    await until(() => edges().length === 2, "noon has passed");
    await clock({ at: SUNDAY });
    await settle(50);
    deepStrictEqual(edges(), ["2026-11-23T12:00:00Z closed", "2026-11-23T13:00:00Z open"].map(withOffset));
  });

  it("goes on as it was across a redeploy, and sends nothing twice", async () => {
    await load(flow(trigger()));
    const statuses = statusesOf("n1");
    await until(() => statuses.length > 0, "the schedule is known");
    await clock({ at: "2026-11-23T11:59:00Z", speed: 3600 });
    await until(() => edges().length >= 1, "noon has passed");
    await redeploy(flow(trigger({ name: "again" })));
    await until(() => edges().length >= 2, "one o'clock has passed");
    await clock({ speed: 1 });
    await redeploy(flow(trigger({ name: "and again" }), gate({ id: "n2" })));
    // The evening, too, if a deploy took long.
    const day = ["2026-11-23T12:00:00Z closed", "2026-11-23T13:00:00Z open", "2026-11-23T17:30:00Z closed"].map(
      withOffset,
    );
    deepStrictEqual(edges(), day.slice(0, Math.max(2, edges().length)));
    const { businessHour } = await pass({}, "n2");
    strictEqual(businessHour.checkedAt.slice(0, 10), "2026-11-23");
  });

  it("does not follow a tenant into live mode: nothing is made up for", async () => {
    const held = { mode: "log", url: "http://127.0.0.1:9", timezone: "UTC" };
    const own = trigger({ source: "value", schedule: [], scheduleType: "list" });
    await load(flow(trigger(), gate({ id: "n2" })));
    const statuses = statusesOf("n1");
    await until(() => statuses.length > 0, "the schedule is known");
    const earlier = new Date(Date.now() - 12 * 3_600_000).toISOString();
    await clock({ at: earlier });
    const always = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].flatMap((day) =>
      Array.from({ length: 24 }, (_, hour) => ({ day, open: `${two(hour)}:00`, close: `${two(hour)}:30` })),
    );
    await redeploy(structuredClone(flowOf(held, { ...own, schedule: always })));
    const shown = statusesOfNext("n1");
    await redeploy(structuredClone(flowOf(held, { ...own, schedule: always, name: "again" })));
    await until(() => shown.length > 0, "the trigger has looked at the clock");
    ok(edges().length <= 1, edges().join(", "));
  });

  it("opens and closes the calling hours at once", async () => {
    const tenant = { mode: "sandbox", timezone: "UTC", callingHours: "Office" };
    await load(structuredClone(flowOf(tenant, callOut(), control())));
    await clock({ at: SUNDAY });
    const statuses = statusesOf("n1");
    give({ payload: "1" });
    await until(() => statuses.at(-1)?.text?.includes("waitsUntil") === true, "the call waits");
    const calls = async () => (await sandboxOf("t1"))?.calls().length;
    strictEqual(await calls(), 0);
    await clock({ at: MONDAY });
    await until(() => seen.out.length === 1, "the call has left");
    strictEqual(await calls(), 1);
    await clock({ at: SUNDAY });
    clear();
    strictEqual((await pass({ payload: "count" }, "k1")).payload.resting, true);
  });

  it("brings the date of a call, also across a redeploy, and the end of what has a date", async () => {
    const limits = { notBefore: "from", notBeforeType: "msg", notAfter: "until", notAfterType: "msg" };
    await load(flow(callOut(limits), control()));
    await clock({ at: SUNDAY });
    for (const [payload, from, until] of [
      ["1", "2026-11-23T08:00", "2026-11-23T12:00"],
      ["2", "2026-11-23T08:00", "2026-11-23T08:30"],
      ["3", "2026-11-24T08:00", "2026-11-24T12:00"],
    ])
      give({ payload, from, until });
    for (let dated = 0; dated < 3; ) ({ dated } = (await pass({ payload: "count" }, "k1")).payload);
    clear();
    await redeploy(flow(callOut({ ...limits, name: "again" }), control()));
    await clock({ at: MONDAY });
    await until(() => seen.out.length + seen.caught.length === 2, "the first two");
    deepStrictEqual([seen.out[0]?.payload !== undefined, seen.caught[0]?.["error"].code], [true, "ERR_EXPIRED"]);
    strictEqual((await pass({ payload: "count" }, "k1")).payload.dated, 1);
    strictEqual((await sandboxOf("t1"))?.calls().length, 1);
  });
});

const two = (number: number) => String(number).padStart(2, "0");

/** As instants are written in UTC. */
function withOffset(edge: string): string {
  return edge.replace("Z", "+00:00");
}
