import { deepStrictEqual } from "node:assert/strict";
import { mock } from "node:test";
import type { NodeAPI } from "node-red";
import type { Follower, TenantClient } from "../../../src/client";
import { logHeldBack } from "../../../src/runtime/tenants/engine";

describe("the warning of calls that are held back", () => {
  afterEach(() => mock.timers.reset());

  it("has their number when Redis gives them back in steps, and comes once", () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    const counts: unknown[] = [];
    const _ = (_key: string, { count }: { count: unknown }) => count;
    const RED = { _, log: { warn: (count: unknown) => counts.push(count) } } as unknown as NodeAPI;
    let changed = () => {};
    const lanes = { heldBack: 0 };
    const follow = (follower: Required<Follower>) => {
      changed = follower.changed;
    };
    logHeldBack(RED, "Acme", { lanes, follow } as unknown as TenantClient);
    const hold = (count: number) => {
      lanes.heldBack = count;
      changed();
    };
    for (const count of [0, 200, 400, 450]) {
      hold(count);
      mock.timers.tick(400);
    }
    deepStrictEqual(counts, []);
    mock.timers.tick(500);
    hold(440);
    mock.timers.tick(500);
    deepStrictEqual(counts, [450]);
    for (const count of [0, 3]) hold(count);
    mock.timers.tick(500);
    deepStrictEqual(counts, [450, 3]);
  });
});
