import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { NodeAPI } from "node-red";
import { tenantOf } from "../../../src/runtime/tenants/tenants";
import { testConnection } from "../../../src/workshop/admin/tenant-routes";
import { ALWAYS, hour, serving } from "../../support/business-hours";
import { holdClock, putClockAhead } from "../../support/clocks";
import { NOTHING_WAITS } from "../../support/counts";
import { ACCEPTED, type Received } from "../../support/live-tenant";
import { clear, flowOf, give, load, roundTrip, seen, until, withTenant } from "../../support/stage";
import { casesOf } from "../../support/until";
import { callOut, control, dialledIn } from "../schedules/requests";

const WAITING = casesOf(5000);

/** Row 22b of docs/faults.md: while a campaign waits, everything else works as if there were none. */
describe("a campaign of thousands of call-outs at one a second", () => {
  const held = withTenant();
  const schedules = serving(() => [hour(7, "Office", ALWAYS)]);
  const dialled = () => dialledIn(held.tenant.received).length;
  const lanes = () => tenantOf("t1").client?.lanes;
  const answered = () => until(() => lanes()?.inFlight === 0, "the messages in flight have their answers");
  /** The result of a message outside the campaign, whose messages have another output. */
  const ask = async (message: object, id: string) => {
    const before = seen.closed.length;
    give(message, id);
    await until(() => seen.closed.length > before, `${id} has answered`);
    return seen.closed.at(-1) ?? {};
  };
  const command = async (payload: string) => (await ask({ payload }, "control"))["payload"];

  beforeEach(async () => {
    clear();
    held.tenant.answers((request: Received) => (request.method === "GET" ? schedules(request) : { body: ACCEPTED }));
    const gate = { scheduleName: "which", scheduleNameType: "msg", wires: [["closed"], ["closed"]] };
    await load(
      flowOf(
        { url: held.tenant.url, rate: 1 },
        callOut({ notAfter: "until", notAfterType: "msg" }),
        { id: "transfer", type: "call-transfer", tenant: "t1", wires: [["closed"]] },
        { id: "gate", type: "business-hour-gate", tenant: "t1", ...gate },
        control({ id: "control", wires: [["closed"]] }),
      ),
    );
    await command("pause");
    const soon = Date.now() + 3_600_000;
    for (let index = 0; index < WAITING; index += 1) give({ payload: `${index}`, ...(index === 1 && { until: soon }) });
    await until(() => lanes()?.waiting.callOut === WAITING, "all wait");
    putClockAhead(3_600_001);
    await command("resume");
    await until(() => dialled() > 0, "the first one is placed");
  });

  it("lets a transfer, a gate's read and Test through at once", async () => {
    const transfer = { payload: { callId: "c", to: { type: "internal", number: "7" } } };
    strictEqual((await ask(transfer, "transfer"))["statusCode"], 200);
    strictEqual((await ask({ which: "Office" }, "gate"))["businessHour"].open, true);
    const { lines } = await testConnection({ settings: {} } as NodeAPI, { id: "t1" });
    strictEqual(lines[0]?.kind, "fine");
    // Behind the campaign they would have waited for many minutes.
    ok((await command("count")).waiting.callOut > WAITING / 2);
  });

  it("can be paused, resumed and dropped, and checks a time limit at the moment of sending", async () => {
    strictEqual((await command("pause")).paused, true);
    await answered();
    const before = dialled();
    const clock = holdClock();
    clock.advance(5000);
    give({ payload: "0" });
    await roundTrip();
    strictEqual(dialled(), before);
    strictEqual((await command("resume")).paused, false);
    await until(() => {
      clock.advance(1000);
      return dialled() > before;
    }, "the next one is placed");
    deepStrictEqual(
      seen.caught.map(({ payload, error }) => [payload, error.code, error.cause.sent]),
      [["1", "ERR_EXPIRED", "no"]],
    );
    clear();
    const { dropped } = await command("drop");
    await answered();
    // All the others and the new one, but the one that was late.
    strictEqual(dropped, WAITING - dialled());
    await until(() => seen.caught.length === dropped, "all that waited has failed");
    ok(seen.caught.every(({ error }) => error.code === "ERR_DROPPED" && error.cause.outcome === "not-applied"));
    deepStrictEqual(await command("count"), NOTHING_WAITS);
  });
});
