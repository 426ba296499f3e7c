import assert from "node:assert/strict";
import { performance } from "node:perf_hooks";
import { Scheduler } from "../../../src/tenant/queue/scheduler";

describe("lanes with a rate", () => {
  const now = performance.now.bind(performance);
  afterEach(() => {
    performance.now = now;
  });

  it("start an entry whose slot falls due while they look for it", async () => {
    // Clocks that advance at each reading: together they cover every instant between two readings.
    for (let step = 0.05; step < 1; step += 0.05) {
      let time = 1000;
      performance.now = () => {
        time += step;
        return time;
      };
      const started: number[] = [];
      const start = (entry: number) => {
        started.push(entry);
        return true;
      };
      const lanes = new Scheduler<number>({ concurrency: 8, rate: 1000, backlog: 100 }, start, () => 0);
      for (const entry of [1, 2, 3, 4, 5]) lanes.add("callOut", entry);
      for (let turn = 0; turn < 400 && started.length < 5; turn += 1)
        await new Promise((resolve) => setTimeout(resolve, 2));
      assert.deepEqual(started, [1, 2, 3, 4, 5], `steps of ${step.toFixed(2)} ms`);
    }
  });
});
