import assert from "node:assert/strict";
import { cpSync, rmSync } from "node:fs";
import { type Instance, withRedis } from "../support/backlog/instances";
import { prefix, successorTo } from "../support/backlog/leases";
import { until } from "../support/backlog/until";

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
        if ((await backlog.tryKey({ hash: "any", forMs: 1 })).kind !== "accepted") return false;
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
    const until5 = Date.now() + 60_000;
    one.backlog.pause();
    one.backlog.hold(until5);
    await until(() => two.backlog.counts.paused && two.backlog.counts.heldUntil !== undefined);
    await two.accept("1");
    await forget();
    await works(one, two);
    assert.deepEqual([one.backlog.counts.paused, two.backlog.counts.heldUntil], [true, until5]);
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
});
