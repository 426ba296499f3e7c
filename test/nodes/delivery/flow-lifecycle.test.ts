import { deepStrictEqual } from "node:assert/strict";
import { EventEmitter } from "node:events";
import type { NodeAPI } from "node-red";

type Lifecycle = typeof import("../../../src/runtime/delivery/flow-lifecycle");

/** Node-RED's events, in orders that a test cannot make Node-RED emit at will. */
describe("whether flows run", () => {
  const path = require.resolve("../../../src/runtime/delivery/flow-lifecycle");

  /** Makes one of its own, because the process's follows the Node-RED under test. */
  function follow() {
    const shared = require.cache[path];
    delete require.cache[path];
    const { flows } = require(path) as Lifecycle;
    if (shared) require.cache[path] = shared;
    const events = new EventEmitter();
    flows.follow({ events } as unknown as NodeAPI);
    return { flows, emit: (name: string, event: object) => events.emit(`flows:${name}`, event) };
  }

  it("is not told by flows that start late, when the next deploy is already stopping them", () => {
    const { flows, emit } = follow();
    const states: boolean[] = [];
    const [first, second] = [{}, {}];
    const step = (name: string, diff: object | undefined, config: object) => {
      emit(name, { config, diff });
      states.push(flows.running);
    };
    const configs = [{}, {}, {}] as const;
    step("started", undefined, configs[0]);
    step("stopping", first, configs[1]);
    step("stopping", second, configs[2]);
    step("started", first, configs[2]);
    step("started", second, configs[2]);
    deepStrictEqual(states, [true, false, false, false, true]);
  });

  it("stops for good with the configuration that was deployed, and runs again after it", async () => {
    const { flows, emit } = follow();
    const stops: boolean[] = [];
    flows.on("stop", (isEnding) => stops.push(isEnding));
    const config = {};
    emit("started", { config });
    emit("stopping", { config, diff: {} });
    deepStrictEqual([flows.running, flows.stopping, stops], [false, true, [false]]);
    const waiting = flows.untilRunning();
    emit("started", { config });
    await waiting;
    deepStrictEqual([flows.running, flows.stopping], [true, false]);
  });
});
