import assert from "node:assert/strict";
import type { Cancelled, Entry } from "../../src/backlog";
import { type Instance, withRedis } from "../support/backlog/instances";
import { prefix, successorTo } from "../support/backlog/leases";
import { until } from "../support/until";

const named = (name: string, more: Partial<Entry> = {}): Partial<Entry> => ({
  name,
  keys: [{ hash: `${name} in the scope`, forMs: 60_000 }],
  ...more,
});
const inMs = (ms: number): Partial<Entry> => ({ notBefore: Math.round(Date.now() + ms) });
const later = inMs(3_600_000);

describe("dates in a backlog in Redis", () => {
  const redis = withRedis();
  const { open, slow } = redis;

  it("are kept by the instance that restores them, and begin there once", async () => {
    const gone = await slow();
    gone.places = 0;
    const date = Date.now() + 1000;
    await gone.accept("dated", { notBefore: date });
    await gone.accept("far", later);
    const next = await successorTo(redis.server, open);
    await until(() => next.runs.length === 1 && next.backlog.counts.dated === 1);
    assert.ok(Date.now() >= date - 10);
    assert.deepEqual([next.begun, gone.begun], [["dated"], []]);
  });

  it("are counted in the whole group, with the earliest one", async () => {
    const [one, two] = [await open(), await open()];
    two.backlog.pause();
    await two.accept("turn");
    await two.accept("far", { notBefore: Date.now() + 7_200_000 });
    await two.accept("near", later);
    await until(() => one.backlog.counts.dated === 2);
    assert.deepEqual(
      [one.backlog.counts.waiting, one.backlog.counts.heldBack, one.backlog.counts.nextDate],
      [3, 0, later.notBefore],
    );
  });

  describe("a cancellation", () => {
    it("ends what waits at other instances, which report it, and gives the keys back", async () => {
      const [one, two] = [await open(), await open()];
      one.places = 1;
      await one.accept("begun", { name: "a" });
      await until(() => one.runs.length === 1);
      await one.accept("turn", named("a"));
      await one.accept("dated", { name: "a", ...later });
      await one.accept("other", named("b", later));
      assert.deepEqual(await two.backlog.cancel("a"), { cancelled: 2, tooLate: 1 });
      await until(() => one.ends.length === 2);
      assert.deepEqual(
        new Set(one.ends.map(([id, end]) => `${id} ${JSON.stringify(end)}`)),
        new Set(["turn", "dated"].map((id) => `${id} {"cut":"cancelled"}`)),
      );
      assert.deepEqual(await two.backlog.cancel("a"), { cancelled: 0, tooLate: 1 });
      assert.deepEqual(await two.backlog.cancel("unknown"), { cancelled: 0, tooLate: 0 });
      assert.equal((await two.accept("again", named("a", later))).kind, "accepted");
      assert.equal((await one.accept("twice", named("b", later))).kind, "duplicate");
      await until(() => one.backlog.counts.waiting === 2);
    });

    it("finds what another instance has restored", async () => {
      const gone = await slow();
      await gone.accept("1", named("a", later));
      const next = await successorTo(redis.server, open);
      const other = await open();
      assert.deepEqual(await other.backlog.cancel("a"), { cancelled: 1, tooLate: 0 });
      await until(() => next.ends.length === 1);
    });

    it("either ends an entry or comes too late, and both instances say which", async () => {
      const [one, two] = [await open({ entries: 20_000, places: 20_000 }), await open()];
      one.places = 20_000;
      const [all, atOnce] = [10_000, 500];
      let [cancelled, ahead] = [0, 100];
      for (let from = 0; from < all; from += atOnce) {
        const ids = Array.from({ length: atOnce }, (_, n) => String(from + n));
        const start = one.backlog.now();
        // Each is cancelled when half of those around it are due.
        const date = (n: number) => Math.round(start + ahead + n / 10 + 20 * Math.random());
        const accepted = await Promise.all(ids.map((id, n) => one.accept(id, { name: id, notBefore: date(n) })));
        assert.ok(accepted.every(({ kind }) => kind === "accepted"));
        const took = one.backlog.now() - start;
        const answers: Cancelled[] = [];
        for (let n = 0; n < atOnce; n += 50) {
          await until(() => one.backlog.now() >= start + ahead + n / 10 + 10);
          answers.push(...(await Promise.all(ids.slice(n, n + 50).map((id) => two.backlog.cancel(id)))));
        }
        // Otherwise all are due before they can be cancelled, on a machine that is busy.
        ahead = 20 + 1.2 * took;
        await until(() => one.runs.length + one.ends.length === atOnce);
        const [begun, ended] = [new Set(one.begun), new Set(one.ended)];
        for (const [n, id] of ids.entries()) {
          const isCancelled = ended.has(id);
          assert.notEqual(begun.has(id), isCancelled, id);
          assert.deepEqual(answers[n], { cancelled: isCancelled ? 1 : 0, tooLate: isCancelled ? 0 : 1 }, id);
        }
        cancelled += ended.size;
        one.settleAll();
        await until(() => one.ends.length === atOnce);
        one.ends.splice(0);
      }
      assert.ok(cancelled > 0 && cancelled < all, `${cancelled} were cancelled`);
    });
  });

  describe("an entry that replaces", () => {
    it("takes the place and the key of the one that waits, wherever that is", async () => {
      const [one, two] = [await open({ entries: 2 }), await open({ entries: 2 })];
      await one.accept("1", named("a", later));
      await one.accept("2", named("b", later));
      await until(() => two.backlog.counts.waiting === 2);
      // The backlog is full, but this one takes a place.
      assert.equal((await two.accept("3", named("a", { replaces: true, ...later }))).kind, "accepted");
      await until(() => one.ends.length === 1);
      assert.deepEqual(one.ends, [["1", { cut: "replaced" }]]);
      assert.equal((await one.accept("4", named("a", later))).kind, "full");
      one.serve();
      await until(async () => (await one.accept("5", named("a", later))).kind === "duplicate");
      assert.equal((await two.accept("6", named("a", { replaces: true, ...later }))).kind, "accepted");
      assert.deepEqual(two.ends, [["3", { cut: "replaced" }]]);
      assert.deepEqual(await one.backlog.cancel("a"), { cancelled: 1, tooLate: 0 });
    });
  });

  describe("after a long stop of all instances", () => {
    /** What one instance left that was stopped 16 minutes ago. */
    const left = async (opened: () => Promise<Instance> = open) => {
      const before = await slow();
      before.backlog.pause();
      await before.accept("turn", named("a"));
      const missed = Date.now() + 10;
      await before.accept("missed", { notBefore: missed });
      await before.accept("dated", later);
      await before.backlog.records.create("escalation", 1);
      before.places = 0;
      before.backlog.resume();
      await before.backlog.service.observe({ kind: "stops", code: "ERR_RATE_LIMITED", retryAfterMs: 3_600_000 });
      await before.backlog.close();
      // The next instance must not be there at this date: it would be on time. The two clocks may differ by a millisecond.
      await until(() => Date.now() > missed + 10);
      await redis.server.command(
        "HSET",
        `${await prefix(redis.server)}:state`,
        "beat",
        String(Date.now() - 16 * 60_000),
      );
      const after = await opened();
      await until(() => after.backlog.counts.restored === 3);
      return after;
    };

    it("one call tries the service, whatever has held the group then", async () => {
      const after = await left();
      await until(() => after.backlog.service.trouble.phase === "trying");
    });

    it("what missed its turn is held back, and the rest goes on", async () => {
      const after = await left();
      const { waiting, heldBack, dated, paused } = after.backlog.counts;
      assert.deepEqual([waiting, heldBack, dated, paused], [3, 2, 1, false]);
      await until(() => after.backlog.records.isHeldBack("escalation"));
      await after.goesThrough("new");
      const other = await open();
      await until(() => other.backlog.counts.heldBack === 2);
      other.backlog.resume();
      await until(() => after.runs.length === 3);
      assert.deepEqual([after.begun.slice(1), after.backlog.counts.heldBack], [["turn", "missed"], 0]);
      assert.ok(!after.backlog.records.isHeldBack("escalation"));
      await until(() => other.backlog.counts.heldBack === 0);
    });

    it("what is held back stays so when another instance restores it at once", async () => {
      const after = await left(slow);
      const next = await successorTo(redis.server, open);
      await until(() => next.backlog.counts.restored === 3);
      const { heldBack, dated } = next.backlog.counts;
      assert.deepEqual([heldBack, dated, next.begun, after.begun], [2, 1, [], []]);
      await until(() => next.backlog.records.isHeldBack("escalation"));
    });

    it("only what is held back is dropped, if that is asked for on another instance", async () => {
      const after = await left();
      const other = await open();
      await until(() => other.backlog.counts.heldBack === 2);
      assert.equal(await other.backlog.drop({ only: "held-back" }), 2);
      await until(() => after.ends.length === 2);
      assert.deepEqual([after.backlog.counts.waiting, after.backlog.counts.dated], [1, 1]);
      assert.equal(await other.backlog.drop(), 1);
    });
  });

  it("are listed for the whole group in the order in which they will leave, a page at a time", async () => {
    const [one, two] = [await open(), await open()];
    one.backlog.pause();
    await until(() => two.backlog.counts.paused);
    await two.accept("b", { notBefore: Date.now() + 7_200_000 });
    await one.accept("a", { ...later, content: '{"number":"1"}' });
    await one.accept("1");
    await two.accept("2");
    await one.accept("3");
    const all = await two.backlog.list(0, 100);
    assert.deepEqual(
      all.map(({ entry, waitsFor }) => `${entry.id} ${waitsFor}`),
      ["1 turn", "2 turn", "3 turn", "a date", "b date"],
    );
    assert.deepEqual(all[3]?.entry.content, '{"number":"1"}');
    assert.deepEqual(
      (await one.backlog.list(1, 3)).map(({ entry }) => entry.id),
      ["2", "3", "a"],
    );
    assert.deepEqual(await one.backlog.list(5, 10), []);
  });
});
