import assert from "node:assert/strict";
import { performance } from "node:perf_hooks";
import type { Entry } from "../../../src/backlog/backlog";
import { LocalBacklog } from "../../../src/backlog/local/local-backlog";
import { memory } from "../../../src/backlog/local/store";
import { Stage } from "./stage";

describe("a backlog in memory", () => {
  it("begins entries first in, first out, as many as there are places", async () => {
    const stage = new Stage();
    stage.places = 2;
    for (let n = 0; n < 5; n += 1) assert.deepEqual(await stage.accept(), { kind: "accepted" });
    assert.deepEqual(stage.begun, ["1", "2"]);
    assert.equal(stage.backlog.counts.waiting, 3);
    stage.places += 2;
    stage.backlog.look();
    assert.deepEqual(stage.begun, ["1", "2", "3", "4"]);
  });

  it("refuses more entries or bytes than may wait, but not one that begins at once", async () => {
    const stage = new Stage({ entries: 2, bytes: 10 });
    assert.deepEqual(await stage.accept({ size: 100 }), { kind: "accepted" });
    stage.places = 0;
    assert.deepEqual(await stage.accept({ size: 9 }), { kind: "accepted" });
    assert.deepEqual(await stage.accept({ size: 2 }), { kind: "full" });
    assert.deepEqual(await stage.accept({ size: 1 }), { kind: "accepted" });
    assert.deepEqual(await stage.accept({ size: 0 }), { kind: "full" });
  });

  it("accepts a key once, and tells the first use", async () => {
    const stage = new Stage();
    const key = { hash: "k", forMs: 60_000 };
    await stage.accept({ keys: [key] });
    const second = await stage.accept({ keys: [key] });
    assert.ok(second.kind === "duplicate");
    assert.equal(second.first.outcome, "pending");
    stage.runs[0]?.settle("unknown", null);
    const third = await stage.accept({ keys: [key] });
    assert.ok(third.kind === "duplicate");
    assert.equal(third.first.outcome, "unknown");
    assert.deepEqual(stage.begun, ["1"]);
  });

  it("gives a key back when its entry was not applied, or was dropped", async () => {
    const stage = new Stage();
    const key = { hash: "k", forMs: 60_000 };
    await stage.accept({ keys: [key] });
    stage.runs[0]?.settle("rejected", null);
    stage.backlog.pause();
    assert.deepEqual(await stage.accept({ keys: [key] }), { kind: "accepted" });
    assert.equal(await stage.backlog.drop(), 1);
    assert.deepEqual(await stage.accept({ keys: [key] }), { kind: "accepted" });
  });

  it("shares its keys with requests that do not wait in it", async () => {
    const stage = new Stage();
    const key = { hash: "k", forMs: 60_000 };
    assert.deepEqual(await stage.backlog.takeKey(key), { kind: "accepted" });
    assert.equal((await stage.accept({ keys: [key] })).kind, "duplicate");
    stage.backlog.settleKey(key, "not-applied");
    assert.equal((await stage.accept({ keys: [key] })).kind, "accepted");
  });

  it("begins nothing while it is paused or held, and resume ends both", async () => {
    const stage = new Stage();
    stage.backlog.pause();
    stage.backlog.hold(Date.now() + 60_000);
    await stage.accept();
    assert.deepEqual(stage.begun, []);
    assert.equal(stage.backlog.counts.paused, true);
    stage.backlog.resume();
    assert.deepEqual(stage.begun, ["1"]);
    assert.deepEqual(stage.backlog.counts, {
      waiting: 0,
      bytes: 0,
      restored: 0,
      paused: false,
      heldUntil: undefined,
    });
  });

  it("drops the entries of one node, and keeps the order of the others", async () => {
    const stage = new Stage();
    stage.backlog.pause();
    for (const nodeId of ["a", "b", "a", "b"]) await stage.accept({ nodeId });
    assert.equal(await stage.backlog.drop("a"), 2);
    assert.deepEqual(stage.ends, [
      ["1", { cut: "dropped" }],
      ["3", { cut: "dropped" }],
    ]);
    stage.backlog.resume();
    assert.deepEqual(stage.begun, ["2", "4"]);
  });

  it("lets the process do something else while it drops many", async () => {
    const stage = new Stage({ entries: 10_000 });
    stage.backlog.pause();
    for (let n = 0; n < 2000; n += 1) await stage.accept();
    let turns = 0;
    let dropped = false;
    const turn = () => {
      turns += 1;
      if (!dropped) setImmediate(turn);
    };
    setImmediate(turn);
    assert.equal(await stage.backlog.drop(), 2000);
    dropped = true;
    assert.ok(turns >= 3, `${turns} turns`);
  });

  it("has told all that it drops when the drop has ended, at the pace of its store", async () => {
    let storing = 0;
    let most = 0;
    const stage = new Stage(
      { entries: 20_000 },
      {
        ...memory,
        end: (_id, _outcome, _use, stored) => {
          storing += 1;
          most = Math.max(most, storing);
          setTimeout(() => {
            storing -= 1;
            stored();
          }, 50);
        },
      },
    );
    stage.backlog.pause();
    for (let n = 0; n < 12_000; n += 1) await stage.accept();
    assert.equal(await stage.backlog.drop(), 12_000);
    assert.equal(stage.ends.length, 12_000);
    assert.ok(most <= 5000, String(most));
  });

  it("ends entries whose time has passed without using a start", async () => {
    const stage = new Stage({ rate: 0.001 });
    stage.backlog.pause();
    for (let n = 0; n < 3; n += 1) await stage.accept({ notAfter: Date.now() - 1 });
    await stage.accept();
    stage.backlog.resume();
    assert.deepEqual(
      stage.ends.map(([, end]) => end),
      [{ cut: "expired" }, { cut: "expired" }, { cut: "expired" }],
    );
    assert.deepEqual(stage.begun, ["4"]);
    await stage.backlog.close();
  });

  it("keeps a key whose request was cut off for its time, and not for ever", async () => {
    let now = 1000;
    const cutOff = { hash: "cut off", at: 0, forMs: 5000, until: undefined, outcome: "pending" } as const;
    const waits = { ...cutOff, hash: "waits" };
    const entry: Entry = { id: "1", nodeId: "a", size: 1, content: null, keys: [{ hash: "waits", forMs: 5000 }] };
    const remains = {
      waiting: [entry],
      begun: [],
      untold: [],
      uses: [cutOff, waits],
      records: new Map(),
      paused: true,
      downMs: 0,
    };
    const backlog = new LocalBacklog({ ...memory, now: () => now }, remains);
    const outcomes = async () =>
      Promise.all(
        ["cut off", "waits"].map(async (hash) => {
          const taken = await backlog.takeKey({ hash, forMs: 5000 });
          return taken.kind === "duplicate" ? taken.first.outcome : taken.kind;
        }),
      );
    assert.deepEqual(await outcomes(), ["unknown", "pending"]);
    now = 6001;
    assert.deepEqual(await outcomes(), ["accepted", "pending"]);
  });

  describe("with a rate", () => {
    const now = performance.now.bind(performance);
    afterEach(() => {
      performance.now = now;
    });

    it("begins an entry whose start falls due while it looks for it", async () => {
      // Clocks that advance at each reading: together they cover every instant between two readings.
      for (let step = 0.05; step < 1; step += 0.05) {
        let time = 1000;
        performance.now = () => {
          time += step;
          return time;
        };
        const stage = new Stage({ rate: 1000 });
        for (let entry = 0; entry < 5; entry += 1) void stage.accept();
        for (let turn = 0; turn < 400 && stage.begun.length < 5; turn += 1)
          await new Promise((resolve) => setTimeout(resolve, 2));
        assert.deepEqual(stage.begun, ["1", "2", "3", "4", "5"], `steps of ${step.toFixed(2)} ms`);
      }
    });
  });
});
