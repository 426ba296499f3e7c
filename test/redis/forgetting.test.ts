import assert from "node:assert/strict";
import { cpSync, rmSync } from "node:fs";
import { closeAll, Instance, newGroup, withRedis } from "../support/backlog/instances";
import { RedisServer } from "../support/backlog/redis-server";
import type { Words } from "../support/backlog/traces";
import { until } from "../support/until";

const MINUTE = 60_000;

/** In the words of test/support/backlog/traces.ts and instances.ts. */
const TRACES = {
  // What has begun still holds its place.
  "the last moments: what waits, has begun and has ended is written again, and nothing begins twice": `with slots 3,
    opens one two, one: passes -, slots 2, two: slots 0, one: accept id:ending+key, remembers,
    accept id:begun id:waits, two: accept id:elsewhere, one: begun 1 ending begun, settle ending applied,
    ends 1:applied ending:applied, forgets one two, one: slots 1, two: slots 1,
    one: begun 1 ending begun waits, two: begun elsewhere, accept key → duplicate, accept -, settle-all,
    one: settle-all, ends 1:applied ending:applied begun:applied waits:applied, counts paused false, loses 0,
    two: loses 0`,
  "a pause, a hold and limits that were set in the last moments": `opens one two, one: passes -, remembers, patient,
    two: patient, one: pause, fails, two: counts paused true, accept -, is-held, forgets one two,
    one: counts paused true, two: is-held, begun`,
  "a drop by another instance: what has ended wins over what waits": `opens one two, one: pause, accept -,
    two: counts waiting 1, remembers, drop → 1, forgets one two, one: ends 1:dropped, resume, accept -, begun 2,
    ends 1:dropped`,
  "dates, and what was cancelled or replaced by another instance, which does not come back": `opens one two,
    one: accept name:a+key:a+in:3600000 name:b+key:b+in:3600000, remembers, two: cancel a → 1/0,
    accept name:b+key:b+replaces+in:3600000 → replaced, one: accept name:c+key:c+in:7200000, forgets one two,
    one: ends 1:cancelled 2:replaced, lists 3:date 4:date, accept name:a+key:a+in:3600000,
    accept name:b+key:b+in:3600000 → duplicate, two: cancel c → 1/0`,
  "that an instance was restored: what another one took over wins, and is not restored twice": `opens-slowly gone,
    slots 0, accept - -, remembers, succeeded-by next, begun 1 2, settle 1 applied, ends 1:applied,
    forgets next gone, gone: inherits 1 2, slots 5, passes -, next: settle 2 applied, ends 1:applied 2:applied,
    begun 1 2, gone: begun 3`,
  "records and notes of the last moments": `opens one two, one: create removed 1, create kept 1, remembers,
    remove removed, update kept 2, create new 3, forgets one two, two: create removed 5 → true,
    create new 5 → false, note kept note → true, one: notes note:kept:note`,
  "everything, and fails while it is written again: that is tried until it succeeds": `opens one, slots 0, accept -,
    redis ACL SETUSER default -expire, redis FLUSHALL, loses 1, has-failed, redis ACL SETUSER default +expire,
    works-again, slots 1, resume, begun 1`,
  "everything, without a broken connection: says so, is paused, and nothing is taken for cancelled": `opens one two,
    one: slots 1, accept - -, two: slots 1, accept -, one: begun 1, redis FLUSHALL, loses 1, two: loses 1,
    works-again, one: works-again, counts paused true, settle-all, ends 1:applied, resume, slots 2,
    two: slots 2, begun 3, one: begun 1 2`,
  "and comes back from an old copy: keeps the keys of calls that have ended since, or gives them back": `opens one,
    slots 0, accept long:applied long:rejected, take long:request → accepted, take long:refused → accepted, remembers,
    slots 2, begun 1 2, settle 1 applied, settle 2 rejected, settle-key long:request applied,
    settle-key long:refused not-applied, ends 1:applied 2:rejected, later, forgets one,
    take long:applied → duplicate applied, take long:request → duplicate applied, take long:rejected → accepted,
    take long:refused → accepted, begun 1 2`,
  // Dropping what was called gives back no key.
  "and comes back from an old copy: holds back what others have called, cancelled and ended since": `opens-slowly gone,
    slots 0, accept id:called+long:called id:cancelled+long:cancelled+name+in:3600000, create incident 1, remembers,
    succeeded-by next, begun called, notes restored:incident:1, remove incident, settle-all, cancel n → 1/0,
    accept id:own+in:3600000, later, forgets next, counts heldBack 2, holds-back incident, passes id:new,
    lists own:date called:held-back cancelled:held-back, drop held-back → 2, accept long:called → duplicate,
    begun called new`,
  "everything: rows of lists go on taking turns": `opens one, slots 2, accept list:a list:a list:a list:a, begun 1 2,
    accept list:b list:b, redis FLUSHALL, loses 1, works-again, lists 3:pause 5:pause 4:pause 6:pause, resume,
    accept list:c list:b, lists 3:turn 5:turn 7:turn 4:turn 6:turn 8:turn, slots 6, begun 1 2 3 5 7 4 6 8`,
  "what is undecided, and what another instance has decided": `opens one two, one: accept key key:b key:c, begun 1 2 3,
    settle 1 unknown, settle 2 unknown, ends 1:unknown 2:unknown, undecided 1 2, remembers, settle 3 unknown,
    ends 1:unknown 2:unknown 3:unknown, two: undecided 1 2 3, decide 1 did-not-ring → 1/0, accept again:2+key:b → replaced 2,
    begun 4, forgets one two, one: undecided 3, counts unknown 1, decide 1 rang → 0/1, try key → accepted,
    try key:b → duplicate pending, two: undecided 3, accept again:2+key:b → decided, decide 3 rang → 1/0, one: undecided,
    decide 3 rang → 0/1, try key:c → duplicate applied, two: begun 4`,
  "what somebody has decided about a row of a list, whose place in it stays taken": `opens one two,
    one: accept list:a+key:place+key:row, begun 1, settle 1 unknown, ends 1:unknown, undecided 1, two: undecided 1, remembers,
    decide 1 did-not-ring → 1/0, try key:place → duplicate unknown, try key:row → accepted, forgets one two,
    try key:place → duplicate unknown, try key:row → accepted, one: undecided`,
  "everything: what was undecided is still so, also of an instance that has left": `opens gone one, gone: accept key,
    begun 1, settle 1 unknown, ends 1:unknown, undecided 1, one: undecided 1, gone: leave, redis FLUSHALL, one: loses 1,
    works-again, undecided 1, counts unknown 1, decide 1 did-not-ring → 1/0, resume, accept key`,
  "who was there: what a gone instance left is restored nevertheless":
    "opens gone, slots 0, accept -, leave, redis-key DEL alive, opens next, begun 1",
};

describe("a Redis that forgets", () => {
  const redis = withRedis();
  const { open } = redis;
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
  const now = performance.now.bind(performance);
  const words: Words = {
    remembers: remember,
    /** Forgets, and works again with those that are named. */
    forgets: async ({ stages }, names) => {
      await forget();
      await works(...names.map((name) => stages.get(name) as Instance));
    },
    /** Passes two minutes: no instance writes again what is older than one, as something of the last moments. */
    later: async ({ stage }) => {
      performance.now = () => now() + 2 * MINUTE;
      await stage.backlog.list(0, 1);
    },
    "has-failed": ({ stage }) => until(() => stage.failures.at(-1) !== undefined),
    "works-again": ({ stage }) => works(stage as Instance),
  };
  afterEach(() => {
    performance.now = now;
  });
  for (const [promise, trace] of Object.entries(TRACES)) it(promise, () => redis.play(trace, words));

  it("nothing begins and nothing is accepted until each instance that lives has written again", async () => {
    const [one, two] = [await open(), await open()];
    one.backlog.pause();
    await until(() => two.backlog.counts.paused);
    await two.accept("1");
    // One that lives, as far as Redis knows, and does not hear that Redis is there again.
    await redis.server.command("ZADD", await redis.key("alive"), "1e15", "hung");
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

  it("and comes back from an old copy: holds back at a start what the user folder knows to be older, or a Redis without an append-only file", async () => {
    const plain = await RedisServer.start("--appendonly", "no");
    try {
      for (const server of [plain, redis.server]) {
        newGroup();
        const progress = { known: 0, seen: (count: number) => Object.assign(progress, { known: count }) };
        const first = await Instance.open(server.url, {}, 3000, { progress });
        await first.accept("unknown");
        await until(() => first.runs.length === 1);
        first.runs.shift()?.settle("unknown", null);
        await until(() => first.ends.shift() !== undefined);
        first.slots = 0;
        await first.accept("called");
        // Its own instance adds it again, but it may have been called.
        const keys = [{ hash: "row", forMs: 60 * MINUTE }];
        await first.accept("row", { list: "a", keys });
        if (server === plain) await server.command("SAVE");
        else remember();
        assert.deepEqual(await first.backlog.decisions.decide("unknown", "did-not-ring"), { settled: 1, tooLate: 0 });
        first.slots = 2;
        first.backlog.loop.dispatch();
        await until(() => first.runs.length === 2);
        first.settleAllKept();
        await until(() => first.ends.length === 2);
        await first.backlog.close();
        if (server === plain) {
          await server.kill();
          await server.restart();
        } else await forget();
        const next = await Instance.open(server.url, {}, 3000, server === plain ? {} : { progress });
        await until(() => next.backlog.counts.heldBack === 1);
        const [open] = await next.backlog.decisions.list();
        assert.deepEqual([open?.id, open?.unknown?.isDoubted], ["unknown", true]);
        await next.goesThrough("new");
        assert.deepEqual(next.begun, ["new"]);
        const again = await next.accept("again", { list: "a", keys });
        assert.ok(again.kind === "duplicate" && again.first.outcome === "unknown");
        await closeAll();
      }
    } finally {
      await plain.kill();
    }
  });

  it("one key, whichever: every call goes on, and ends where it was accepted", async () => {
    const key = (hash: string) => ({ hash, forMs: 60 * MINUTE });
    for (let n = 0; ; n += 1) {
      newGroup();
      await redis.server.command("FLUSHALL");
      const [one, two] = [await open(), await open()];
      [one.slots, two.slots] = [1, 0];
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
      one.slots = two.slots = 5;
      await until(() => {
        for (const instance of [one, two]) {
          if (what === "state" && instance.backlog.counts.paused) instance.backlog.resume();
          instance.backlog.loop.dispatch();
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
