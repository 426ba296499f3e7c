import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { performance } from "node:perf_hooks";
import { mock } from "node:test";
import { type Lane, Scheduler } from "../../../src/tenant/queue/scheduler";

describe("lanes of a tenant", () => {
  let started: string[];
  let lanes: Scheduler<string>;
  /** Entries named "late…" end with nothing to send, as one whose time has passed does. */
  const open = (limits: { concurrency?: number; rate?: number; backlog?: number } = {}) => {
    started = [];
    const start = (entry: string) => {
      started.push(entry);
      if (!entry.startsWith("late")) return true;
      lanes.finish("callOut");
      return false;
    };
    lanes = new Scheduler({ concurrency: 8, rate: 0, backlog: 10_000, ...limits }, start, bytesOf);
  };
  /** Entries named "100 MiB …" are that large. */
  const bytesOf = (entry: string) => (/^\d+(?= MiB)/.test(entry) ? Number.parseInt(entry, 10) * 1024 * 1024 : 1);
  const add = (lane: Lane, ...entries: string[]) => entries.map((entry) => lanes.add(lane, entry));
  const names = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}${index}`);

  it("starts first in, first out within a lane, the other lane first", () => {
    open({ concurrency: 1 });
    add("callOut", "c1", "c2", "c3");
    add("other", "o1", "o2");
    for (const lane of ["callOut", "other", "other", "callOut"] as const) lanes.finish(lane);
    deepStrictEqual(started, ["c1", "o1", "o2", "c2", "c3"]);
  });

  for (const [concurrency, callOuts] of [
    [1, 1],
    [3, 3],
    [4, 3],
    [7, 6],
    [8, 6],
    [16, 12],
    [256, 192],
  ] as const) {
    it(`of ${concurrency} at once, ${callOuts} may be call-outs`, () => {
      open({ concurrency });
      add("callOut", ...names("c", 300));
      strictEqual(started.length, callOuts);
      add("other", ...names("o", 300));
      strictEqual(started.length, concurrency);
      strictEqual(lanes.inFlight, concurrency);
    });
  }

  it("the other lane may use every place", () => {
    open({ concurrency: 8 });
    add("other", ...names("o", 20));
    strictEqual(started.length, 8);
  });

  it("a backlog of 0 accepts jobs that can start immediately, and none that must wait", () => {
    open({ concurrency: 1, backlog: 0 });
    deepStrictEqual(add("other", "o1", "o2"), [true, false]);
    deepStrictEqual(add("callOut", "c1"), [false]);
    lanes.finish("other");
    deepStrictEqual(add("callOut", "c2"), [true]);
  });

  it("a backlog of 2 is shared by both lanes", () => {
    open({ concurrency: 1, backlog: 2 });
    deepStrictEqual(add("callOut", "c1", "c2"), [true, true]);
    deepStrictEqual(add("other", "o1", "o2"), [true, false]);
    deepStrictEqual(lanes.waiting, { callOut: 1, other: 1 });
  });

  it("256 MiB may wait, both lanes together", () => {
    open({ concurrency: 1 });
    deepStrictEqual(add("callOut", "300 MiB starts at once"), [true]);
    deepStrictEqual(add("callOut", "100 MiB a", "100 MiB b", "57 MiB"), [true, true, false]);
    deepStrictEqual(add("live", "56 MiB c", "small"), [true, false]);
    lanes.finish("callOut");
    deepStrictEqual(add("live", "56 MiB d"), [true]);
    lanes.readmit("live", "100 MiB accepted before");
    strictEqual(add("other", "small")[0], false);
    strictEqual(lanes.drain().length, 4);
    deepStrictEqual(add("callOut", "256 MiB e", "small"), [true, false]);
  });

  it("pausing holds call-out only", () => {
    open();
    lanes.pause();
    add("callOut", "c1");
    add("other", "o1");
    deepStrictEqual(started, ["o1"]);
    strictEqual(lanes.paused, true);
    lanes.resume();
    deepStrictEqual(started, ["o1", "c1"]);
  });

  it("actions on live calls start before the rest of the other lane, first in, first out, and count with it", () => {
    open({ concurrency: 1 });
    add("other", "o1", "o2");
    add("live", "l1", "l2");
    add("callOut", "c1");
    deepStrictEqual(lanes.waiting, { callOut: 1, other: 3 });
    for (const lane of ["other", "live", "live", "other"] as const) lanes.finish(lane);
    deepStrictEqual(started, ["o1", "l1", "l2", "o2", "c1"]);
  });

  it("holding holds call-out only, and is no pause", () => {
    open();
    lanes.hold(1000);
    add("callOut", "c1");
    add("other", "o1");
    add("live", "l1");
    deepStrictEqual(started, ["o1", "l1"]);
    deepStrictEqual([lanes.paused, lanes.heldUntil], [false, 1000]);
    lanes.release();
    deepStrictEqual(started, ["o1", "l1", "c1"]);
    strictEqual(lanes.heldUntil, undefined);
  });

  it("the end of a hold does not end a pause, resuming ends both", () => {
    open();
    lanes.pause();
    lanes.hold(1000);
    add("callOut", "c1");
    lanes.release();
    deepStrictEqual([started, lanes.paused], [[], true]);
    lanes.hold(2000);
    lanes.resume();
    deepStrictEqual([started, lanes.paused, lanes.heldUntil], [["c1"], false, undefined]);
  });

  it("shut, nothing starts until they are opened", () => {
    open();
    lanes.shut();
    add("callOut", "c1");
    add("other", "o1");
    deepStrictEqual(started, []);
    lanes.open();
    deepStrictEqual(started, ["o1", "c1"]);
  });

  it("thousands that end as they start do not pile up on the stack", () => {
    open({ concurrency: 1, backlog: 1_000_000 });
    lanes.pause();
    add("callOut", ...names("late", 100_000));
    lanes.resume();
    strictEqual(started.length, 100_000);
    strictEqual(lanes.inFlight, 0);
  });

  it("a retry delays no call-out without a rate", () => {
    open();
    const now = performance.now();
    strictEqual(lanes.reserve("callOut", now + 60_000, now + 90_000), now + 60_000);
    deepStrictEqual(add("callOut", "c1"), [true]);
    deepStrictEqual(started, ["c1"]);
  });

  it("a repeated attempt that cannot start in time is not made", () => {
    open({ rate: 0.01 });
    add("callOut", "c1");
    const now = performance.now();
    strictEqual(lanes.reserve("callOut", now, now + 30_000), undefined);
    strictEqual(lanes.reserve("other", now + 100, now + 30_000), now + 100);
  });

  describe("with a rate", () => {
    let clock: number;
    beforeEach(() => {
      clock = 1_000_000;
      mock.method(performance, "now", () => clock);
      mock.timers.enable({ apis: ["setTimeout"] });
    });
    afterEach(() => {
      mock.restoreAll();
      mock.timers.reset();
    });
    const pass = (milliseconds: number) => {
      for (let passed = 0; passed < milliseconds; passed += 10) {
        clock += 10;
        mock.timers.tick(10);
      }
    };

    it("starts evenly spaced, without bursts", () => {
      open({ rate: 10, concurrency: 256 });
      add("callOut", ...names("c", 100));
      strictEqual(started.length, 1);
      const counts: number[] = [];
      for (let second = 0; second < 5; second += 1) {
        const before = started.length;
        pass(1000);
        counts.push(started.length - before);
      }
      deepStrictEqual(counts, [10, 10, 10, 10, 10]);
      // A pause of the campaign saves up nothing.
      lanes.pause();
      pass(10_000);
      const before = started.length;
      lanes.resume();
      strictEqual(started.length, before + 1);
    });

    it("accepts fractions: one every five seconds", () => {
      open({ rate: 0.2 });
      add("callOut", "c1", "c2", "c3");
      pass(4900);
      strictEqual(started.length, 1);
      pass(200);
      strictEqual(started.length, 2);
      pass(5000);
      strictEqual(started.length, 3);
    });

    it("limits call-out only", () => {
      open({ rate: 0.2, concurrency: 8 });
      add("callOut", "c1", "c2");
      add("other", "o1", "o2", "o3");
      deepStrictEqual(started, ["c1", "o1", "o2", "o3"]);
    });

    it("repeated attempts count, and cost the others no slot", () => {
      open({ rate: 10, concurrency: 256 });
      add("callOut", ...names("c", 30));
      const slots = [400, 400, 900].map(
        (pause) => lanes.reserve("callOut", clock + pause, clock + 30_000) ?? Number.NaN,
      );
      const starts = started.length;
      const begun: number[] = [];
      for (let passed = 0; passed < 2000; passed += 10) {
        const before = started.length;
        pass(10);
        if (started.length > before) begun.push(clock);
      }
      const all = [...slots, ...begun].sort((a, b) => a - b);
      for (const [index, at] of all.slice(1).entries()) {
        ok(at - (all[index] ?? 0) >= 100, `evenly spaced: ${all.map((instant) => instant - 1_000_000)}`);
      }
      ok(started.length - starts >= 15, `the slots before a repeated attempt are used: ${started.length - starts}`);
    });

    it("a job that ends without a request takes no slot", () => {
      open({ rate: 0.2 });
      add("callOut", "late0", "late1", "c1", "late2", "c2");
      deepStrictEqual(started, ["late0", "late1", "c1"]);
      pass(5010);
      deepStrictEqual(started, ["late0", "late1", "c1", "late2", "c2"]);
    });

    it("leaves no timer when emptied", () => {
      open({ rate: 0.2 });
      add("callOut", "c1", "c2");
      deepStrictEqual(lanes.drain(), ["c2"]);
      pass(20_000);
      deepStrictEqual(started, ["c1"]);
    });
  });
});
