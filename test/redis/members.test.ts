import assert from "node:assert/strict";
import { closeAll, Instance, newGroup, until } from "../support/backlog/instances";
import { expire, prefix } from "../support/backlog/leases";
import { RedisServer } from "../support/backlog/redis-server";

let server: RedisServer;

/** Reports rarely: its lease does not begin anew while a test lets it run out. */
const slow = (): Promise<Instance> => Instance.open(server.url, {}, 60_000);
const quick = (): Promise<Instance> => Instance.open(server.url, {}, 1500);

describe("instances that share a backlog in Redis", () => {
  before(async () => {
    server = await RedisServer.start();
  });
  beforeEach(async () => {
    newGroup();
    await server.command("FLUSHALL");
  });
  afterEach(closeAll);
  after(() => server.kill());

  it("inherit what a gone one held and had accepted, and it sends nothing on", async () => {
    const gone = await slow();
    gone.places = 1;
    for (const id of ["1", "2", "3"]) await gone.accept(id);
    await until(() => gone.runs.length === 1);
    await expire(server);
    const heir = await quick();
    heir.places = 0;
    await until(() => heir.ends.length === 1);
    assert.deepEqual(heir.ends, [{ id: "1", end: { cut: "lost" }, restored: true }]);
    await until(() => heir.backlog.counts.restored === 2);
    gone.runs[0]?.settle("applied", null);
    heir.places = 2;
    heir.backlog.dispatch();
    await until(() => heir.runs.length === 2);
    for (const run of heir.runs) run.settle("applied", run.entry.id);
    await until(() => heir.ends.length === 3 && heir.backlog.counts.restored === 0);
    assert.deepEqual(heir.ends.slice(1), [
      { id: "2", end: { result: "2" }, restored: true },
      { id: "3", end: { result: "3" }, restored: true },
    ]);
    assert.deepEqual(gone.inherited, ["1", "2", "3"]);
    assert.deepEqual(gone.ends, []);
  });

  it("take part again after they were gone", async () => {
    const gone = await slow();
    gone.places = 0;
    await gone.accept("1");
    await expire(server);
    const heir = await quick();
    await until(() => heir.runs.length === 1);
    await until(async () => (await server.command("HLEN", `${await prefix(server)}:heirs`)) === 1);
    gone.places = 1;
    heir.places = 0;
    await gone.goesThrough("2");
    assert.deepEqual(gone.inherited, ["1"]);
    assert.deepEqual(gone.ends, [{ id: "2", end: { result: null }, restored: false }]);
  });

  it("settle the keys of a gone one as unknown", async () => {
    const gone = await slow();
    const key = { hash: "k", forMs: 60_000 };
    await gone.backlog.takeKey(key);
    await expire(server);
    const heir = await quick();
    await until(async () => {
      const second = await heir.backlog.takeKey(key);
      return second.kind === "duplicate" && second.first.outcome === "unknown";
    });
  });

  for (const [stop, minutes, paused] of [
    ["short", 14, false],
    ["long", 16, true],
  ] as const)
    it(`${paused ? "wait, paused," : "go on"} after a ${stop} stop of all`, async () => {
      const before = await slow();
      before.places = 0;
      await before.accept("1");
      await before.backlog.close();
      await server.command("HSET", `${await prefix(server)}:state`, "beat", String(Date.now() - minutes * 60_000));
      const after = await quick();
      await until(() => (paused ? after.backlog.counts.paused : after.runs.length === 1));
      assert.equal(after.backlog.counts.waiting + after.runs.length, 1);
      after.backlog.resume();
      await until(() => after.runs.length === 1);
    });

  it("keep leases, keys and the rate when the clock of the machine jumps", async () => {
    const [one, two] = [await quick(), await slow()];
    two.places = 0;
    one.serve({ rate: 20 });
    await one.goesThrough("1");
    const key = { hash: "k", forMs: 3_600_000 };
    await one.backlog.takeKey(key);
    one.backlog.settleKey(key, "applied");
    for (const jump of [7_200_000, -7_200_000]) {
      // The clock jumps if the group has seen another time before.
      await server.command("HSET", `${await prefix(server)}:state`, "wall", String(Date.now() - jump));
      await one.goesThrough(`after ${jump}`);
      assert.equal((await one.backlog.takeKey(key)).kind, "duplicate");
    }
    assert.equal((await two.accept("two")).kind, "accepted");
    assert.deepEqual([one.inherited, two.inherited], [[], []]);
  });

  it("tell what a Redis has forgotten, and go on", async () => {
    const instance = await quick();
    instance.places = 1;
    for (const id of ["1", "2"]) await instance.accept(id);
    await until(() => instance.runs.length === 1);
    await server.command("FLUSHALL");
    await server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    await until(() => instance.ends.length === 1);
    assert.deepEqual(instance.ends, [{ id: "2", end: { cut: "lost" }, restored: false }]);
    instance.runs[0]?.settle("applied", "done");
    await until(() => instance.ends.length === 2);
    assert.deepEqual(instance.ends[1], { id: "1", end: { result: "done" }, restored: false });
    instance.places = 1;
    await instance.goesThrough("3");
  });
});
