import assert from "node:assert/strict";
import { mock } from "node:test";
import type { Acceptance } from "../../../src/backlog";
import { MemoryStore } from "../../../src/backlog/memory";
import type { Hold, SharedStore, Store, StoreEvents } from "../../../src/backlog/store";
import { NOTHING, restoring, Stage, storeWith } from "../../support/backlog/stage";
import { until } from "../../support/until";

const MINUTE = 60_000;
const ENTRY = { nodeId: "a", size: 1, content: null };

/** A store in memory, and its events, which the test reports. */
function withEvents(more: Partial<Store> = {}) {
  let events = {} as StoreEvents;
  const start = (started: StoreEvents) => {
    events = started;
  };
  return { stage: new Stage(storeWith({ ...more, start })), events };
}

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

  it("begins nothing that its store grants after it was stopped", async () => {
    let grant: (leave: "begun") => void = () => {};
    const requeued: string[] = [];
    const begin = () => new Promise<"begun">((resolve) => (grant = resolve));
    const requeue = async ({ id }: { id: string }) => void requeued.push(id);
    const stage = new Stage(storeWith({ begin, requeue }));
    await stage.accept();
    stage.backlog.stopDispatching();
    grant("begun");
    await until(() => requeued.length > 0, "it waits again");
    assert.deepEqual([stage.begun, requeued], [[], ["1"]]);
  });

  it("has reported all that it drops when the drop has ended, at the pace of its store", async () => {
    let storing = 0;
    let most = 0;
    const settle = () => {
      storing += 1;
      most = Math.max(most, storing);
      return new Promise<undefined>((resolve) =>
        setTimeout(() => {
          storing -= 1;
          resolve(undefined);
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

  it("has begun what can begin at once when its acceptance is answered", async () => {
    const stage = new Stage();
    const begun: unknown[] = [];
    for (let n = 0; n < 2; n += 1) void stage.accept().then(() => begun.push(...stage.begun));
    await until(() => begun.length > 0);
    assert.deepEqual(begun.slice(0, 2), ["1", "2"]);
  });

  it("begins nothing if its place was taken while the store was asked", async () => {
    const answers: (() => void)[] = [];
    const begin = () => new Promise<"begun">((resolve) => answers.push(() => resolve("begun")));
    const stage = new Stage(storeWith({ begin }));
    stage.slots = 1;
    await stage.accept();
    stage.slots = 0;
    answers[0]?.();
    await until(() => stage.backlog.counts.waiting === 1);
    assert.deepEqual(stage.begun, []);
    stage.slots = 1;
    stage.backlog.loop.dispatch();
    answers[1]?.();
    await until(() => stage.begun.length > 0);
    assert.deepEqual([stage.begun, answers.length], [["1"], 2]);
  });

  it("asks again for what may not begin yet, in order, after the store's pause or when the store says so", async () => {
    let answer: "begun" | { retryInMs: number } = { retryInMs: Number.POSITIVE_INFINITY };
    const { stage, events } = withEvents({ begin: async () => answer });
    for (let n = 0; n < 3; n += 1) await stage.accept();
    await until(() => stage.backlog.counts.waiting === 3);
    assert.deepEqual(stage.begun, []);
    answer = { retryInMs: 5 };
    events.retry();
    await until(() => stage.backlog.counts.waiting === 3);
    assert.deepEqual(stage.begun, []);
    answer = "begun";
    await until(() => stage.begun.length === 3);
    assert.deepEqual(stage.begun, ["1", "2", "3"]);
  });

  it("lets go of all that another instance has restored", async () => {
    const { stage, events } = withEvents();
    stage.slots = 1;
    for (let n = 0; n < 2; n += 1) await stage.accept();
    events.onInherited();
    assert.deepEqual(stage.inherited, ["1", "2"]);
    stage.runs[0]?.settle("applied", null);
    assert.deepEqual([stage.ends, stage.backlog.counts.waiting], [[], 0]);
  });

  it("lets restored lists take turns behind what comes, each with its rows in order", async () => {
    const rows = ["a1", "a2", "b1", "b2"].map((id) => ({ ...ENTRY, id, list: String(id[0]) }));
    const stage = new Stage(restoring({ waiting: rows }));
    stage.slots = 0;
    await stage.accept("a3", { list: "a" });
    await stage.accept("new");
    stage.slots = 6;
    stage.backlog.loop.dispatch();
    await until(() => stage.begun.length === 6);
    assert.deepEqual(stage.begun, ["new", "a1", "b1", "a2", "b2", "a3"]);
  });

  it("puts what was restored later in front of its own entries, in order", async () => {
    const entries = ["a", "b", "c"].map((id) => ({ id, nodeId: "a", size: 1, content: null }));
    const { stage, events } = withEvents();
    stage.backlog.pause();
    await stage.accept();
    events.onRestored({ ...NOTHING, waiting: entries.slice(0, 2) });
    events.onRestored({ ...NOTHING, waiting: entries.slice(2) });
    stage.backlog.resume();
    await until(() => stage.begun.length === 4);
    assert.deepEqual(stage.begun, ["a", "b", "c", "1"]);
  });

  it("reports a failure of its store to whom it serves later", () => {
    const stage = new Stage(storeWith({ start: (events) => events.onFailure("away") }), null);
    stage.serve();
    assert.deepEqual(stage.failures, ["away"]);
  });

  it("uses up no start of its rate for an entry that its store refuses", async () => {
    const store = new MemoryStore();
    const first = { at: "2030-01-07T09:00:00.000Z", outcome: "applied" } as const;
    mock.method(store, "accept", () => Promise.resolve({ kind: "duplicate", first }), { times: 1 });
    const stage = new Stage(store, { rate: 0.001 });
    assert.equal((await stage.accept()).kind, "duplicate");
    await stage.accept("b");
    await until(() => stage.begun.length > 0);
    assert.deepEqual(stage.begun, ["b"]);
  });

  it("sets no timer while starts are closed, however much waits for a rate", async () => {
    const stage = new Stage(new MemoryStore(), { rate: 10 });
    stage.isOpen = false;
    const timers = mock.method(globalThis, "setTimeout");
    try {
      for (let n = 0; n < 20; n += 1) await stage.accept();
      stage.backlog.loop.dispatch();
      assert.equal(timers.mock.callCount(), 0);
      stage.isOpen = true;
      stage.backlog.loop.dispatch();
      assert.equal(timers.mock.callCount(), 1);
    } finally {
      timers.mock.restore();
      await stage.backlog.close();
    }
  });

  it("of a group closes when its store dies with an acceptance unanswered", async () => {
    let answer: (acceptance: Acceptance) => void = () => {};
    const shared: Partial<SharedStore> = {
      lease: { isHeld: true, now: Date.now, steady: () => performance.now() },
      setLimits: () => {},
      accept: () => new Promise((resolve) => (answer = resolve)),
      close: async () => answer({ kind: "failed", reason: "closed" }),
    };
    const { stage, events } = withEvents(shared);
    const accepted = stage.accept();
    const closed = stage.backlog.close();
    events.onFailure("gone");
    await closed;
    assert.deepEqual([(await accepted).kind, stage.begun], ["failed", []]);
  });

  it("has no record that its store did not take", async () => {
    let fails = true;
    const record = () => (fails ? Promise.reject(new Error("full")) : Promise.resolve(true));
    const { records } = new Stage(storeWith({ record })).backlog;
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
      const held: unknown[] = [];
      const hold = ({ heldBack }: Hold) => void (heldBack && held.push(heldBack));
      const past = { ...ENTRY, id: "past", notBefore: Date.now() - MINUTE };
      const waiting = [past, { ...ENTRY, id: "1" }, { ...ENTRY, id: "2", anytime: true } as const];
      const future = { ...ENTRY, id: "future", notBefore: Date.now() + MINUTE };
      const records = new Map([["a", 1]]);
      const stage = new Stage(restoring({ waiting: [...waiting, future], records, stoppedForMs }, { hold }));
      const { backlog } = stage;
      await stage.accept({ id: "new" });
      await until(() => stage.begun.length >= (isHeldBack ? 1 : 4));
      const { paused, heldBack, dated, waiting: count } = backlog.counts;
      assert.deepEqual(
        [stage.begun.sort(), paused, heldBack, dated, count],
        isHeldBack ? [["new"], false, 3, 1, 4] : [["1", "2", "new", "past"], false, 0, 1, 1],
      );
      assert.deepEqual(held, isHeldBack ? [{ ids: ["1", "2", "past"], records: ["a"] }] : []);
      assert.equal(backlog.records.isHeldBack("a"), isHeldBack);
      if (isHeldBack) await stage.accept({ id: "next of a", heldBack: true });
      backlog.resume();
      assert.equal(backlog.records.isHeldBack("a"), false);
      if (isHeldBack) await until(() => stage.begun.length >= 5);
      if (isHeldBack) assert.deepEqual(stage.begun, ["new", "1", "2", "next of a", "past"]);
      await backlog.close();
    });
});
