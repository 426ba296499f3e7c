import assert from "node:assert/strict";
import { closeAll, Instance, newGroup, until } from "../support/backlog/instances";
import { expire } from "../support/backlog/leases";
import { RedisServer } from "../support/backlog/redis-server";

let server: RedisServer;
const connected = (limits?: Parameters<typeof Instance.open>[1]) => Instance.open(server.url, limits);
const anytime = { anytime: true } as const;

async function closed(): Promise<Instance> {
  const instance = await connected();
  instance.isOpen = false;
  return instance;
}

function openUp(...instances: readonly Instance[]): void {
  for (const instance of instances) instance.isOpen = true;
  for (const { backlog } of instances) backlog.dispatch();
}

describe("a backlog in Redis whose starts are closed", () => {
  before(async () => {
    server = await RedisServer.start();
  });
  beforeEach(async () => {
    newGroup();
    await server.command("FLUSHALL");
  });
  afterEach(closeAll);
  after(() => server.kill());

  it("begins only what begins at any time, on each instance, and the others in order once they open", async () => {
    const [one, two] = [await closed(), await closed()];
    for (const id of ["1", "2"]) await one.accept(id);
    await two.accept("any", anytime);
    await until(() => one.runs.length + two.runs.length === 1);
    assert.deepEqual([...one.begun, ...two.begun], ["any"]);
    assert.equal(one.backlog.counts.bytes + two.backlog.counts.bytes > 0, true);
    two.places = 0;
    await one.accept("any 2", anytime);
    await until(() => one.begun.includes("any 2"));
    openUp(one);
    await until(() => one.begun.includes("2"));
    assert.deepEqual(
      one.begun.filter((id) => !id.startsWith("any")),
      ["1", "2"],
    );
  });

  it("keeps the order of all while they are open", async () => {
    const instance = await connected();
    instance.backlog.pause();
    await instance.accept("1");
    await instance.accept("2", anytime);
    await instance.accept("3");
    instance.backlog.resume();
    await until(() => instance.runs.length === 3);
    assert.deepEqual(instance.begun, ["1", "2", "3"]);
  });

  it("finds among 100,000 what begins at any time, with the number of commands that it takes among none", async () => {
    const instance = await connected({ entries: 200_000 });
    instance.isOpen = false;
    const commands = async () => {
      await server.command("CONFIG", "RESETSTAT");
      const id = `any ${Math.random()}`;
      await instance.accept(id, anytime);
      await until(() => instance.begun.includes(id));
      const statistics = String(await server.command("INFO", "commandstats"));
      return ["zpopmin", "hget"].map((name) =>
        Number(/calls=(\d+)/.exec(statistics.split(`cmdstat_${name}:`)[1] ?? "")?.[1]),
      );
    };
    const [pops = 0, reads = 0] = await commands();
    for (let n = 0; n < 100; n += 1)
      await Promise.all(Array.from({ length: 1000 }, (_, m) => instance.accept(`${n} ${m}`)));
    assert.equal(instance.begun.length, 1);
    const [popsThen = 0, readsThen = 0] = await commands();
    // A beat may fall into it.
    assert.ok(popsThen <= pops + 4 && readsThen <= reads + 60, `${[pops, popsThen]} pops, ${[reads, readsThen]} reads`);
  });

  it("refuses more than may wait, although there would be a place for it", async () => {
    const instance = await connected({ entries: 1 });
    instance.isOpen = false;
    assert.deepEqual(await instance.accept("1"), { kind: "accepted" });
    assert.deepEqual(await instance.accept("2"), { kind: "full" });
  });

  it("drops, withdraws and expires what begins at any time", async () => {
    const instance = await connected();
    instance.backlog.pause();
    await instance.accept("dropped", { ...anytime, nodeId: "b" });
    await instance.accept("withdrawn", anytime);
    await instance.accept("expired", { ...anytime, notAfter: Date.now() - 1 });
    assert.equal(await instance.backlog.drop("b"), 1);
    assert.equal(await instance.backlog.cancel("withdrawn"), true);
    instance.backlog.resume();
    await until(() => instance.ends.length === 3);
    assert.deepEqual(
      instance.ends.map(({ id, end }) => [id, end]),
      [
        ["dropped", { cut: "dropped" }],
        ["withdrawn", { cut: "dropped" }],
        ["expired", { cut: "expired" }],
      ],
    );
    await until(() => instance.backlog.counts.waiting === 0 && instance.backlog.counts.bytes === 0);
    assert.deepEqual(await server.command("KEYS", "*:anytime"), []);
  });

  it("takes back a run that may not leave now, in front of the others, and counts it as waiting", async () => {
    const instance = await connected({ places: 2 });
    for (const id of ["1", "2", "3"]) await instance.accept(id);
    await until(() => instance.runs.length === 2);
    instance.isOpen = false;
    for (const run of instance.runs.splice(0)) {
      instance.places += 1;
      run.requeue();
    }
    await until(() => instance.backlog.counts.waiting === 3);
    assert.equal(instance.backlog.counts.bytes, 3);
    openUp(instance);
    await until(() => instance.runs.length === 2);
    assert.deepEqual(instance.begun, ["1", "2"]);
    instance.settleAll();
    await until(() => instance.runs.length === 1);
    assert.deepEqual(instance.begun, ["3"]);
  });

  it("lets another instance perform what was taken back, also by one that begins nothing more", async () => {
    const one = await connected();
    await one.accept("1", anytime);
    await until(() => one.runs.length === 1);
    one.backlog.stopDispatching();
    // It has come to rest, and the run goes on.
    await server.command("PING");
    one.runs[0]?.requeue();
    const two = await closed();
    await until(() => two.runs.length === 1);
    assert.deepEqual(two.begun, ["1"]);
    assert.deepEqual(one.ends, []);
  });

  it("takes back a run while the reply to another take is under way", async () => {
    const instance = await connected();
    for (let n = 0; n < 40; n += 1) {
      await instance.accept(String(n));
      await until(() => instance.runs.length === 1);
      const [run] = instance.runs.splice(0);
      instance.backlog.dispatch();
      // Within the time of the round trip, at another instant each time.
      for (let turn = 0; turn < n % 4; turn += 1) await new Promise(setImmediate);
      run?.requeue();
      await until(() => instance.runs.length === 1);
      instance.settleAll();
    }
    await until(() => instance.ends.length === 40);
  });

  it("gives back what begins at any time when the claim of a gone instance was never begun", async () => {
    const gone = await Instance.open(server.url, {}, 60_000);
    gone.isOpen = false;
    gone.places = 0;
    await gone.accept("1");
    await gone.accept("2", anytime);
    await expire(server);
    const heir = await closed();
    await until(() => heir.runs.length === 1);
    assert.deepEqual(heir.begun, ["2"]);
  });
});

describe("an entry in Redis that is withdrawn", () => {
  before(async () => {
    server = await RedisServer.start();
  });
  beforeEach(newGroup);
  afterEach(closeAll);
  after(() => server.kill());

  it("ends as dropped, once, for the instance that accepted it", async () => {
    const [one, two] = [await connected(), await connected()];
    one.backlog.pause();
    await one.accept("1");
    await one.accept("2");
    assert.equal(await two.backlog.cancel("1"), true);
    await until(() => one.ends.length === 1);
    assert.deepEqual(one.ends, [{ id: "1", end: { cut: "dropped" }, restored: false }]);
    // The repetition after a lost reply answers the same, and changes nothing.
    assert.equal(await two.backlog.cancel("1"), true);
    one.backlog.resume();
    await until(() => one.begun.includes("2") || two.begun.includes("2"));
    assert.equal(one.ends.length, 1);
  });

  it("is not ended if it has begun, or is unknown", async () => {
    const instance = await connected();
    await instance.accept("1");
    await until(() => instance.runs.length === 1);
    assert.equal(await instance.backlog.cancel("1"), false);
    assert.equal(await instance.backlog.cancel("never accepted"), false);
    instance.settleAll();
    await until(() => instance.ends.length === 1);
    assert.equal(await instance.backlog.cancel("1"), false);
    assert.deepEqual(instance.ends[0]?.end, { result: null });
  });

  it("is withdrawn although its acceptance is still under way, or Redis was away", async () => {
    const instance = await connected();
    instance.backlog.pause();
    const accepting = instance.accept("1");
    assert.equal(await instance.backlog.cancel("1"), true);
    assert.deepEqual(await accepting, { kind: "accepted" });
    await instance.accept("2");
    await server.kill();
    const withdrawing = instance.backlog.cancel("2");
    await server.restart();
    assert.equal(await withdrawing, true);
    await until(() => instance.ends.length === 2);
  });
});
