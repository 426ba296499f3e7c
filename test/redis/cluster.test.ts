import assert from "node:assert/strict";
import { probeRedis } from "../../src/backlog/redis/open";
import { closeAll, Instance, newGroup } from "../support/backlog/instances";
import { loadRedis } from "../support/backlog/ioredis";
import { prefix } from "../support/backlog/leases";
import { RedisServer } from "../support/backlog/redis-server";
import { until } from "../support/until";

/** Hash slots of a cluster, divided among three nodes. */
const SLOTS = [
  ["0", "5460"],
  ["5461", "10922"],
  ["10923", "16383"],
] as const;

describe("a Redis Cluster of three nodes", () => {
  let nodes: readonly RedisServer[];
  const url = (...those: readonly RedisServer[]) =>
    `redis+cluster://${those.map(({ port }) => `127.0.0.1:${port}`).join(",")}`;

  before(async () => {
    const options = ["--cluster-node-timeout", "15000"];
    nodes = await Promise.all(SLOTS.map(() => RedisServer.startNode(...options)));
    for (const [n, [from, to]] of SLOTS.entries()) await nodes[n]?.command("CLUSTER", "ADDSLOTSRANGE", from, to);
    for (const node of nodes.slice(1)) await nodes[0]?.meet(node);
    for (const node of nodes)
      await until(async () => {
        const info = String(await node.command("CLUSTER", "INFO"));
        return info.includes("cluster_state:ok") && info.includes("cluster_known_nodes:3");
      });
  });
  beforeEach(newGroup);
  afterEach(closeAll);
  after(() => Promise.all(nodes.map((node) => node.kill())));

  it("keeps each group on one node, whichever of them the address names", async () => {
    for (const node of nodes) {
      newGroup();
      const [one, two] = [await Instance.open(url(node)), await Instance.open(url(node))];
      await one.goesThrough("1");
      one.backlog.pause();
      await until(() => two.backlog.counts.paused);
      await two.accept("2");
      assert.equal(await one.backlog.drop(), 1);
      await until(() => two.ends.length === 1);
      await closeAll();
    }
  });

  it("moves the slot of a group to another node while calls are accepted", async () => {
    const instance = await Instance.open(url(...nodes));
    const key = { keys: [{ hash: "k", forMs: 60_000 }] };
    instance.slots = 1;
    await instance.accept("in flight");
    await instance.accept("waits", key);
    await until(() => instance.begun.includes("in flight"));
    const at = (await Promise.all(nodes.map(prefix))).findIndex((name) => name !== "");
    const [from, to] = [nodes[at], nodes[(at + 1) % nodes.length]] as [RedisServer, RedisServer];
    const slot = String(await from.command("CLUSTER", "KEYSLOT", await prefix(from)));
    const [source, target] = (await Promise.all([from, to].map((node) => node.command("CLUSTER", "MYID")))) as string[];
    await to.command("CLUSTER", "SETSLOT", slot, "IMPORTING", String(source));
    await from.command("CLUSTER", "SETSLOT", slot, "MIGRATING", String(target));
    const meanwhile: ReturnType<typeof instance.accept>[] = [];
    for (;;) {
      const keys = (await from.command("CLUSTER", "GETKEYSINSLOT", slot, "5")) as string[];
      if (keys.length === 0) break;
      await from.command("MIGRATE", "127.0.0.1", String(to.port), "", "0", "5000", "KEYS", ...keys);
      meanwhile.push(instance.accept());
      await instance.backlog.keys.try({ hash: "any", forMs: 1 });
    }
    for (const node of [to, from, ...nodes]) await node.command("CLUSTER", "SETSLOT", slot, "NODE", String(target));
    const accepted = (await Promise.all(meanwhile)).filter(({ kind }) => kind === "accepted");
    await until(() => instance.failures.at(-1) === undefined);
    instance.settleAllKept();
    instance.slots = 1000;
    instance.backlog.loop.dispatch();
    await instance.goesThrough("after");
    assert.deepEqual(instance.begun.slice(0, 2), ["in flight", "waits"]);
    assert.equal(instance.begun.length, accepted.length + 3);
    assert.equal((await instance.accept("again", key)).kind, "duplicate");
    assert.deepEqual(instance.losses, []);
  });

  it("goes on with what waits after the node of its keys was killed, and makes nothing begin twice", async () => {
    const instance = await Instance.open(url(...nodes));
    instance.slots = 1;
    for (const id of ["1", "2"]) await instance.accept(id);
    await until(() => instance.runs.length === 1);
    for (const node of nodes) {
      await node.kill();
      await node.restart();
    }
    await until(() => instance.failures.length > 0 && instance.failures.at(-1) === undefined);
    instance.settleAllKept();
    instance.slots = 1;
    instance.backlog.loop.dispatch();
    await until(() => instance.runs.length === 2);
    assert.deepEqual(instance.begun, ["1", "2"]);
  });

  it("can be tested by its address", async () => {
    // The nodes that were restarted have to find each other.
    await until(async () => (await probeRedis(url(...nodes), loadRedis).catch(() => "")) === "everysec");
  });
});
