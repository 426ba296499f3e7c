import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Acceptance, End, Entry, Limits, Run } from "../../src/backlog/backlog";
import { openRedis } from "../../src/backlog/redis/open";
import type { RedisBacklog } from "../../src/backlog/redis/redis-backlog";
import { loadRedis } from "../support/backlog/ioredis";
import { RedisServer } from "../support/backlog/redis-server";

let server: RedisServer;
let group = 0;
const open: Instance[] = [];

/** A wait that outlives its test would keep mocha from ending. */
async function until(condition: () => boolean): Promise<void> {
  for (const end = Date.now() + 15_000; !condition(); await sleep(10)) assert.ok(Date.now() < end, `not ${condition}`);
}

/** An instance that takes part in a group; its runs end when the test says so. */
class Instance {
  readonly runs: Run[] = [];
  readonly ends: { readonly id: string; readonly end: End; readonly restored: boolean }[] = [];
  readonly troubles: (string | undefined)[] = [];
  readonly differences: string[] = [];
  places = 100;

  private constructor(readonly backlog: RedisBacklog) {
    open.push(this);
  }

  static async connected(limits: Partial<Limits> = {}): Promise<Instance> {
    const differences: string[] = [];
    const backlog = await openRedis({
      url: server.url,
      prefix: [`group ${group}`],
      load: loadRedis,
      leaseMs: 3000,
      onDifference: (limit) => differences.push(limit),
    });
    const instance = new Instance(backlog);
    instance.serve(limits);
    return instance;
  }

  serve(limits: Partial<Limits> = {}): void {
    this.backlog.serve(
      {
        others: () => ({ waiting: 0, bytes: 0 }),
        places: () => this.places,
        begin: (run) => {
          this.places -= 1;
          this.runs.push(run);
        },
        ended: ({ id }, end, restored) => this.ends.push({ id, end, restored }),
        changed: () => {},
        trouble: (reason) => this.troubles.push(reason),
      },
      { rate: 0, entries: 1000, bytes: 2 ** 28, places: 100, ...limits },
    );
  }

  accept(id: string, more: Partial<Entry> = {}): Promise<Acceptance> {
    return this.backlog.accept({ id, nodeId: "a", size: 1, content: { id }, ...more });
  }

  get begun(): readonly string[] {
    return this.runs.map(({ entry }) => entry.id);
  }
}

describe("a backlog in Redis", () => {
  before(async () => {
    server = await RedisServer.start();
  });
  beforeEach(() => {
    group += 1;
  });
  afterEach(async () => {
    for (const { backlog } of open.splice(0)) await backlog.close();
  });
  after(() => server.kill());

  it("performs an entry on one instance, and tells the one that accepted it", async () => {
    const accepting = await Instance.connected();
    accepting.places = 0;
    const performing = await Instance.connected();
    assert.deepEqual(await accepting.accept("1"), { kind: "accepted" });
    await until(() => performing.runs.length === 1);
    assert.deepEqual(performing.runs[0]?.entry.content, { id: "1" });
    performing.runs[0]?.settle("applied", { status: 200 });
    await until(() => accepting.ends.length === 1);
    assert.deepEqual(accepting.ends, [{ id: "1", end: { result: { status: 200 } }, restored: false }]);
    assert.deepEqual(performing.ends, []);
  });

  it("begins first in, first out, as many as the group has places", async () => {
    const instance = await Instance.connected({ places: 2 });
    for (const id of ["1", "2", "3"]) await instance.accept(id);
    await until(() => instance.runs.length === 2);
    assert.deepEqual(instance.begun, ["1", "2"]);
    instance.runs[0]?.settle("applied", null);
    await until(() => instance.runs.length === 3);
  });

  it("refuses more than may wait", async () => {
    const instance = await Instance.connected({ entries: 1 });
    instance.places = 0;
    instance.backlog.pause();
    await until(() => instance.backlog.counts.paused);
    assert.deepEqual(await instance.accept("1"), { kind: "accepted" });
    assert.deepEqual(await instance.accept("2"), { kind: "full" });
    // The same entry again: the answer to the first may have been lost.
    assert.deepEqual(await instance.accept("1"), { kind: "accepted" });
  });

  it("accepts a key once in the group, and gives it back when nothing was applied", async () => {
    const [one, two] = [await Instance.connected(), await Instance.connected()];
    one.places = 0;
    const key = { hash: "k", forMs: 60_000 };
    assert.deepEqual(await one.accept("1", { key }), { kind: "accepted" });
    const second = await two.accept("2", { key });
    assert.ok(second.kind === "duplicate");
    assert.equal(second.first.outcome, "pending");
    await until(() => two.runs.length === 1);
    two.runs[0]?.settle("rejected", null);
    await until(() => one.ends.length === 1);
    assert.deepEqual(await two.backlog.takeKey(key), { kind: "accepted" });
    two.backlog.settleKey(key, "unknown");
    const third = await one.accept("3", { key });
    assert.ok(third.kind === "duplicate");
  });

  it("pauses, holds and drops for the whole group, and drops the entries of one node", async () => {
    const [one, two] = [await Instance.connected(), await Instance.connected()];
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
    const instance = await Instance.connected();
    await instance.accept("1", { notAfter: Date.now() - 1000 });
    await until(() => instance.ends.length === 1);
    assert.deepEqual(instance.ends[0]?.end, { cut: "expired" });
    assert.deepEqual(instance.runs, []);
  });

  it("gives back what an instance has claimed and not begun, when it closes", async () => {
    const one = await Instance.connected({ rate: 1000 });
    one.places = 0;
    await one.accept("1");
    const two = await Instance.connected();
    await until(() => two.runs.length === 1);
  });

  it("goes on with what waited after Redis was killed", async () => {
    const instance = await Instance.connected();
    instance.backlog.pause();
    await until(() => instance.backlog.counts.paused);
    for (const id of ["1", "2", "3"]) await instance.accept(id);
    await server.kill();
    // If this was sent before the connection was seen to break, it is asked for once Redis is there again.
    const fourth = instance.accept("4");
    await server.restart();
    assert.equal((await fourth).kind, "trouble");
    instance.backlog.resume();
    await until(() => instance.runs.length === 3);
    assert.deepEqual(instance.begun, ["1", "2", "3"]);
  });
});
