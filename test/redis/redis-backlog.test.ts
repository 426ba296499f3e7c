import assert from "node:assert/strict";
import { withRedis } from "../support/backlog/instances";
import { until } from "../support/until";

describe("a backlog in Redis", () => {
  const redis = withRedis();
  const { open } = redis;

  /** In the words of test/support/backlog/traces.ts and instances.ts. */
  const TRACES = {
    "performs each entry on the instance that accepted it, as many as the group has slots": `with slots 2,
      opens one two, one: accept - - -, two: accept -, one: begun 1 2, settle-all, begun 1 2 3, two: begun 4`,
    "refuses more than may wait in the group": `with entries 1, opens one two, one: pause, two: counts paused true,
      one: accept -, two: accept - → full`,
    "pauses, holds and drops for the whole group, but what a deleted node had here only": `opens one two, one: pause,
      two: counts paused true, one: accept of:a of:b, two: accept of:a, one: accept of:a, two: accept urgent, begun 5,
      one: drop a → 2, two: resume, one: begun 2, ends 1:dropped 4:dropped, two: begun 5 3, ends`,
    "ends what an instance has accepted that is given up, and leaves what others have accepted": `opens one two,
      one: pause, two: counts paused true, one: accept -, two: accept -, one: fail-all → 1, ends 1:givenUp, two: ends`,
  };
  for (const [promise, trace] of Object.entries(TRACES)) it(promise, () => redis.play(trace));

  it("gives turns to each instance, although one has asked for many", async () => {
    const [one, two] = [await open({ rate: 20 }), await open({ rate: 20 })];
    const begun: string[] = [];
    for (const { runs } of [one, two]) runs.push = ({ entry }) => begun.push(entry.id);
    await Promise.all(Array.from({ length: 40 }, (_, n) => one.accept(String(n))));
    await until(() => begun.length > 2);
    await Promise.all(["a", "b", "c"].map((id) => two.accept(id)));
    const before = begun.length;
    await until(() => begun.includes("c"));
    assert.ok(begun.indexOf("c") < before + 17, begun.join(" "));
    assert.deepEqual(
      begun.filter((id) => /[a-c]/.test(id)),
      ["a", "b", "c"],
    );
  });

  it("gives turns to each list, also if one instance has two of them, and lists them so", async () => {
    const [one, two] = [await open({ rate: 20 }), await open({ rate: 20 })];
    one.backlog.pause();
    await until(() => two.backlog.counts.paused);
    const [begun, expected]: [string[], string[]] = [[], []];
    for (const { runs } of [one, two]) runs.push = ({ entry }) => begun.push(entry.id);
    for (const [instance, list] of [
      [one, "a"],
      [one, "b"],
      [two, "c"],
    ] as const)
      for (let n = 0; n < 8; n += 1) await instance.accept(`${list}${n}`, { list });
    for (let n = 0; n < 8; n += 1) expected.push(`a${n}`, `b${n}`, `c${n}`);
    assert.deepEqual(
      (await two.backlog.list(0, 100)).map(({ entry }) => entry.id),
      expected,
    );
    two.backlog.resume();
    await until(() => begun.length === 24);
    // On a busy machine, one may miss a turn.
    for (const [n, id] of expected.entries()) assert.ok(Math.abs(begun.indexOf(id) - n) <= 6, begun.join(" "));
  });

  it("gives the first turn to what is urgent, also if another instance has asked before", async () => {
    const [one, two] = [await open({ slots: 1 }), await open({ slots: 1 })];
    for (const id of ["1", "2"]) await one.accept(id);
    await until(() => one.runs.length === 1);
    await two.accept("3", { urgent: true });
    let asked: string[] = [];
    await until(async () => {
      const [key = "none"] = (await redis.server.command("KEYS", "*:asked")) as string[];
      asked = (await redis.server.command("HKEYS", key)) as string[];
      // A busy machine must not cost them their turns.
      for (const instance of asked) await redis.server.command("HSET", key, instance, "1e15");
      return asked.length === 2;
    });
    one.runs[0]?.settle("applied", null);
    await until(() => two.begun.length === 1);
    assert.deepEqual(one.begun, ["1"]);
  });

  it("drops 2,500 of another instance, but no alarm", async () => {
    const [one, two] = [await open({ entries: 5000 }), await open({ entries: 5000 })];
    one.backlog.pause();
    one.slots = 0;
    await Promise.all(Array.from({ length: 2500 }, (_, n) => one.accept(String(n))));
    await one.accept("alarm", { urgent: true, alarm: true });
    assert.equal(await two.backlog.drop(), 2500);
    // On a busy machine, the other one may have inherited some, and reports these.
    const ended = () => [...one.ended, ...two.ended];
    await until(() => ended().length === 2500);
    assert.equal(new Set(ended()).size, 2500);
    await until(() => two.backlog.counts.waiting === 1 && two.backlog.counts.bytes === 1);
  });

  it("is held, probes and tries the service as one", async () => {
    const group = [await open(), await open()];
    let probes = 0;
    const probe = async () => {
      probes += 1;
      return { isAnswered: true };
    };
    for (const each of group) each.waitsForService({ probe });
    void group[0]?.backlog.service.observe({ kind: "stops", code: "ERR_SERVER", isProbed: true });
    void group[0]?.backlog.service.observe({ kind: "changed" });
    const underWay = () => group.flatMap(({ runs }) => runs);
    // On a busy machine, the other one may hear of it when it is over.
    await until(() => group[1]?.backlog.counts.heldUntil !== undefined || probes > 0);
    for (let n = 0; n < 6; n += 1) await group[n % 2]?.accept(String(n));
    for (const begun of [1, 2, 3]) {
      await until(() => group.flatMap((each) => each.begun).length === begun);
      assert.deepEqual([underWay().length, probes], [1, 1]);
      for (const { runs } of group) for (const run of runs.splice(0)) run.settle("rejected", null);
    }
    void group[1]?.backlog.service.observe({ kind: "fine" });
    await until(() => underWay().length === 3);
    assert.equal(probes, 1);
  });

  it("probes again when the instance that was to do it tells nothing", async () => {
    const [one, two] = [await open(), await open()];
    const probes: string[] = [];
    const probe = (by: string, isAnswered: Promise<boolean>) => async () => {
      probes.push(by);
      return { isAnswered: await isAnswered };
    };
    one.waitsForService({ probeMs: 0, probe: probe("one", new Promise(() => {})) });
    void one.backlog.service.observe({ kind: "stops", code: "ERR_SERVER", isProbed: true });
    await until(() => probes.length === 1);
    two.waitsForService({ probe: probe("two", Promise.resolve(true)) });
    await two.accept("1");
    one.backlog.stopDispatching();
    await until(() => two.begun.length === 1);
    assert.deepEqual(probes, ["one", "two"]);
  });

  it("spaces the starts of all instances", async () => {
    const instances = await Promise.all([1, 2, 3].map(() => open({ rate: 50 })));
    const starts: number[] = [];
    const before = performance.now();
    for (const { runs } of instances) runs.push = () => starts.push(performance.now());
    for (let n = 0; n < 30; n += 1) await instances[n % 3]?.accept(String(n));
    await until(() => starts.length === 30);
    // A late timer makes a distance shorter, but lets no start come before its turn.
    for (const [n, start] of starts.entries())
      assert.ok(start - before > n * 20 - 5, `start ${n} at 50 a second after ${start - before} ms`);
  });

  it("counts a repeated attempt as a start, once it leaves", async () => {
    // A Redis that is slow to write must not cost it its lease.
    const one = await open({ rate: 4 }, 60_000);
    await one.accept("1");
    await until(() => one.runs.length === 1);
    const last = async () => Number(await redis.server.command("HGET", await redis.key("state"), "last"));
    const first = await last();
    assert.equal(one.runs[0]?.acquireSendSlot(), undefined);
    assert.notEqual(one.runs[0]?.acquireSendSlot(true), undefined);
    assert.equal(await last(), first);
    await until(() => one.runs[0]?.acquireSendSlot(true) === undefined);
    await until(async () => (await last()) > first);
    assert.ok((await last()) >= first + 249, `${(await last()) - first} ms`);
  });

  it("takes the limits of the newest deploy, and reports once on an instance where they differ", async () => {
    const one = await open({ rate: 5, entries: 1000 });
    const two = await open({ rate: 5, entries: 2 });
    await until(() => one.differences.length > 0);
    two.backlog.pause();
    await until(() => one.backlog.counts.paused);
    for (const id of ["1", "2"]) assert.equal((await one.accept(id)).kind, "accepted");
    assert.equal((await one.accept("3")).kind, "full");
    one.serve({ rate: 5, entries: 3 });
    await until(() => two.differences.length > 0);
    assert.equal((await one.accept("3")).kind, "accepted");
    assert.deepEqual([one.differences, two.differences], [["entries"], ["entries"]]);
  });

  it("uses the clock of Redis alone, also where a machine is ten minutes ahead or behind", async () => {
    const now = Date.now.bind(Date);
    for (const shift of [600_000, -600_000]) {
      const instance = await open({ rate: 2 });
      Date.now = () => now() + shift;
      try {
        const date = now() + 300;
        // On a busy machine, the first two may begin before the others have come.
        instance.backlog.pause();
        await instance.accept("1");
        await instance.accept("2", { notAfter: now() + 60_000 });
        await instance.accept("3", { notAfter: now() + 200 });
        await instance.accept("4", { notBefore: date });
        instance.backlog.resume();
        await until(() => instance.ends.length === 1 && instance.runs.length === 3);
        assert.ok(now() >= date - 10 && now() < date + 60_000, `${now() - date} ms after its date`);
      } finally {
        Date.now = now;
      }
      assert.deepEqual([instance.begun, instance.ends], [["1", "2", "4"], [["3", { cut: "expired" }]]]);
    }
  });
});
