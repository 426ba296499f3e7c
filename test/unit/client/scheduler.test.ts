import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { type Lane, type Others, Scheduler } from "../../../src/client/queue/scheduler";

describe("lanes of a tenant", () => {
  let started: string[];
  let freed: number;
  let lanes: Scheduler<string>;
  /** Call-outs that wait. */
  let others: Others;
  /** Entries named "late…" end with nothing to send, as one whose time has passed does. */
  const open = (limits: { concurrency?: number; backlog?: number } = {}) => {
    started = [];
    freed = 0;
    others = { waiting: 0, bytes: 0 };
    lanes = new Scheduler({
      start: (entry: string) => {
        started.push(entry);
        if (entry.startsWith("late")) lanes.finish("other");
      },
      // Entries named "100 MiB …" are that large.
      bytesOf: (entry) => (/^\d+(?= MiB)/.test(entry) ? Number.parseInt(entry, 10) * 1024 * 1024 : 1),
      others: () => others,
      freed: () => {
        freed += 1;
      },
    });
    lanes.renew({ concurrency: 8, backlog: 10_000, ...limits });
    lanes.open();
  };
  const add = (lane: Exclude<Lane, "callOut">, ...entries: string[]) => entries.map((entry) => lanes.add(lane, entry));
  const names = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}${index}`);
  /** Begins as many call-outs as there are places. */
  const callOut = () => {
    let begun = 0;
    for (; lanes.callOutPlaces > 0; begun += 1) lanes.beginCallOut();
    return begun;
  };

  it("starts first in, first out, and leaves places to call-outs when nothing else waits", () => {
    open({ concurrency: 1 });
    lanes.beginCallOut();
    add("other", "o1", "o2");
    deepStrictEqual([started, callOut()], [[], 0]);
    lanes.finish("callOut");
    deepStrictEqual([started, callOut()], [["o1"], 0]);
    lanes.finish("other");
    lanes.finish("other");
    deepStrictEqual([started, callOut()], [["o1", "o2"], 1]);
  });

  it("says when a place may be free for a call-out", () => {
    open({ concurrency: 1 });
    lanes.beginCallOut();
    const before = freed;
    lanes.finish("callOut");
    strictEqual(freed, before + 1);
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
      strictEqual(callOut(), callOuts);
      add("other", ...names("o", 300));
      strictEqual(started.length, concurrency - callOuts);
      strictEqual(lanes.inFlight, concurrency);
    });
  }

  it("the other lane may use every place", () => {
    open({ concurrency: 8 });
    add("other", ...names("o", 20));
    strictEqual(started.length, 8);
    strictEqual(callOut(), 0);
  });

  it("a backlog of 0 accepts jobs that can start immediately, and none that must wait", () => {
    open({ concurrency: 1, backlog: 0 });
    deepStrictEqual(add("other", "o1", "o2"), [true, false]);
    lanes.finish("other");
    deepStrictEqual(add("other", "o3"), [true]);
  });

  it("a backlog of 2 is shared with the call-outs", () => {
    open({ concurrency: 1, backlog: 2 });
    lanes.beginCallOut();
    others = { waiting: 1, bytes: 1 };
    deepStrictEqual(add("other", "o1", "o2"), [true, false]);
    deepStrictEqual(lanes.waiting, { waiting: 1, bytes: 1 });
  });

  it("256 MiB may wait, with the call-outs", () => {
    open({ concurrency: 1 });
    deepStrictEqual(add("other", "300 MiB starts at once"), [true]);
    others = { waiting: 2, bytes: 200 * 1024 * 1024 };
    deepStrictEqual(add("live", "57 MiB"), [false]);
    deepStrictEqual(add("live", "56 MiB c", "small"), [true, false]);
    others = { waiting: 0, bytes: 0 };
    deepStrictEqual(add("other", "200 MiB", "small"), [true, false]);
    strictEqual(lanes.take(() => true).length, 2);
    deepStrictEqual(add("other", "256 MiB e", "small"), [true, false]);
  });

  it("actions on live calls start before the rest, first in, first out, and count with it", () => {
    open({ concurrency: 1 });
    add("other", "o1", "o2");
    add("live", "l1", "l2");
    deepStrictEqual(lanes.waiting.waiting, 3);
    for (const lane of ["other", "live", "live"] as const) lanes.finish(lane);
    deepStrictEqual(started, ["o1", "l1", "l2", "o2"]);
  });

  it("begin anew with other limits: nothing starts before they are opened, then every place is free", () => {
    open({ concurrency: 1 });
    add("other", "o1", "o2", "o3", "o4");
    lanes.renew({ concurrency: 2, backlog: 1 });
    deepStrictEqual([started, callOut()], [["o1"], 0]);
    lanes.open();
    deepStrictEqual(started, ["o1", "o2", "o3"]);
    deepStrictEqual(add("other", "o5"), [false]);
  });

  it("gives back the entries that are meant, and keeps the order of the others", () => {
    open({ concurrency: 1 });
    add("other", "o1", "a1", "b1", "a2");
    add("live", "a3", "b2");
    deepStrictEqual(
      lanes.take((entry) => entry.startsWith("a")),
      ["a3", "a1", "a2"],
    );
    deepStrictEqual(lanes.waiting, { waiting: 2, bytes: 2 });
    lanes.finish("other");
    lanes.finish("live");
    deepStrictEqual(started, ["o1", "b2", "b1"]);
  });

  it("thousands that end as they start do not pile up on the stack", () => {
    open({ concurrency: 1, backlog: 1_000_000 });
    lanes.renew({ concurrency: 1, backlog: 1_000_000 });
    add("other", ...names("late", 100_000));
    lanes.open();
    strictEqual(started.length, 100_000);
    strictEqual(lanes.inFlight, 0);
  });
});
