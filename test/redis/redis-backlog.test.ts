import assert from "node:assert/strict";
import { closeAll, Instance, newGroup, until } from "../support/backlog/instances";
import { RedisServer } from "../support/backlog/redis-server";

let server: RedisServer;
const connected = (limits?: Parameters<typeof Instance.open>[1]) => Instance.open(server.url, limits);

describe("a backlog in Redis", () => {
  before(async () => {
    server = await RedisServer.start();
  });
  beforeEach(newGroup);
  afterEach(closeAll);
  after(() => server.kill());

  it("performs an entry on one instance, and tells the one that accepted it", async () => {
    const accepting = await connected();
    accepting.places = 0;
    const performing = await connected();
    assert.deepEqual(await accepting.accept("1"), { kind: "accepted" });
    await until(() => performing.runs.length === 1);
    assert.deepEqual(performing.runs[0]?.entry.content, { id: "1" });
    performing.runs[0]?.settle("applied", { status: 200 });
    await until(() => accepting.ends.length === 1);
    assert.deepEqual(accepting.ends, [{ id: "1", end: { result: { status: 200 } }, restored: false }]);
    assert.deepEqual(performing.ends, []);
  });

  it("begins first in, first out, as many as the group has places", async () => {
    const instance = await connected({ places: 2 });
    for (const id of ["1", "2", "3"]) await instance.accept(id);
    await until(() => instance.runs.length === 2);
    assert.deepEqual(instance.begun, ["1", "2"]);
    instance.runs[0]?.settle("applied", null);
    await until(() => instance.runs.length === 3);
  });

  it("refuses more than may wait", async () => {
    const instance = await connected({ entries: 1 });
    instance.places = 0;
    instance.backlog.pause();
    await until(() => instance.backlog.counts.paused);
    assert.deepEqual(await instance.accept("1"), { kind: "accepted" });
    assert.deepEqual(await instance.accept("2"), { kind: "full" });
    // The same entry again: the answer to the first may have been lost.
    assert.deepEqual(await instance.accept("1"), { kind: "accepted" });
  });

  it("accepts a key once in the group, and gives it back when nothing was applied", async () => {
    const [one, two] = [await connected(), await connected()];
    one.places = 0;
    const key = { hash: "k", forMs: 60_000 };
    assert.deepEqual(await one.accept("1", { keys: [key] }), { kind: "accepted" });
    const second = await two.accept("2", { keys: [key] });
    assert.ok(second.kind === "duplicate");
    assert.equal(second.first.outcome, "pending");
    await until(() => two.runs.length === 1);
    two.runs[0]?.settle("rejected", null);
    await until(() => one.ends.length === 1);
    assert.deepEqual(await two.backlog.takeKey(key), { kind: "accepted" });
    two.backlog.settleKey(key, "unknown");
    const third = await one.accept("3", { keys: [key] });
    assert.ok(third.kind === "duplicate");
  });

  it("pauses, holds and drops for the whole group, and drops the entries of one node", async () => {
    const [one, two] = [await connected(), await connected()];
    one.backlog.pause();
    await until(() => two.backlog.counts.paused);
    for (const [id, nodeId] of [
      ["1", "a"],
      ["2", "b"],
      ["3", "a"],
    ] as const)
      await one.accept(id, { nodeId });
    assert.equal(await two.backlog.drop("a"), 2);
    await until(() => one.ends.length === 2);
    assert.deepEqual(
      one.ends.map(({ id, end }) => [id, end]),
      [
        ["1", { cut: "dropped" }],
        ["3", { cut: "dropped" }],
      ],
    );
    two.backlog.resume();
    await until(() => one.runs.length + two.runs.length === 1);
  });

  it("ends entries whose time has passed without beginning them", async () => {
    const instance = await connected();
    await instance.accept("1", { notAfter: Date.now() - 1000 });
    await until(() => instance.ends.length === 1);
    assert.deepEqual(instance.ends[0]?.end, { cut: "expired" });
    assert.deepEqual(instance.runs, []);
  });

  it("gives back what an instance has claimed and not begun, when it closes", async () => {
    const one = await connected({ rate: 1000 });
    one.places = 0;
    await one.accept("1");
    const two = await connected();
    await until(() => two.runs.length === 1);
  });

  it("goes on with what waited after Redis was killed", async () => {
    const instance = await connected();
    instance.backlog.pause();
    await until(() => instance.backlog.counts.paused);
    for (const id of ["1", "2", "3"]) await instance.accept(id);
    await server.kill();
    // If this was sent before the connection was seen to break, it is asked for once Redis is there again.
    const fourth = instance.accept("4");
    await server.restart();
    assert.equal((await fourth).kind, "failed");
    instance.backlog.resume();
    await until(() => instance.runs.length === 3);
    assert.deepEqual(instance.begun, ["1", "2", "3"]);
  });

  it("tells what an instance has accepted that is given up, and leaves what others have accepted", async () => {
    const [one, two] = [await connected(), await connected()];
    one.backlog.pause();
    await until(() => one.backlog.counts.paused);
    await one.accept("1");
    await two.accept("2");
    assert.equal(await one.backlog.failAll(), 1);
    await until(() => one.ends.length === 1);
    assert.deepEqual(one.ends, [{ id: "1", end: { cut: "givenUp" }, restored: false }]);
    assert.equal(two.ends.length, 0);
  });

  it("counts what waits on each instance", async () => {
    const [one, two] = [await connected(), await connected()];
    // What is accepted after a pause does not begin, although nobody has waited for the pause.
    one.backlog.pause();
    await one.accept("1", { size: 5 });
    await until(() => two.backlog.counts.waiting === 1);
    assert.deepEqual(two.backlog.counts, {
      waiting: 1,
      bytes: 5,
      restored: 0,
      paused: true,
      heldUntil: undefined,
    });
  });

  it("starts nothing while it is held, and goes on by itself", async () => {
    const [one, two] = [await connected(), await connected()];
    const till = Date.now() + 1000;
    one.backlog.hold(till);
    await until(() => two.backlog.counts.heldUntil !== undefined);
    await one.accept("1");
    await until(() => one.runs.length + two.runs.length === 1);
    assert.ok(Date.now() >= till - 20, "not before");
  });

  it("spaces the starts of all instances", async () => {
    const instances = await Promise.all([1, 2, 3].map(() => connected({ rate: 50 })));
    const starts: number[] = [];
    for (const { runs } of instances) runs.push = () => starts.push(performance.now());
    for (let n = 0; n < 30; n += 1) await instances[n % 3]?.accept(String(n));
    await until(() => starts.length === 30);
    const all = (starts[29] ?? 0) - (starts[0] ?? 0);
    // A late timer makes a distance shorter, but not all of them.
    assert.ok(all > 29 * 20 - 40, `30 starts at 50 a second in ${all} ms`);
  });

  it("takes the limits of the newest deploy, and tells once on an instance where they differ", async () => {
    const one = await connected({ rate: 5, entries: 1000 });
    const two = await connected({ rate: 5, entries: 2 });
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

  it("does not begin what is too late for the clock of Redis", async () => {
    const instance = await connected({ rate: 2 });
    const [seconds = 0] = (await server.command("TIME")) as number[];
    await instance.accept("1");
    await instance.accept("2", { notAfter: Number(seconds) * 1000 + 60_000 });
    await instance.accept("3", { notAfter: Number(seconds) * 1000 + 200 });
    await until(() => instance.ends.length === 1 && instance.runs.length === 2);
    assert.deepEqual(instance.begun, ["1", "2"]);
    assert.deepEqual(instance.ends[0]?.end, { cut: "expired" });
  });

  it("gives back a key that a request without an entry did not use, and asks by the same use again", async () => {
    const [one, two] = [await connected(), await connected()];
    const key = { hash: "direct", forMs: 60_000 };
    assert.deepEqual(await one.backlog.takeKey(key), { kind: "accepted" });
    assert.equal((await two.backlog.takeKey(key)).kind, "duplicate");
    one.backlog.settleKey(key, "not-applied");
    await until(async () => (await two.backlog.takeKey(key)).kind === "accepted");
  });

  it("drops 2,500 in steps", async () => {
    const instance = await connected({ entries: 5000 });
    instance.backlog.pause();
    await until(() => instance.backlog.counts.paused);
    await Promise.all(Array.from({ length: 2500 }, (_, n) => instance.accept(String(n))));
    assert.equal(await instance.backlog.drop(), 2500);
    await until(() => instance.ends.length === 2500);
    assert.equal(new Set(instance.ended).size, 2500);
  });
});
