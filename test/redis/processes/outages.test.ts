import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { mock } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { Health } from "../../../src/backlog/redis/health";
import { probeRedis } from "../../../src/backlog/redis/open";
import { losing } from "../../support/backlog/away";
import { closeAll, Instance, newGroup, withRedis } from "../../support/backlog/instances";
import { loadRedis } from "../../support/backlog/ioredis";
import { successorTo } from "../../support/backlog/leases";
import { RedisServer } from "../../support/backlog/redis-server";
import { Route } from "../../support/backlog/route";
import { holdClock } from "../../support/clocks";
import { freePort } from "../../support/process/free-port";
import { LIMIT_MS, until } from "../../support/until";

const CERTS = join(__dirname, "../../../../test/support/faults/certs");

/** An outage lasts until a store has failed so often. npm run soak lets it last longer. */
const FAILURES = Number(process.env["FAILURES"] ?? 8);

/** Waits until each of some stores has failed so often: what were reported again would be by then. */
async function failsOften(stores = 1): Promise<void> {
  const { mock: spy } = mock.method(Health.prototype, "failed");
  const counts = () => spy.calls.reduce((all, { this: of }) => all.set(of, (all.get(of) ?? 0) + 1), new Map());
  const isOften = () => [...counts().values()].filter((count) => count >= FAILURES).length === stores;
  // A store tries again after a second and more.
  await until(isOften, `${FAILURES} failures`, LIMIT_MS + FAILURES * 2000).finally(() => spy.restore());
}

/** Tries until a call-out is accepted, as a flow does. */
async function acceptedSoon(instance: Instance, id: string): Promise<void> {
  for (let n = 0; ; n += 1) {
    const { kind } = await instance.accept(`${id} ${n}`);
    if (kind === "accepted") return;
    assert.equal(kind, "failed");
    await sleep(100);
  }
}

/** Returns how much of what a primary has written a Redis has. A new replica is a moment behind, also once it is connected. */
async function offset(server: RedisServer): Promise<number> {
  const [, bytes] = /^master_repl_offset:(\d+)/m.exec(String(await server.command("INFO", "replication"))) ?? [];
  return Number(bytes);
}

describe("a Redis that fails for a while", () => {
  const redis = withRedis();
  const routes: Route[] = [];
  afterEach(() => {
    for (const route of routes.splice(0)) route.close();
  });
  /** An instance, and the route between it and Redis. */
  const routed = async () => {
    const route = new Route(redis.server.port);
    routes.push(route);
    return [await Instance.open(await route.open()), route] as const;
  };

  const [asked, worked] = [
    (instance: Instance) => instance.failures.filter((reason) => reason !== undefined).length,
    (instance: Instance) => instance.failures.at(-1) === undefined,
  ];

  it("is away at the start, and works when it is there", async () => {
    const port = await freePort();
    const instance = await Instance.open(`redis://127.0.0.1:${port}`);
    assert.match(instance.failures[0] ?? "", /ECONNREFUSED/);
    assert.equal((await instance.accept("1")).kind, "failed");
    await failsOften();
    const late = await RedisServer.startAt(port);
    try {
      await until(() => worked(instance));
      await instance.goesThrough("2");
      assert.equal(instance.failures.length, 2);
    } finally {
      await late.kill();
    }
  });

  it("answers late: a call does not begin by an answer that was under way for two seconds", async () => {
    const [[one, route], two] = [await routed(), await redis.open()];
    await one.goesThrough("first");
    await one.backlog.records.create("a", 1);
    // As an incident ends that is over.
    one.restored.onRecordNote = () => void one.backlog.withdraw("call");
    const release = route.hold("answered");
    const accepted = one.accept("call");
    await until(async () => ((await redis.server.command("KEYS", "*:begun:*")) as string[]).length > 0);
    assert.equal(await two.backlog.records.note("a", "over"), true);
    holdClock().advance(2100);
    release();
    await accepted;
    await until(() => one.ended.includes("call"));
    await one.goesThrough("next");
    assert.deepEqual(one.begun, ["first", "next"]);
  });

  it("gets a change late of a record that has ended at a successor: it is not made", async () => {
    const [gone, route] = await routed();
    await gone.backlog.records.create("a", 1);
    const release = route.hold("sent");
    const updating = gone.backlog.records.update("a", 2);
    const next = await successorTo(redis.server, () => redis.quick());
    await until(() => next.notes.length === 1);
    await next.backlog.records.remove("a");
    release();
    assert.equal(await updating, false);
    assert.equal(await next.backlog.records.create("a", 3), true);
  });

  it("swallows what is sent: the route is given up, and what was sent is asked for", async () => {
    const [instance, route] = await routed();
    await instance.goesThrough("1");
    route.swallow();
    const second = instance.accept("2");
    await until(() => asked(instance) === 1);
    route.recover();
    assert.equal((await second).kind, "failed");
    await until(() => worked(instance));
    await instance.goesThrough("3");
    assert.equal(asked(instance), 1);
  });

  for (const isRestored of [false, true])
    it(`loses the answers of what it has accepted${isRestored ? ", and another instance restores it" : ""}: each is placed once`, async () => {
      const [instance, route] = await routed();
      const key = (hash: string) => ({ name: hash, keys: [{ hash, forMs: 60_000 }] });
      await instance.goesThrough("before");
      if (isRestored) instance.slots = 0;
      await instance.accept("earlier", { ...key("moved"), notBefore: Date.now() + 60_000 });
      route.isMute = true;
      const accepted = Promise.all([
        instance.accept("new", key("k")),
        instance.accept("later", { ...key("moved"), notBefore: Date.now() + 120_000, replaces: true }),
      ]);
      await until(async () => {
        const [name = ""] = (await redis.server.command("KEYS", "*:entries:*")) as string[];
        return (await redis.server.command("HEXISTS", name, "later")) === 1;
      });
      const other = isRestored ? await successorTo(redis.server, redis.open) : await redis.open();
      if (!isRestored) {
        await redis.server.kill();
        await redis.server.restart();
      }
      route.recover();
      for (const { kind } of await accepted) assert.equal(kind, "accepted");
      await until(() => [...instance.begun, ...other.begun].includes("new"));
      await until(() => [...instance.ended, ...other.ended].includes("earlier"));
      await until(() => instance.inherited.length === (isRestored ? 3 : 0));
      assert.deepEqual(
        (await instance.backlog.list(0, 5)).map(({ entry }) => entry.id),
        ["later"],
      );
      assert.equal((await other.accept("again", key("k"))).kind, "duplicate");
      assert.deepEqual([...instance.begun, ...other.begun], ["before", "new"]);
    });

  it("gets a command late whose acceptance was given up: it is not accepted", () =>
    redis.play("opens it, redis-key SET refused:1 refused, accept key → failed, try key → accepted, begun"));

  it("is full: reported once, what was accepted is performed, and new ones are accepted when there is room", async () => {
    const instance = await redis.open();
    instance.slots = 0;
    for (const id of ["1", "2"]) await instance.accept(id);
    await redis.server.command("CONFIG", "SET", "maxmemory", "1");
    for (let n = 0; n < 100; n += 1) {
      const acceptance = await instance.accept(`full ${n}`);
      assert.match(acceptance.kind === "failed" ? acceptance.reason : "accepted", /OOM/);
    }
    instance.slots = 2;
    instance.backlog.loop.dispatch();
    await until(() => instance.runs.length === 2);
    for (const run of instance.runs) run.settle("applied", null);
    await until(() => instance.ends.length === 2);
    await failsOften();
    assert.equal(instance.failures.length, 1);
    await redis.server.command("CONFIG", "SET", "maxmemory", "0");
    await until(() => worked(instance));
    instance.slots = 1;
    await instance.goesThrough("3");
    assert.equal(instance.failures.length, 2);
  });

  it("says by which policy it would delete entries", async () => {
    const eviction = async (...settings: string[]) => {
      await redis.server.command("CONFIG", "SET", ...settings);
      const { durabilities } = await redis.open();
      await until(() => durabilities.length > 0);
      return durabilities[0]?.split(", ")[1];
    };
    assert.equal(await eviction("maxmemory-policy", "allkeys-lru", "maxmemory", "1gb"), "allkeys-lru");
    assert.equal(await eviction("maxmemory-policy", "noeviction", "maxmemory", "0"), undefined);
  });

  it("is killed many times: reported once each time", async () => {
    const instance = await redis.open();
    for (let kill = 1; kill <= 3; kill += 1) {
      await redis.server.kill();
      await until(() => asked(instance) === kill);
      await failsOften();
      await redis.server.restart();
      await until(() => worked(instance));
      assert.deepEqual(instance.losses, []);
      await instance.goesThrough(`after ${kill}`);
      await until(() => instance.durabilities.length === kill + 1);
    }
    assert.equal(instance.failures.length, 6);
  });

  it("is lost while trouble holds calls and a probe comes due: they go on when it is back", async () => {
    const instance = await redis.open();
    const away = losing(instance.store);
    let probes = 0;
    const probe = async () => {
      probes += 1;
      return { isAnswered: true };
    };
    instance.waitsForService({ probe });
    await instance.backlog.service.observe({ kind: "stops", code: "ERR_SERVER" });
    await redis.server.kill();
    await until(() => asked(instance) === 1);
    const before = away.changes;
    await until(() => away.changes >= before + 2);
    assert.deepEqual([away.changes - before, probes], [2, 0]);
    await redis.server.restart();
    await until(() => worked(instance));
    await instance.goesThrough("1");
  });

  it("speaks TLS, and nothing else is taken for it", async () => {
    const port = await freePort();
    const file = (name: string) => join(CERTS, name);
    const certificate = ["--tls-cert-file", file("good.pem"), "--tls-key-file", file("good.key.pem")];
    const tls = [
      "--tls-port",
      String(port),
      ...certificate,
      "--tls-ca-cert-file",
      file("ca.pem"),
      "--tls-auth-clients",
      "no",
    ];
    const secure = await RedisServer.start(...tls);
    const trusted = getCACertificates("default");
    try {
      const distrusting = await Instance.open(`rediss://127.0.0.1:${port}`);
      assert.match(distrusting.failures[0] ?? "", /certificate/);
      const mistaken = await Instance.open(`redis://127.0.0.1:${port}`);
      assert.equal((await mistaken.accept("1")).kind, "failed");
      const plain = await Instance.open(`rediss://127.0.0.1:${secure.port}`);
      assert.equal((await plain.accept("1")).kind, "failed");
      await failsOften(3);
      for (const { failures } of [distrusting, mistaken, plain]) assert.equal(failures.length, 1);
      setDefaultCACertificates([...trusted, await readFile(file("ca.pem"), "utf8")]);
      await until(() => worked(distrusting));
      newGroup();
      await (await Instance.open(`rediss://localhost:${port}`)).goesThrough("1");
    } finally {
      setDefaultCACertificates(trusted);
      await closeAll();
      await secure.kill();
    }
  });

  it("fails over to a replica that Sentinel makes the primary", async () => {
    const primary = await RedisServer.start();
    const replica = await RedisServer.start("--replicaof", `127.0.0.1 ${primary.port}`);
    const sentinel = await RedisServer.startSentinel(primary);
    const away = await freePort();
    try {
      await until(async () => String(await sentinel.command("INFO", "sentinel")).includes("slaves=1,"));
      const hosts = `127.0.0.1:${away},127.0.0.1:${sentinel.port}`;
      const url = `redis+sentinel://${hosts}/main/2`;
      const instance = await Instance.open(url);
      await instance.goesThrough("1");
      assert.equal(await probeRedis(url, loadRedis), "everysec");
      const written = await offset(primary);
      await until(async () => (await offset(replica)) >= written);
      await primary.kill();
      await acceptedSoon(instance, "2");
      await until(() => instance.runs.length === 2 && worked(instance));
      assert.ok(asked(instance) <= 3, `${asked(instance)} troubles`);
      await instance.goesThrough("3");
    } finally {
      await closeAll();
      await Promise.all([replica.kill(), sentinel.kill()]);
    }
  });
});
