import { deepStrictEqual } from "node:assert/strict";
import { helper, load, redeploy, redeployTwice, roundTrip, seen, until } from "../../support/stage";
import { virtualClock } from "../../support/virtual-clock";
import { office, sent, tenantTrigger, ownTrigger as trigger, triggers } from "./triggers";

describe("business-hour-trigger across redeploys", () => {
  const { flow, serve } = triggers();
  /** Another name, so that Node-RED restarts the node whatever the deploy. */
  let round = 0;
  const renamed = (more: Record<string, unknown> = {}) => {
    round += 1;
    return flow(trigger({ name: `round ${round}`, ...more }));
  };

  it("sends each edge of a week once through a storm of deploys", async () => {
    const clock = virtualClock("2026-11-23T00:00:00+07:00");
    await load(flow(trigger()));
    for (const [index, kind] of (["full", "flows", "nodes"] as const).entries()) {
      for (let hours = 0; hours < 40; hours += 1) {
        // Before, at and after each full hour.
        await clock.advance(3_600_000 + (((hours + index) % 3) - 1) * 1000);
        await redeploy(renamed(), kind);
      }
    }
    await clock.until("2026-11-29T00:00:00+07:00");
    deepStrictEqual(
      sent(),
      [23, 24, 25, 26, 27].flatMap((day) => [`2026-11-${day}T08:00 open`, `2026-11-${day}T17:00 closed`]),
    );
  });

  it("sends an edge that falls into a deploy once, when the flows have started", async () => {
    const clock = virtualClock("2026-11-23T07:59:58+07:00");
    await load(flow(trigger()));
    await roundTrip();
    // The nodes of both deploys are there before the flows of the second have started.
    const deployed = redeployTwice(renamed(), renamed());
    clock.set("2026-11-23T08:00:03+07:00");
    await deployed;
    await until(() => seen.out.length > 0, "the opening");
    await redeploy(renamed());
    await clock.advance(3_600_000);
    deepStrictEqual(sent(), ["2026-11-23T08:00 open"]);
  });

  it("waits for a schedule that must be read again, and sends what fell due meanwhile", async () => {
    serve(office());
    const clock = virtualClock("2026-11-23T07:59:58+07:00");
    await load(flow(trigger()));
    await roundTrip();
    clock.set("2026-11-23T08:00:00+07:00");
    // The same node, now with a schedule of the tenant.
    await redeploy(flow(tenantTrigger()));
    await until(() => seen.out.length === 1, "the opening");
    await roundTrip();
    deepStrictEqual(sent(), ["2026-11-23T08:00 open"]);
  });

  it("moves what is still to come when the offsets change, and sends nothing of the past", async () => {
    const clock = virtualClock("2026-11-23T08:20:00+07:00");
    await load(flow(trigger({ openingOffset: 30 })));
    await clock.advance(60_000);
    await redeploy(renamed({ openingOffset: 15 }));
    await clock.advance(3_600_000);
    deepStrictEqual(sent(), []);
    await redeploy(renamed({ openingOffset: 90 }));
    await clock.advance(3_600_000);
    deepStrictEqual(sent(), ["2026-11-23T09:30 open"]);
  });

  it("tells the state after each deploy if it is to, and reports an error once", async () => {
    virtualClock("2026-11-23T09:00:00+07:00");
    await load(flow(trigger({ atStart: true })));
    await until(() => seen.out.length === 1, "the state");
    await redeploy(renamed({ atStart: true }));
    await until(() => seen.out.length === 2, "the state again");
    await redeploy(renamed({ schedule: "none", scheduleType: "global" }));
    await until(() => seen.caught.length === 1, "the error");
    await redeploy(renamed({ schedule: "none", scheduleType: "global" }));
    await roundTrip();
    deepStrictEqual([seen.out.length, seen.caught.length], [2, 1]);
  });

  it("makes up for nothing that fell into a downtime, or while the node was disabled", async () => {
    const clock = virtualClock("2026-11-23T07:00:00+07:00");
    await load(flow(trigger()));
    await roundTrip();
    await helper.unload();
    clock.set("2026-11-23T12:00:00+07:00");
    await load(flow(trigger()));
    await clock.advance(3_600_000);
    deepStrictEqual(sent(), []);
    await redeploy(flow(trigger({ d: true })));
    clock.set("2026-11-23T17:30:00+07:00");
    await redeploy(flow(trigger()));
    await clock.advance(3_600_000);
    deepStrictEqual(sent(), []);
  });
});
