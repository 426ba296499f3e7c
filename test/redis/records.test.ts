import assert from "node:assert/strict";
import { closeAll, Instance, withRedis } from "../support/backlog/instances";
import { RedisServer } from "../support/backlog/redis-server";
import type { Word } from "../support/backlog/traces";
import { until } from "../support/until";

describe("records in Redis", () => {
  const redis = withRedis();
  const { quick, slow, key } = redis;

  /** In the words of test/support/backlog/traces.ts and instances.ts. */
  const TRACES = {
    "are created once among all instances, changed by the one that has them, and removed": `opens one two,
      one: create a 1 → true, create a 2 → false, two: create a 3 → false, update a 4 → false, one: update a 5 → true,
      stores a 5, two: remove a, one: update a 6 → true, remove a, update a 7 → false,
      two: create a 8 → true, notes, one: notes`,
    "go to a successor when the lease of their instance has run out, with the notes that it did not get": `
      opens-slowly gone, create a 1 → true, create b 1 → true, update a 2 → true, succeeded-by next,
      notes restored:a:2 restored:b:1, update a 3 → true, gone: update a 9 → false, note a done → true,
      next: notes restored:a:2 restored:b:1 note:a:done, remove a, note a late → false, gone: notes`,
    "are restored again if a successor is gone before it has heard of them": `opens-slowly gone, create a value → true,
      note a note → true, notes note:a:note, succeeded-by next, notes restored:a:value, leave, succeeded-by third,
      notes restored:a:value`,
    "are written again by an update if Redis has forgotten them": `opens-quickly one, create a 1 → true,
      redis FLUSHALL, update a 2 → true, note a note → true, notes note:a:note`,
  };
  const stores: Word = async (_, [name, value]) =>
    assert.match(
      String(await redis.server.command("HGET", await key("records"), `"${name}"`)),
      new RegExp(`"${value}"$`),
    );
  for (const [promise, trace] of Object.entries(TRACES)) it(promise, () => redis.play(trace, { stores }));

  it("are created by one instance only when several try at once", async () => {
    const instances = await Promise.all([quick(), quick(), quick()]);
    for (const name of ["a", "two\nlines", "phở 📞", ""]) {
      const created = await Promise.all(instances.map(({ backlog }) => backlog.records.create(name, name)));
      assert.equal(created.filter(Boolean).length, 1, name);
    }
  });

  it("are created anew as soon as they are removed", async () => {
    const { backlog } = await quick();
    for (let n = 0; n < 20; n += 1) {
      assert.equal(await backlog.records.create("a", n), true);
      void backlog.records.remove("a");
    }
  });

  it("get notes in order, from every instance", async () => {
    const [one, two] = [await quick(), await quick()];
    await one.backlog.records.create("a", null);
    for (let n = 0; n < 250; n += 2) {
      assert.equal(await two.backlog.records.note("a", n), true);
      assert.equal(await one.backlog.records.note("a", n + 1), true);
    }
    await until(() => one.notes.length === 250);
    for (const sender of [0, 1])
      assert.deepEqual(
        one.notes.map(([, , note]) => note as number).filter((note) => note % 2 === sender),
        Array.from({ length: 125 }, (_, n) => 2 * n + sender),
      );
    assert.deepEqual(two.notes, []);
    assert.equal(await two.backlog.records.note("b", 1), false);
    // What was delivered is not kept.
    await until(async () => ((await redis.server.command("KEYS", "*:notes:*")) as string[]).length === 0);
  });

  it("hear a note that came while Redis was forgetting", async () => {
    const one = await quick();
    await one.backlog.records.create("a", 1);
    const [instance = ""] = (await redis.server.command("ZRANGE", await key("alive"), "0", "-1")) as string[];
    const both = "redis.call('HSET', KEYS[1], 'run', '') redis.call('RPUSH', KEYS[2], ARGV[1])";
    await redis.server.command(
      "EVAL",
      both,
      "2",
      await key("state"),
      await key(`notes:${instance}`),
      'id\n"a"\n"note"',
    );
    await until(() => one.notes.length === 1);
  });

  it("hear a note before they are changed, and before a call begins, which it may end", async () => {
    const one = await slow();
    await one.backlog.records.create("a", 1);
    const [instance = ""] = (await redis.server.command("ZRANGE", await key("alive"), "0", "-1")) as string[];
    const note = async (id: string) =>
      redis.server.command("RPUSH", await key(`notes:${instance}`), `${id}\n"a"\n"${id}"`);
    await note("first");
    assert.equal(await one.backlog.records.update("a", 2), true);
    assert.deepEqual(one.notes, [["note", "a", "first"]]);
    one.restored.onRecordNote = () => void one.backlog.withdraw("call");
    await note("second");
    await one.accept("call");
    await until(() => one.ended.includes("call"));
    assert.deepEqual(one.begun, []);
  });

  it("refuse notes and new records while Redis may not know all records again yet", async () => {
    const one = await quick();
    await redis.server.command("HSET", await key("state"), "recoverUntil", "1e15");
    await redis.server.command("SADD", await key("awaited"), "another");
    await assert.rejects(one.backlog.records.note("a", "note"), /written again/);
    await assert.rejects(one.backlog.records.create("a", 1), /written again/);
  });

  it("bring notes along that their instance did not hear", async () => {
    const gone = await slow();
    await gone.backlog.records.create("a", "value");
    const [instance = ""] = (await redis.server.command("ZRANGE", await key("alive"), "0", "-1")) as string[];
    await gone.backlog.close();
    for (const note of ["1", "2"])
      await redis.server.command("RPUSH", await key(`notes:${instance}`), `id-${note}\n"a"\n"${note}"`);
    const successor = await quick();
    await until(() => successor.notes.length === 3);
    assert.deepEqual(successor.notes, [
      ["restored", "a", "value"],
      ["note", "a", "1"],
      ["note", "a", "2"],
    ]);
  });

  it("belong to the instance that restored them, also if the step that moves them was lost", async () => {
    const one = await quick();
    const [instance = ""] = (await redis.server.command("ZRANGE", await key("alive"), "0", "-1")) as string[];
    await redis.server.command("HSET", await key("gone"), "gone", instance);
    for (const name of ["a", "b"]) {
      await one.backlog.records.create(name, 1);
      await redis.server.command("HSET", await key("records"), JSON.stringify(name), "gone 1");
    }
    assert.equal(await one.backlog.records.update("a", 2), true);
    await one.backlog.records.remove("b");
    assert.deepEqual(await redis.server.command("HGETALL", await key("records")), ['"a"', `${instance} 2`]);
  });

  it("refuse while Redis is away, with the reason, and are removed once it is there again", async () => {
    const away = await RedisServer.start();
    try {
      const instance = await Instance.open(away.url, {}, 1500);
      const { records } = instance.backlog;
      for (const name of ["a", "b"]) await records.create(name, 1);
      await away.kill();
      await until(() => instance.failures.length > 0);
      for (const refused of [records.create("c", 1), records.update("a", 2), records.note("d", 3)])
        await assert.rejects(refused, /connection was closed|ECONNREFUSED|ECONNRESET/);
      const removing = records.remove("a");
      await away.restart();
      await removing;
      assert.equal(await records.create("a", "new"), true);
      assert.equal(await records.update("b", 2), true);
      await until(() => instance.notes.length === 0);
    } finally {
      await closeAll();
      await away.kill();
    }
  });

  it("hear a note that came while their connection was cut", async () => {
    const [one, two] = [await quick(), await quick()];
    await one.backlog.records.create("a", 1);
    for (let n = 0; n < 5; n += 1) {
      await redis.server.command("CLIENT", "KILL", "TYPE", "pubsub");
      assert.equal(await two.backlog.records.note("a", n), true);
    }
    await until(() => one.notes.length === 5);
    assert.deepEqual(
      one.notes.map(([, , note]) => note),
      [0, 1, 2, 3, 4],
    );
  });

  it("are the same after functions that are repeated because the reply was lost", async () => {
    const one = await quick();
    for (let n = 0; n < 30; n += 1) {
      const name = String(n);
      const creating = one.backlog.records.create(name, n);
      if (n % 3 === 0) await redis.server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
      await until(async () => {
        const isCreated = await creating.catch(() => undefined);
        return isCreated ?? (await one.backlog.records.create(name, n).catch(() => false));
      });
      await until(async () => await one.backlog.records.note(name, n).catch(() => false));
    }
    await until(() => new Set(one.notes.map(([, name]) => name)).size === 30);
    assert.deepEqual(
      one.notes.map(([, name]) => name),
      Array.from({ length: 30 }, (_, n) => String(n)),
    );
  });
});
