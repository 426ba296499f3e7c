import { deepStrictEqual } from "node:assert/strict";
import { mock } from "node:test";
import type { NodeAPI } from "node-red";
import type { TenantClient } from "../../../src/client";
import { logHeldBack } from "../../../src/runtime/tenants/engine";

describe("the warning of calls that are held back", () => {
  afterEach(() => mock.timers.reset());

  function logged(isShared: boolean) {
    mock.timers.enable({ apis: ["setTimeout"] });
    const counts: unknown[] = [];
    const _ = (_key: string, { count }: { count: unknown }) => count;
    const RED = { _, log: { warn: (count: unknown) => counts.push(count) } } as unknown as NodeAPI;
    let changed = () => {};
    const lanes = { heldBack: 0 };
    const follow = (listener: () => void) => {
      changed = listener;
    };
    logHeldBack(RED, "Acme", { callOuts: { backlog: { isShared } }, lanes, follow } as unknown as TenantClient);
    const hold = (count: number) => {
      lanes.heldBack = count;
      changed();
    };
    return { counts, hold };
  }

  it("has their number when Redis gives them back in steps, and comes once", () => {
    const { counts, hold } = logged(true);
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

  it("comes at once where they are all there", () => {
    const { counts, hold } = logged(false);
    for (const count of [3, 2, 0]) hold(count);
    deepStrictEqual(counts, [3]);
  });
});
