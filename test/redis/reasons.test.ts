import assert from "node:assert/strict";
import type { Entry } from "../../src/backlog";
import { Call } from "../../src/backlog/call";
import { type Reason, whyWaits } from "../../src/backlog/reasons";
import type { Leave } from "../../src/backlog/store";
import { type Instance, withRedis } from "../support/backlog/instances";
import { until } from "../support/until";

const CALLS: Readonly<Record<string, Partial<Entry>>> = {
  plain: {},
  urgent: { urgent: true },
  "a row of a list": { list: "a" },
};

/** The reason for which Redis gives no leave to begin. */
function reasonOf(leave: Leave): Reason {
  if (leave === "begun" || "startInMs" in leave) return "turn";
  return "tryInMs" in leave ? "trouble" : "pause";
}

describe("why a call waits", () => {
  const redis = withRedis();

  for (const [what, more] of Object.entries(CALLS))
    for (const [paused, fails] of [
      [true, false],
      [false, true],
      [true, true],
      [false, false],
    ] as const)
      it(`is the same in Redis and here: ${what}${paused ? ", paused" : ""}${fails ? ", in trouble" : ""}`, async () => {
        const [instance, other] = [await redis.open(), await redis.open()];
        // Nothing but the test asks.
        instance.slots = 0;
        instance.waitsForService();
        const entry: Entry = { id: "1", nodeId: "a", size: 1, content: "1", ...more };
        assert.equal((await instance.backlog.accept(entry)).kind, "accepted");
        if (paused) instance.backlog.pause();
        if (fails) await instance.backlog.service.observe({ kind: "stops", code: "ERR_CONNECT", retryAfterMs: 60_000 });
        await until(() => knows(other, paused, fails));
        const leave = await instance.store.begin(entry, true);
        const inTrouble = fails ? "all" : undefined;
        assert.equal(reasonOf(leave), whyWaits(new Call(undefined, entry), { paused, inTrouble }));
      });
});

/** Whether it has heard of it from Redis. */
function knows({ backlog }: Instance, paused: boolean, fails: boolean): boolean {
  return backlog.counts.paused === paused && backlog.service.isFailing === fails;
}
