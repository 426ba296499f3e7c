import assert from "node:assert/strict";
import fc from "fast-check";
import type { Entry, Limits } from "../../../src/backlog";
import type { Store } from "../../../src/backlog/store";
import { Stage } from "./stage";
import { until } from "./until";

/** Opens stores of one engine. */
export interface Engine {
  /** A store with nothing in it. */
  open(): Promise<Store>;
  /** What the next process opens, after the last one has closed it. Absent if nothing outlives a process. */
  reopen?(): Promise<Store>;
}

const anytime = { anytime: true } as const;
const key = { hash: "k", forMs: 60_000 };
const number = { hash: "number", forMs: 3_600_000, uses: 2 };

/** The promises of a backlog with any engine. */
export function backlogContract(engine: Engine): void {
  const open: Stage[] = [];
  const staged = async (limits: Partial<Limits> = {}) => {
    const stage = new Stage(await engine.open(), limits);
    open.push(stage);
    return stage;
  };
  const paused = async (limits: Partial<Limits> = {}) => {
    const stage = await staged(limits);
    stage.backlog.pause();
    return stage;
  };
  const accepted = async (stage: Stage, ...entries: Partial<Entry>[]) => {
    for (const more of entries) assert.deepEqual(await stage.accept(more), { kind: "accepted" });
  };
  const begins = (stage: Stage, ...ids: string[]) =>
    until(() => stage.begun.length >= ids.length).then(() => assert.deepEqual(stage.begun, ids));
  const ends = (stage: Stage, count: number) => until(() => stage.ends.length >= count);

  afterEach(() => Promise.all(open.splice(0).map(({ backlog }) => backlog.close())));

  describe("order", () => {
    it("first in, first out, as many as there are places", async () => {
      const stage = await staged();
      stage.places = 2;
      await accepted(stage, {}, {}, {}, {}, {});
      await begins(stage, "1", "2");
      assert.equal(stage.backlog.counts.waiting, 3);
      stage.places += 2;
      stage.backlog.dispatch();
      await begins(stage, "1", "2", "3", "4");
    });

    it("while starts are closed, only what begins at any time, and the others in order once they open", async () => {
      const stage = await staged();
      stage.isOpen = false;
      await accepted(stage, {}, anytime, {}, anytime);
      await begins(stage, "2", "4");
      assert.equal(stage.backlog.counts.waiting, 2);
      stage.isOpen = true;
      stage.backlog.dispatch();
      await begins(stage, "2", "4", "1", "3");
    });

    it("of all while starts are open", async () => {
      const stage = await paused();
      await accepted(stage, {}, anytime, {}, anytime);
      stage.backlog.resume();
      await begins(stage, "1", "2", "3", "4");
    });

    it("runs that may not leave wait again, in front of the others", async () => {
      const stage = await staged();
      stage.places = 2;
      await accepted(stage, {}, {}, {}, anytime);
      await begins(stage, "1", "2");
      const [first, second] = stage.runs.splice(0);
      stage.isOpen = false;
      second?.requeue();
      first?.requeue();
      await until(() => stage.backlog.counts.waiting === 4);
      stage.places = 2;
      stage.backlog.dispatch();
      await begins(stage, "1", "2", "4");
      stage.isOpen = true;
      stage.places = 3;
      stage.backlog.dispatch();
      await begins(stage, "1", "2", "4", "1", "2", "3");
    });

    it("nothing while it is paused or held; resume ends both", async () => {
      const stage = await paused();
      stage.backlog.hold(Date.now() + 60_000);
      await accepted(stage, {});
      const { paused: isPaused, heldUntil, waiting } = stage.backlog.counts;
      assert.deepEqual([isPaused, heldUntil !== undefined, waiting, stage.begun], [true, true, 1, []]);
      stage.backlog.resume();
      await begins(stage, "1");
      assert.deepEqual([stage.backlog.counts.paused, stage.backlog.counts.heldUntil], [false, undefined]);
    });
  });

  describe("room", () => {
    it("for as many entries and bytes as may wait, and for one that begins at once", async () => {
      const stage = await staged({ entries: 2, bytes: 10 });
      await accepted(stage, { size: 100 });
      stage.places = 0;
      await accepted(stage, { size: 9 });
      assert.deepEqual(await stage.accept({ size: 2 }), { kind: "full" });
      await accepted(stage, { size: 1 });
      assert.deepEqual(await stage.accept({ size: 0 }), { kind: "full" });
    });

    it("beside what waits elsewhere in the process", async () => {
      const stage = await paused({ entries: 2 });
      stage.waitingElsewhere = { waiting: 1, bytes: 0 };
      await accepted(stage, {});
      assert.deepEqual(await stage.accept(), { kind: "full" });
    });

    it("not for one that begins at once while starts are closed", async () => {
      const stage = await staged({ entries: 1 });
      stage.isOpen = false;
      await accepted(stage, {});
      assert.deepEqual(await stage.accept(), { kind: "full" });
      stage.places = 1;
      assert.deepEqual(await stage.accept(anytime), { kind: "full" });
    });
  });

  describe("keys", () => {
    it("are taken once, and the second one learns of the first", async () => {
      const stage = await staged();
      await accepted(stage, { keys: [key] });
      await begins(stage, "1");
      const second = await stage.accept({ keys: [key] });
      assert.ok(second.kind === "duplicate" && second.first.outcome === "pending", JSON.stringify(second));
      stage.runs[0]?.settle("unknown", null);
      await ends(stage, 1);
      const third = await stage.accept({ keys: [key] });
      assert.ok(third.kind === "duplicate" && third.first.outcome === "unknown", JSON.stringify(third));
      assert.deepEqual(stage.begun, ["1"]);
    });

    it("are given back by what was not applied, or was dropped", async () => {
      const stage = await staged();
      await accepted(stage, { keys: [key] });
      await begins(stage, "1");
      stage.runs[0]?.settle("rejected", null);
      await ends(stage, 1);
      stage.backlog.pause();
      await accepted(stage, { keys: [key] });
      assert.equal(await stage.backlog.drop(), 1);
      await accepted(stage, { keys: [key] });
    });

    it("are shared with requests that do not wait in the backlog", async () => {
      const stage = await staged();
      assert.deepEqual(await stage.backlog.takeKey(key), { kind: "accepted" });
      assert.equal((await stage.accept({ keys: [key] })).kind, "duplicate");
      stage.backlog.settleKey(key, "not-applied");
      await until(async () => (await stage.backlog.tryKey(key)).kind === "accepted");
      await accepted(stage, { keys: [key] });
    });

    it("are all taken, or none", async () => {
      const stage = await paused();
      const once = { hash: "once", forMs: 3_600_000 };
      await accepted(stage, { keys: [number] }, { keys: [number] });
      assert.deepEqual(await stage.accept({ keys: [once, number] }), { kind: "usedUp", retryAfterMs: 3_600_000 });
      assert.deepEqual(await stage.backlog.tryKey(once), { kind: "accepted" });
      await accepted(stage, { keys: [once] });
      const other = { ...number, hash: "other", uses: 1 };
      assert.equal((await stage.accept({ keys: [other, once] })).kind, "duplicate");
      assert.deepEqual(await stage.backlog.tryKey(other), { kind: "accepted" });
    });

    it("of several uses are counted, and given back one by one", async () => {
      const stage = await staged();
      await accepted(stage, { keys: [number] }, { keys: [number] });
      await until(() => stage.runs.length === 2);
      stage.runs[0]?.settle("applied", null);
      stage.runs[1]?.settle("rejected", null);
      await ends(stage, 2);
      stage.backlog.pause();
      await accepted(stage, { keys: [number] });
      assert.equal((await stage.backlog.tryKey(number)).kind, "usedUp");
      assert.equal(await stage.backlog.drop(), 1);
      assert.deepEqual(await stage.backlog.tryKey(number), { kind: "accepted" });
    });
  });

  describe("an end", () => {
    it("is reported once, with the result of the run", async () => {
      const stage = await staged();
      await accepted(stage, {});
      await begins(stage, "1");
      stage.runs[0]?.settle("applied", "result");
      await ends(stage, 1);
      assert.deepEqual(stage.ends, [["1", { result: "result" }]]);
    });

    it("expired: what its time has passed for uses no start", async () => {
      const stage = await paused({ rate: 0.001 });
      const late = { notAfter: Date.now() - 1000 };
      await accepted(stage, late, late, {});
      stage.backlog.resume();
      await begins(stage, "3");
      await ends(stage, 2);
      assert.deepEqual(
        stage.ends.map(([, end]) => end),
        [{ cut: "expired" }, { cut: "expired" }],
      );
    });

    it("dropped: of one node, and the others keep their order", async () => {
      const stage = await paused();
      for (const nodeId of ["a", "b", "a", "b"]) await accepted(stage, { nodeId });
      assert.equal(await stage.backlog.drop({ nodeId: "a" }), 2);
      assert.deepEqual(stage.ends, [
        ["1", { cut: "dropped" }],
        ["3", { cut: "dropped" }],
      ]);
      stage.backlog.resume();
      await begins(stage, "2", "4");
    });

    it("cancelled: one entry, which gives its keys back, unless it has begun or is unknown", async () => {
      const stage = await staged();
      stage.places = 1;
      await accepted(stage, {}, { keys: [key] }, {});
      await begins(stage, "1");
      assert.deepEqual(
        [await stage.backlog.withdraw("2"), await stage.backlog.withdraw("2"), await stage.backlog.withdraw("1")],
        [true, false, false],
      );
      assert.equal(await stage.backlog.withdraw("unknown"), false);
      assert.deepEqual(stage.ends, [["2", { cut: "dropped" }]]);
      assert.deepEqual(await stage.backlog.tryKey(key), { kind: "accepted" });
      stage.places = 1;
      stage.backlog.dispatch();
      await begins(stage, "1", "3");
    });

    for (const [what, end] of [
      ["dropped", (stage: Stage) => stage.backlog.drop()],
      ["dropped", (stage: Stage) => stage.backlog.drop({ nodeId: "a" })],
      ["givenUp", (stage: Stage) => stage.backlog.failAll()],
    ] as const)
      it(`${what}: also what is just being written down (${end})`, async () => {
        const stage = await staged();
        stage.places = 0;
        const accepting = Array.from({ length: 20 }, () => stage.accept());
        const count = await end(stage);
        assert.ok((await Promise.all(accepting)).every(({ kind }) => kind === "accepted"));
        assert.equal(count, 20);
        stage.places = 20;
        stage.backlog.dispatch();
        await accepted(stage, {});
        await begins(stage, "21");
        assert.deepEqual(
          stage.ends.map(([, settlement]) => settlement),
          Array.from({ length: 20 }, () => ({ cut: what })),
        );
      });
  });

  describe("records", () => {
    it("are created once, changed and removed, and hear notes", async () => {
      const stage = await staged();
      const { records } = stage.backlog;
      assert.equal(await records.create("a", 1), true);
      assert.equal(await records.create("a", 2), false);
      assert.equal(await records.update("a", 3), true);
      assert.equal(await records.update("b", 4), false);
      assert.equal(await records.note("a", "note"), true);
      assert.equal(await records.note("b", "note"), false);
      await records.remove("a");
      await records.remove("a");
      assert.equal(await records.update("a", 5), false);
      assert.equal(await records.create("a", 6), true);
      await until(() => stage.notes.length === 1);
      assert.deepEqual(stage.notes, [["noted", "a", "note"]]);
    });
  });

  it("each accepted entry ends exactly once, and nothing begins after it was ended, in any order of events", async () => {
    const step = fc.constantFrom(
      "accept",
      "accept any",
      "drop",
      "drop a",
      "cancel",
      "pause",
      "resume",
      "close",
      "open",
      "settle",
      "requeue",
      "wait",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const stage = await staged();
        stage.places = 3;
        const { backlog, runs } = stage;
        const accepting: Promise<unknown>[] = [];
        let expected = 0;
        /** What must not begin any more: the number of its starts when it was ended. */
        const cut = new Map<string, number>();
        const starts = (id: string) => stage.begun.filter((one) => one === id).length;
        const accept = (more: Partial<Entry>) => {
          expected += 1;
          accepting.push(stage.accept({ id: String(expected), nodeId: expected % 2 ? "a" : "b", ...more }));
        };
        for (const what of steps) {
          const run = runs[0];
          if (what === "accept") accept({});
          else if (what === "accept any") accept(anytime);
          else if (what === "drop" || what === "drop a") {
            for (let id = 1; id <= expected; id += 1)
              if ((what === "drop" || id % 2) && !runs.some(({ entry }) => entry.id === String(id)))
                cut.set(String(id), starts(String(id)));
            accepting.push(what === "drop" ? backlog.drop() : backlog.drop({ nodeId: "a" }));
          } else if (what === "cancel") accepting.push(backlog.withdraw(String(expected)));
          else if (what === "pause") backlog.pause();
          else if (what === "resume") backlog.resume();
          else if (what === "close" || what === "open") {
            stage.isOpen = what === "open";
            backlog.dispatch();
          } else if (what === "wait") await new Promise((resolve) => setTimeout(resolve, 2));
          else if (run) {
            runs.shift();
            stage.places += 1;
            if (what === "settle") run.settle("applied", null);
            else run.requeue();
            backlog.dispatch();
          }
        }
        await Promise.all(accepting);
        stage.isOpen = true;
        backlog.resume();
        await until(() => {
          for (const run of runs.splice(0)) {
            stage.places += 1;
            run.settle("applied", null);
          }
          backlog.dispatch();
          return stage.ends.length >= expected;
        });
        assert.deepEqual([...stage.ended].sort(), Array.from({ length: expected }, (_, n) => String(n + 1)).sort());
        for (const [id, count] of cut) assert.equal(starts(id), count, `${id} began after it was dropped`);
      }),
      { numRuns: 40 },
    );
  });

  if (!engine.reopen) return;
  const restarted = async (...gone: string[]) => {
    const stage = new Stage((await engine.reopen?.()) as Store, null);
    open.push(stage);
    for (const nodeId of gone) stage.gone.add(nodeId);
    stage.serve();
    return stage;
  };
  const closed = async (stage: Stage) => {
    open.splice(open.indexOf(stage), 1);
    await stage.backlog.close();
  };

  describe("after a restart", () => {
    it("what waited goes on in order, and what had begun is lost", async () => {
      const first = await staged();
      first.places = 2;
      await accepted(first, {}, {}, {}, anytime, { keys: [number] });
      await begins(first, "1", "2");
      first.runs[1]?.settle("applied", null);
      await ends(first, 1);
      await closed(first);
      const second = await restarted();
      await until(() => second.begun.length === 3 && second.ends.length === 1);
      assert.deepEqual([second.begun, second.ends], [["3", "4", "5"], [["1", { cut: "lost" }]]]);
      assert.equal(second.backlog.counts.restored, 3);
      for (const run of second.runs) run.settle("rejected", null);
      await ends(second, 4);
      assert.equal(second.backlog.counts.restored, 0);
      assert.deepEqual(await second.backlog.tryKey({ ...number, uses: 1 }), { kind: "accepted" });
    });

    it("what waited for a node that is gone is dropped, also while the backlog is paused", async () => {
      const first = await paused();
      for (const nodeId of ["gone", "there", "gone"]) await accepted(first, { nodeId });
      await closed(first);
      const second = await restarted("gone");
      await ends(second, 2);
      assert.deepEqual(second.ends, [
        ["1", { cut: "dropped" }],
        ["3", { cut: "dropped" }],
      ]);
      assert.deepEqual([second.begun, second.backlog.counts.waiting, second.backlog.counts.paused], [[], 1, true]);
    });

    it("what was cancelled or taken back is as it was", async () => {
      const first = await staged();
      first.places = 1;
      await accepted(first, {}, {}, {});
      await begins(first, "1");
      first.runs[0]?.requeue();
      assert.equal(await first.backlog.withdraw("2"), true);
      await until(() => first.backlog.counts.waiting === 2);
      await closed(first);
      const second = await restarted();
      await begins(second, "1", "3");
      assert.deepEqual(second.ends, []);
    });

    it("keys are still taken, and records restored before anything begins", async () => {
      const first = await staged();
      await accepted(first, { keys: [key] });
      await begins(first, "1");
      first.runs[0]?.settle("applied", null);
      await ends(first, 1);
      await first.backlog.records.create("a", { n: 1 });
      await first.backlog.records.update("a", { n: 2 });
      await first.backlog.records.create("b", 1);
      await first.backlog.records.remove("b");
      await closed(first);
      const second = await restarted();
      await until(() => second.notes.length > 0);
      assert.deepEqual(second.notes, [["restored", "a", { n: 2 }]]);
      assert.equal((await second.accept({ id: "again", keys: [key] })).kind, "duplicate");
      assert.deepEqual(
        [await second.backlog.records.create("a", 3), await second.backlog.records.create("b", 3)],
        [false, true],
      );
    });
  });
}
