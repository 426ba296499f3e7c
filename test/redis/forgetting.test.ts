import assert from "node:assert/strict";
import { cpSync, rmSync } from "node:fs";
import { closeAll, Instance, newGroup, withRedis } from "../support/backlog/instances";
import { prefix, successorTo } from "../support/backlog/leases";
import { RedisServer } from "../support/backlog/redis-server";
import { until } from "../support/until";

const MINUTE = 60_000;

describe("a Redis that forgets", () => {
  const redis = withRedis();
  const { open, slow } = redis;
  const copy = () => `${redis.server.folder}-copy`;
  const remember = () => {
    rmSync(copy(), { recursive: true, force: true });
    cpSync(redis.server.folder, copy(), { recursive: true });
  };
  /** Puts it back to the remembered moment, as a power cut does. */
  const forget = async () => {
    const { server } = redis;
    await server.kill();
    rmSync(server.folder, { recursive: true });
    cpSync(copy(), server.folder, { recursive: true });
    await server.restart();
  };
  const works = (...instances: readonly Instance[]) =>
    until(async () => {
      for (const { failures, losses, backlog } of instances) {
        if (failures.length + losses.length === 0 || failures.at(-1) !== undefined) return false;
        if ((await backlog.keys.try({ hash: "any", forMs: 1 })).kind !== "accepted") return false;
      }
      return true;
    });

  it("the last moments: what waits, has begun and has ended is written again, and nothing begins twice", async () => {
    const [one, two] = [await open({ places: 3 }), await open({ places: 3 })];
    await one.goesThrough("before");
    one.places = 2;
    two.places = 0;
    const key = { hash: "k", forMs: 60_000 };
    await one.accept("ending", { keys: [key] });
    remember();
    for (const id of ["begun", "waits"]) await one.accept(id);
    await two.accept("elsewhere");
    await until(() => one.runs.length === 3);
    one.runs[1]?.settle("applied", null);
    await until(() => one.ended.includes("ending"));
    await forget();
    await works(one, two);
    one.places = 1;
    two.places = 1;
    for (const { backlog } of [one, two]) backlog.dispatch();
    await until(() => one.runs.length === 4 && two.runs.length === 1);
    assert.deepEqual([one.begun.slice(1), two.begun], [["ending", "begun", "waits"], ["elsewhere"]]);
    assert.equal((await two.accept("again", { keys: [key] })).kind, "duplicate");
    // The begun one still holds its place.
    assert.equal((await two.accept("third")).kind, "accepted");
    for (const instance of [one, two]) instance.settleAllKept();
    await until(() => one.ends.length === 4 && two.ended.includes("elsewhere"));
    assert.equal(one.backlog.counts.paused, false);
    assert.deepEqual([one.losses, two.losses], [[], []]);
  });

  it("a pause, a hold and limits that were set in the last moments", async () => {
    const [one, two] = [await open(), await open()];
    await one.goesThrough("before");
    remember();
    for (const each of [one, two]) each.waitsForService();
    one.backlog.pause();
    void one.backlog.service.observe({ kind: "stops", code: "ERR_CONNECT", retryAfterMs: 60_000 });
    await until(() => two.backlog.counts.paused && two.backlog.counts.heldUntil !== undefined);
    await two.accept("1");
    await forget();
    await works(one, two);
    assert.deepEqual([one.backlog.counts.paused, two.backlog.counts.heldUntil !== undefined], [true, true]);
    assert.equal(two.runs.length, 0);
  });

  it("a drop by another instance: what has ended wins over what waits", async () => {
    const [one, two] = [await open(), await open()];
    one.backlog.pause();
    await one.accept("1");
    await until(() => two.backlog.counts.waiting === 1);
    remember();
    assert.equal(await two.backlog.drop(), 1);
    await forget();
    await works(one, two);
    await until(() => one.ends.length === 1);
    one.backlog.resume();
    await one.accept("2");
    await until(() => one.runs.length === 1);
    assert.deepEqual([one.begun, one.ends], [["2"], [["1", { cut: "dropped" }]]]);
  });

  it("dates, and what was cancelled or replaced by another instance, which does not come back", async () => {
    const [one, two] = [await open(), await open()];
    const named = (name: string, inMs = 3_600_000) => ({
      name,
      notBefore: Date.now() + inMs,
      keys: [{ hash: name, forMs: 60_000 }],
    });
    for (const name of ["cancelled", "moved"]) await one.accept(name, named(name));
    remember();
    assert.deepEqual(await two.backlog.cancel("cancelled"), { cancelled: 1, tooLate: 0 });
    assert.equal((await two.accept("again", { ...named("moved"), replaces: true })).kind, "accepted");
    await one.accept("new", named("new", 7_200_000));
    await forget();
    await works(one, two);
    await until(() => one.ends.length === 2);
    assert.deepEqual(
      (await one.backlog.list(0, 10)).map(({ entry, waitsFor }) => `${entry.id} ${waitsFor}`),
      ["again date", "new date"],
    );
    assert.equal((await one.accept("free", named("cancelled"))).kind, "accepted");
    assert.equal((await one.accept("taken", named("moved"))).kind, "duplicate");
    assert.deepEqual(await two.backlog.cancel("new"), { cancelled: 1, tooLate: 0 });
  });

  it("that an instance was restored: what another one took over wins, and is not restored twice", async () => {
    const gone = await slow();
    gone.places = 0;
    for (const id of ["1", "2"]) await gone.accept(id);
    remember();
    const next = await successorTo(redis.server, open);
    await until(() => next.runs.length === 2);
    next.runs[0]?.settle("applied", null);
    await until(() => next.ends.length === 1);
    await forget();
    await works(next, gone);
    await until(() => gone.inherited.length === 2);
    gone.places = 5;
    gone.backlog.dispatch();
    await gone.goesThrough("3");
    next.runs[1]?.settle("applied", null);
    await until(() => next.ends.length === 2);
    assert.deepEqual([next.begun, gone.begun], [["1", "2"], ["3"]]);
  });

  it("records and notes of the last moments", async () => {
    const [one, two] = [await open(), await open()];
    await one.backlog.records.create("removed", 1);
    await one.backlog.records.create("kept", 1);
    remember();
    await one.backlog.records.remove("removed");
    await one.backlog.records.update("kept", 2);
    await one.backlog.records.create("new", 3);
    await forget();
    await works(one, two);
    assert.equal(await two.backlog.records.create("removed", 5), true);
    assert.equal(await two.backlog.records.create("new", 5), false);
    assert.equal(await two.backlog.records.note("kept", "note"), true);
    await until(() => one.notes.length === 1);
  });

  it("everything, without a broken connection: says so, is paused, and nothing is taken for cancelled", async () => {
    const [one, two] = [await open({ places: 1 }), await open({ places: 1 })];
    for (const id of ["1", "2"]) await one.accept(id);
    await two.accept("3");
    await until(() => one.runs.length === 1);
    await redis.server.command("FLUSHALL");
    await until(() => one.losses.length === 1 && two.losses.length === 1);
    await works(one, two);
    assert.deepEqual([one.ends, two.ends, one.backlog.counts.paused], [[], [], true]);
    one.settleAllKept();
    await until(() => one.ends.length === 1);
    one.backlog.resume();
    await until(() => one.runs.length + two.runs.length === 2);
    for (const instance of [one, two]) instance.settleAllKept();
    await until(() => one.runs.length === 2 && two.runs.length === 1);
  });

  it("everything, and fails while it is written again: that is tried until it succeeds", async () => {
    const one = await open();
    one.places = 0;
    await one.accept("1");
    await redis.server.command("ACL", "SETUSER", "default", "-expire");
    await redis.server.command("FLUSHALL");
    await until(() => one.losses.length === 1 && one.failures.at(-1) !== undefined);
    await redis.server.command("ACL", "SETUSER", "default", "+expire");
    await works(one);
    one.places = 1;
    one.backlog.resume();
    await until(() => one.begun.includes("1"));
  });

  it("nothing begins and nothing is accepted until each instance that lives has written again", async () => {
    const [one, two] = [await open(), await open()];
    one.backlog.pause();
    await until(() => two.backlog.counts.paused);
    await two.accept("1");
    // One that lives, as far as Redis knows, and does not hear that Redis is there again.
    await redis.server.command("ZADD", `${await prefix(redis.server)}:alive`, "1e15", "hung");
    remember();
    await forget();
    const answers: string[] = [];
    await until(async () => {
      const answer = await one.accept(`again ${answers.length}`);
      answers.push(answer.kind === "failed" ? answer.reason : answer.kind);
      return answer.kind === "accepted";
    });
    assert.ok(
      answers.some((answer) => answer.includes("written again")),
      answers[0],
    );
    await works(one, two);
  });

  describe("and comes back from an old copy", () => {
    const now = performance.now.bind(performance);
    /** What is older than a minute, no instance writes again as something of the last moments. */
    const later = async (instance: Instance) => {
      performance.now = () => now() + 2 * MINUTE;
      await instance.backlog.list(0, 1);
    };
    afterEach(() => {
      performance.now = now;
    });
    const key = (hash: string) => ({ keys: [{ hash, forMs: 60 * MINUTE }] });

    it("keeps the keys of calls that have ended since, or gives them back, as their outcomes say", async () => {
      const one = await open();
      one.places = 0;
      for (const id of ["applied", "rejected"]) await one.accept(id, key(id));
      for (const id of ["request", "refused"]) await one.backlog.keys.take({ hash: id, forMs: 60 * MINUTE });
      remember();
      one.places = 2;
      one.backlog.dispatch();
      await until(() => one.runs.length === 2);
      one.runs[0]?.settle("applied", null);
      one.runs[1]?.settle("rejected", null);
      one.backlog.keys.settle({ hash: "request", forMs: 60 * MINUTE }, "applied");
      one.backlog.keys.settle({ hash: "refused", forMs: 60 * MINUTE }, "not-applied");
      await until(() => one.ends.length === 2);
      await later(one);
      await forget();
      await works(one);
      for (const [hash, expected] of [
        ["applied", "applied"],
        ["request", "applied"],
        ["rejected", "accepted"],
        ["refused", "accepted"],
      ] as const) {
        const answer = await one.backlog.keys.take({ hash, forMs: 1 });
        assert.equal(answer.kind === "duplicate" ? answer.first.outcome : answer.kind, expected, hash);
      }
      assert.equal(one.begun.length, 2);
    });

    it("holds back what a gone instance had accepted, and others have called, cancelled and ended since", async () => {
      const gone = await slow();
      gone.places = 0;
      await gone.accept("called", key("called"));
      await gone.accept("cancelled", { ...key("cancelled"), name: "n", notBefore: Date.now() + 60 * MINUTE });
      await gone.backlog.records.create("incident", 1);
      remember();
      const next = await successorTo(redis.server, open);
      await until(() => next.runs.length === 1 && next.notes.length === 1);
      await next.backlog.records.remove("incident");
      next.settleAllKept();
      assert.equal((await next.backlog.cancel("n")).cancelled, 1);
      await next.accept("own", { notBefore: Date.now() + 60 * MINUTE });
      await later(next);
      await forget();
      await works(next);
      await until(() => next.backlog.counts.heldBack === 2 && next.backlog.records.isHeldBack("incident"));
      await next.goesThrough("new");
      const waiting = (await next.backlog.list(0, 10)).map(({ entry, waitsFor }) => `${entry.id} ${waitsFor}`);
      assert.deepEqual(waiting, ["own date", "called held-back", "cancelled held-back"]);
      assert.equal(await next.backlog.drop({ only: "held-back" }), 2);
      // Dropping what was called gives back no key.
      assert.equal((await next.accept("again", key("called"))).kind, "duplicate");
      assert.deepEqual(next.begun, ["called", "new"]);
    });

    it("holds back at a start what the user folder knows to be older, or a Redis without an append-only file", async () => {
      const plain = await RedisServer.start("--appendonly", "no");
      try {
        for (const server of [plain, redis.server]) {
          newGroup();
          const progress = { known: 0, seen: (count: number) => Object.assign(progress, { known: count }) };
          const first = await Instance.open(server.url, {}, 3000, { progress });
          first.places = 0;
          await first.accept("called");
          if (server === plain) await server.command("SAVE");
          else remember();
          first.places = 1;
          first.backlog.dispatch();
          await until(() => first.runs.length === 1);
          first.settleAllKept();
          await until(() => first.ends.length === 1);
          await first.backlog.close();
          if (server === plain) {
            await server.kill();
            await server.restart();
          } else await forget();
          const next = await Instance.open(server.url, {}, 3000, server === plain ? {} : { progress });
          await until(() => next.backlog.counts.heldBack === 1);
          await next.goesThrough("new");
          assert.deepEqual(next.begun, ["new"]);
          await closeAll();
        }
      } finally {
        await plain.kill();
      }
    });
  });

  it("who was there: what a gone instance left is restored nevertheless", async () => {
    const gone = await open();
    gone.places = 0;
    await gone.accept("1");
    await gone.backlog.close();
    await redis.server.command("DEL", `${await prefix(redis.server)}:alive`);
    const next = await open();
    await until(() => next.begun.includes("1"));
  });

  it("one key, whichever: every call goes on, and ends where it was accepted", async () => {
    const key = (hash: string) => ({ hash, forMs: 60 * MINUTE });
    for (let n = 0; ; n += 1) {
      newGroup();
      await redis.server.command("FLUSHALL");
      const [one, two] = [await open(), await open()];
      [one.places, two.places] = [1, 0];
      for (const id of ["begun", "waits"]) await one.accept(id, { name: id, keys: [key(id)] });
      await two.accept("elsewhere", { keys: [key("elsewhere")] });
      await one.accept("dated", { notBefore: Date.now() + 60 * MINUTE });
      await one.backlog.keys.take(key("held"));
      await one.backlog.records.create("record", 1);
      await until(() => one.runs.length === 1 && two.backlog.counts.waiting === 3);
      const all = (await redis.server.command("KEYS", "*")) as string[];
      const lost = all.filter((name) => !name.endsWith("announced")).sort()[n];
      if (lost === undefined) return;
      await redis.server.command("DEL", lost);
      const what = lost.split(":")[2];
      one.runs[0]?.settle("applied", null);
      one.backlog.keys.settle(key("held"), "not-applied");
      one.places = two.places = 5;
      await until(() => {
        for (const instance of [one, two]) {
          if (what === "state" && instance.backlog.counts.paused) instance.backlog.resume();
          instance.backlog.dispatch();
          instance.settleAllKept();
        }
        return one.ends.length === 2 && two.ends.length === 1;
      });
      assert.deepEqual([one.begun, two.begun, one.inherited], [["begun", "waits"], ["elsewhere"], []], what);
      await until(async () => (await two.backlog.keys.try(key("held"))).kind === "accepted");
      for (const hash of what === "keys" ? [] : ["begun", "waits", "elsewhere"]) {
        const { first } = (await two.backlog.keys.try(key(hash))) as { first?: { outcome: string } };
        assert.equal(first?.outcome, "applied", `${hash} without ${what}`);
      }
      if (what !== "records") assert.equal(await two.backlog.records.create("record", 2), false, what);
      assert.equal((await one.backlog.list(0, 5)).length, 1, what);
      await closeAll();
    }
  });
});
