import assert from "node:assert/strict";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mock } from "node:test";
import { FileStore } from "../../../src/backlog/file/file-store";
import { memory, type Stored } from "../../../src/backlog/local/store";
import { until } from "../../support/backlog/instances";
import { Stage } from "./stage";

const anytime = { anytime: true } as const;

/** Stages with a journal, one after the other; each is closed before the next one opens. */
async function withJournal(...acts: ((stage: Stage) => Promise<void>)[]): Promise<void> {
  const path = join(await mkdtemp(join(tmpdir(), "backlog-")), "a.journal");
  for (const act of acts) {
    const { store, remains } = await FileStore.open(path);
    const stage = new Stage({}, store, remains);
    try {
      await act(stage);
    } finally {
      await stage.backlog.close();
    }
  }
}

describe("a backlog whose starts are closed", () => {
  it("begins only what begins at any time, and the others in order once they open", async () => {
    const stage = new Stage();
    stage.isOpen = false;
    for (const more of [{}, anytime, {}, anytime]) await stage.accept(more);
    assert.deepEqual(stage.begun, ["2", "4"]);
    assert.equal(stage.backlog.counts.waiting, 2);
    stage.isOpen = true;
    stage.backlog.look();
    assert.deepEqual(stage.begun, ["2", "4", "1", "3"]);
  });

  it("keeps the order of all while they are open", async () => {
    const stage = new Stage();
    stage.backlog.pause();
    for (const more of [{}, anytime, {}, anytime]) await stage.accept(more);
    stage.backlog.resume();
    assert.deepEqual(stage.begun, ["1", "2", "3", "4"]);
  });

  it("refuses more than may wait, although there is a place", async () => {
    const stage = new Stage({ entries: 1 });
    stage.isOpen = false;
    assert.deepEqual(await stage.accept(), { kind: "accepted" });
    assert.deepEqual(await stage.accept(), { kind: "full" });
    stage.places = 1;
    assert.deepEqual(await stage.accept(anytime), { kind: "full" });
  });

  it("sets no timer, however much waits for a rate", async () => {
    const stage = new Stage({ rate: 10 });
    stage.isOpen = false;
    const timers = mock.method(globalThis, "setTimeout");
    try {
      for (let n = 0; n < 20; n += 1) await stage.accept();
      stage.backlog.look();
      assert.equal(timers.mock.callCount(), 0);
      stage.isOpen = true;
      stage.backlog.look();
      assert.equal(timers.mock.callCount(), 1);
    } finally {
      timers.mock.restore();
      await stage.backlog.close();
    }
  });

  it("takes back runs that may not leave now, in front of the others", async () => {
    const stage = new Stage();
    stage.places = 2;
    for (const more of [{}, {}, {}, anytime]) await stage.accept(more);
    const [first, second] = stage.runs.splice(0);
    stage.isOpen = false;
    stage.places = 2;
    second?.putBack();
    first?.putBack();
    assert.equal(stage.backlog.counts.waiting, 4);
    stage.backlog.look();
    assert.deepEqual(stage.begun, ["4"]);
    stage.isOpen = true;
    stage.places = 3;
    stage.backlog.look();
    assert.deepEqual(stage.begun, ["4", "1", "2", "3"]);
  });

  it("keeps in its journal what begins at any time, and that a run was taken back", async () => {
    await withJournal(
      async (stage) => {
        stage.isOpen = false;
        stage.places = 0;
        for (const more of [{}, anytime]) await stage.accept(more);
        stage.isOpen = true;
        stage.places = 1;
        stage.backlog.look();
        await until(() => stage.runs.length === 1);
        assert.deepEqual(stage.begun, ["1"]);
        stage.runs[0]?.putBack();
        await until(() => stage.backlog.counts.waiting === 2);
        stage.backlog.pause();
      },
      async (stage) => {
        assert.deepEqual(stage.ends, []);
        stage.isOpen = false;
        stage.backlog.resume();
        await until(() => stage.runs.length === 1);
        assert.deepEqual(stage.begun, ["2"]);
        stage.isOpen = true;
        stage.backlog.look();
        await until(() => stage.runs.length === 2);
        assert.deepEqual(stage.begun, ["2", "1"]);
      },
    );
  });
});

describe("an entry that is withdrawn", () => {
  it("ends as dropped, and gives its keys back", async () => {
    const stage = new Stage();
    const key = { hash: "k", forMs: 60_000 };
    stage.backlog.pause();
    await stage.accept({ keys: [key] });
    await stage.accept();
    assert.equal(await stage.backlog.withdraw("1"), true);
    assert.deepEqual(stage.ends, [["1", { cut: "dropped" }]]);
    assert.equal(await stage.backlog.withdraw("1"), false);
    assert.deepEqual(await stage.backlog.tryKey(key), { kind: "accepted" });
    stage.backlog.resume();
    assert.deepEqual(stage.begun, ["2"]);
  });

  it("is not ended if it has begun, or is unknown", async () => {
    const stage = new Stage();
    await stage.accept();
    for (const id of ["1", "unknown"]) assert.equal(await stage.backlog.withdraw(id), false);
    assert.deepEqual(stage.ends, []);
  });

  it("does not begin if it is withdrawn while it is being stored", async () => {
    await withJournal(
      async (stage) => {
        const key = { hash: "k", forMs: 60_000 };
        const accepting = stage.accept({ keys: [key] });
        assert.equal(await stage.backlog.withdraw("1"), true);
        assert.deepEqual(await accepting, { kind: "accepted" });
        await until(() => stage.ends.length === 1);
        assert.deepEqual(stage.ends, [["1", { cut: "dropped" }]]);
        assert.deepEqual(stage.begun, []);
        assert.deepEqual(await stage.backlog.tryKey(key), { kind: "accepted" });
      },
      async (stage) => {
        assert.deepEqual(stage.begun, []);
        assert.equal(stage.backlog.counts.waiting, 0);
      },
    );
    const full: Stored[] = [];
    const stage = new Stage({}, { ...memory, accept: (_entry, _uses, stored) => full.push(stored) });
    const accepting = stage.accept();
    const withdrawing = stage.backlog.withdraw("1");
    full[0]?.(new Error("full"));
    assert.deepEqual([(await accepting).kind, await withdrawing], ["trouble", false]);
  });

  it("does not come back with its journal", async () => {
    await withJournal(
      async (stage) => {
        stage.backlog.pause();
        for (let n = 0; n < 3; n += 1) await stage.accept();
        assert.equal(await stage.backlog.withdraw("2"), true);
      },
      async (stage) => {
        stage.backlog.resume();
        await until(() => stage.runs.length === 2);
        assert.deepEqual(stage.begun, ["1", "3"]);
      },
    );
  });
});

describe("keys of several uses", () => {
  const number = { hash: "number", forMs: 3_600_000, uses: 2 };
  const once = { hash: "once", forMs: 3_600_000 };

  it("are all taken, or none", async () => {
    const stage = new Stage();
    stage.backlog.pause();
    for (let n = 0; n < 2; n += 1) assert.equal((await stage.accept({ keys: [number] })).kind, "accepted");
    assert.deepEqual(await stage.accept({ keys: [once, number] }), { kind: "usedUp", retryAfterMs: 3_600_000 });
    assert.deepEqual(await stage.backlog.tryKey(once), { kind: "accepted" });
    assert.equal((await stage.accept({ keys: [once] })).kind, "accepted");
    const other = { ...number, hash: "other", uses: 1 };
    assert.equal((await stage.accept({ keys: [other, once] })).kind, "duplicate");
    for (let n = 0; n < 2; n += 1) assert.deepEqual(await stage.backlog.tryKey(other), { kind: "accepted" });
  });

  it("are none taken if the store does not take the entry", async () => {
    const stage = new Stage({}, { ...memory, accept: (_entry, _uses, stored) => stored(new Error("full")) });
    assert.equal((await stage.accept({ keys: [once, { ...number, uses: 1 }] })).kind, "trouble");
    for (const key of [once, { ...number, uses: 1 }])
      assert.deepEqual(await stage.backlog.tryKey(key), { kind: "accepted" });
  });

  it("are counted across restarts, and given back by what was not applied", async () => {
    await withJournal(
      async (stage) => {
        for (let n = 0; n < 2; n += 1) await stage.accept({ keys: [number] });
        await until(() => stage.runs.length === 2);
        stage.runs[0]?.settle("applied", null);
        stage.runs[1]?.settle("rejected", null);
        await until(() => stage.ends.length === 2);
        stage.backlog.pause();
        assert.equal((await stage.accept({ keys: [number, once] })).kind, "accepted");
        assert.equal((await stage.backlog.tryKey(number)).kind, "usedUp");
      },
      async (stage) => {
        const refusal = await stage.backlog.tryKey(number);
        assert.ok(refusal.kind === "usedUp" && refusal.retryAfterMs <= 3_600_000 && refusal.retryAfterMs > 3_000_000);
        assert.equal((await stage.backlog.tryKey(once)).kind, "duplicate");
        assert.equal(await stage.backlog.drop(), 1);
        for (const key of [number, once]) assert.deepEqual(await stage.backlog.tryKey(key), { kind: "accepted" });
      },
      async (stage) => {
        for (const key of [number, once]) assert.deepEqual(await stage.backlog.tryKey(key), { kind: "accepted" });
        assert.equal((await stage.backlog.tryKey({ ...number, uses: 1 })).kind, "usedUp");
      },
    );
  });
});
