import assert from "node:assert/strict";
import { performance } from "node:perf_hooks";
import { mock } from "node:test";
import { MemoryStore } from "../../../src/backlog/memory";
import { NOTHING, restoring, Stage, storeWith } from "../../support/backlog/stage";
import { until } from "../../support/backlog/until";

const MINUTE = 60_000;
const ENTRY = { nodeId: "a", size: 1, content: null };

describe("a backlog", () => {
  it("lets the process do something else while it drops many", async () => {
    const stage = new Stage(new MemoryStore(), { entries: 10_000 });
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

  it("has reported all that it drops when the drop has ended, at the pace of its store", async () => {
    let storing = 0;
    let most = 0;
    const settle = () => {
      storing += 1;
      most = Math.max(most, storing);
      return new Promise<void>((resolve) =>
        setTimeout(() => {
          storing -= 1;
          resolve();
        }, 50),
      );
    };
    const stage = new Stage(storeWith({ settle }), { entries: 20_000 });
    stage.backlog.pause();
    for (let n = 0; n < 12_000; n += 1) await stage.accept();
    const dropping = stage.backlog.drop();
    stage.backlog.resume();
    assert.equal(await dropping, 12_000);
    assert.equal(stage.ends.length, 12_000);
    assert.deepEqual(stage.begun, []);
    assert.ok(most <= 5000, String(most));
  });

  it("ends what it has asked its store for, if it is dropped meanwhile", async () => {
    const answers: (() => void)[] = [];
    const begin = () => new Promise<"begun">((resolve) => answers.push(() => resolve("begun")));
    const stage = new Stage(storeWith({ begin }));
    await stage.accept();
    const dropping = stage.backlog.drop();
    answers[0]?.();
    assert.equal(await dropping, 1);
    assert.deepEqual([stage.begun, stage.ends], [[], [["1", { cut: "dropped" }]]]);
  });

  it("asks again for what may not begin yet, in order, after the store's pause or when the store says so", async () => {
    let answer: "begun" | { retryInMs: number } = { retryInMs: Number.POSITIVE_INFINITY };
    const stage = new Stage(storeWith({ begin: () => answer }));
    for (let n = 0; n < 3; n += 1) await stage.accept();
    assert.deepEqual([stage.begun, stage.backlog.counts.waiting], [[], 3]);
    answer = { retryInMs: 5 };
    stage.backlog.retry();
    assert.deepEqual(stage.begun, []);
    answer = "begun";
    await until(() => stage.begun.length === 3);
    assert.deepEqual(stage.begun, ["1", "2", "3"]);
  });

  it("lets go of all that another instance has restored", async () => {
    const stage = new Stage();
    stage.places = 1;
    for (let n = 0; n < 2; n += 1) await stage.accept();
    stage.backlog.onInherited();
    assert.deepEqual(stage.inherited, ["1", "2"]);
    stage.runs[0]?.settle("applied", null);
    assert.deepEqual([stage.ends, stage.backlog.counts.waiting], [[], 0]);
  });

  it("puts what was restored later in front of its own entries, in order", () => {
    const entries = ["a", "b", "c"].map((id) => ({ id, nodeId: "a", size: 1, content: null }));
    const stage = new Stage();
    stage.backlog.pause();
    void stage.accept();
    stage.backlog.onRestored({ ...NOTHING, waiting: entries.slice(0, 2) });
    stage.backlog.onRestored({ ...NOTHING, waiting: entries.slice(2) });
    stage.backlog.resume();
    assert.deepEqual(stage.begun, ["a", "b", "c", "1"]);
  });

  it("reports a failure of its store to whom it serves later", () => {
    const stage = new Stage(storeWith({ start: (events) => events.onFailure("away") }), null);
    stage.serve();
    assert.deepEqual(stage.failures, ["away"]);
  });

  it("sets no timer while starts are closed, however much waits for a rate", async () => {
    const stage = new Stage(new MemoryStore(), { rate: 10 });
    stage.isOpen = false;
    const timers = mock.method(globalThis, "setTimeout");
    try {
      for (let n = 0; n < 20; n += 1) await stage.accept();
      stage.backlog.dispatch();
      assert.equal(timers.mock.callCount(), 0);
      stage.isOpen = true;
      stage.backlog.dispatch();
      assert.equal(timers.mock.callCount(), 1);
    } finally {
      timers.mock.restore();
      await stage.backlog.close();
    }
  });

  it("has no record that its store did not take", async () => {
    let fails = true;
    const setRecord = () => (fails ? Promise.reject(new Error("full")) : Promise.resolve(true));
    const { records } = new Stage(storeWith({ setRecord })).backlog;
    await assert.rejects(records.create("a", 1), /full/);
    assert.equal(await records.note("a", 1), false);
    fails = false;
    assert.equal(await records.create("a", 1), true);
    fails = true;
    await assert.rejects(records.update("a", 1), /full/);
  });

  for (const [minutes, isHeldBack] of [
    [14, false],
    [16, true],
    [undefined, true],
  ] as const)
    it(`${isHeldBack ? "holds back" : "goes on with"} what had its turn before a stop of ${minutes ?? "unknown"} minutes`, async () => {
      const stoppedForMs = minutes === undefined ? undefined : minutes * MINUTE;
      const held: unknown[][] = [];
      const holdBack = (...what: unknown[]) => void held.push(what);
      const past = { ...ENTRY, id: "past", notBefore: Date.now() - MINUTE };
      const waiting = [past, { ...ENTRY, id: "1" }, { ...ENTRY, id: "2", anytime: true } as const];
      const future = { ...ENTRY, id: "future", notBefore: Date.now() + MINUTE };
      const records = new Map([["a", 1]]);
      const stage = new Stage(restoring({ waiting: [...waiting, future], records, stoppedForMs }, { holdBack }));
      const { backlog } = stage;
      await stage.accept({ id: "new" });
      await until(() => stage.begun.length >= (isHeldBack ? 1 : 4));
      const { paused, heldBack, dated, waiting: count } = backlog.counts;
      assert.deepEqual(
        [stage.begun.sort(), paused, heldBack, dated, count],
        isHeldBack ? [["new"], false, 3, 1, 4] : [["1", "2", "new", "past"], false, 0, 1, 1],
      );
      assert.deepEqual(held, isHeldBack ? [[["1", "2", "past"], ["a"]]] : []);
      assert.equal(backlog.records.isHeldBack("a"), isHeldBack);
      if (isHeldBack) await stage.accept({ id: "next of a", heldBack: true });
      backlog.resume();
      assert.equal(backlog.records.isHeldBack("a"), false);
      if (isHeldBack) await until(() => stage.begun.length >= 5);
      if (isHeldBack) assert.deepEqual(stage.begun, ["new", "1", "2", "next of a", "past"]);
      await backlog.close();
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
        const stage = new Stage(new MemoryStore(), { rate: 1000 });
        for (let entry = 0; entry < 5; entry += 1) void stage.accept();
        for (let turn = 0; turn < 400 && stage.begun.length < 5; turn += 1)
          await new Promise((resolve) => setTimeout(resolve, 2));
        assert.deepEqual(stage.begun, ["1", "2", "3", "4", "5"], `steps of ${step.toFixed(2)} ms`);
      }
    });
  });
});
