import assert from "node:assert/strict";
import { createServer as createHttpServer } from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import type { RefusalKind } from "../../src/backlog/redis/connection";
import { openRedis, probeRedis } from "../../src/backlog/redis/open";
import { closeAll, Instance, withRedis } from "../support/backlog/instances";
import { loadRedis } from "../support/backlog/ioredis";
import { RedisServer } from "../support/backlog/redis-server";
import { listen } from "../support/loopback";
import { until } from "../support/until";

const refuses = (url: string, kind: RefusalKind, message: RegExp): Promise<void> =>
  assert.rejects(Instance.open(url), { kind, message });

/** A server that is no Redis, or an old one. */
const listening = async (server: Server) => `redis://127.0.0.1:${await listen(server)}`;

describe("a Redis that cannot be used with these settings", () => {
  const redis = withRedis();
  before(() => redis.server.command("ACL", "SETUSER", "calls", "on", ">secret", "allkeys", "allchannels", "+@all"));

  const at = (login: string, path = "") => `redis://${login}@127.0.0.1:${redis.server.port}${path}`;

  it("is no address", () => refuses("redis://a,b", "url", /address/));

  it("needs a package that cannot be loaded", async () => {
    const load = () => Promise.reject(new Error("Cannot find module 'ioredis'"));
    await assert.rejects(openRedis({ url: redis.server.url, prefix: [], load }), {
      kind: "missing",
      message: /ioredis/,
    });
    const other = () => Promise.resolve({});
    await assert.rejects(openRedis({ url: redis.server.url, prefix: [], load: other }), { kind: "missing" });
  });

  it("needs a password", async () => {
    const closed = await RedisServer.start("--requirepass", "open sesame");
    try {
      await refuses(closed.url, "password", /NOAUTH/);
      await refuses(`redis://:wrong@127.0.0.1:${closed.port}`, "password", /WRONGPASS/);
      await (await Instance.open(`redis://:open%20sesame@127.0.0.1:${closed.port}`)).goesThrough("1");
    } finally {
      await closeAll();
      await closed.kill();
    }
  });

  for (const [what, ...rules] of [
    ["run functions", "-eval", "-evalsha"],
    ["use the commands in them", "-zpopmin", "-hset"],
    ["use the keys", "resetkeys", "~other:*"],
    ["subscribe", "-subscribe"],
    ["hear the channels", "resetchannels", "&other:*"],
  ] as const)
    it(`does not let the user ${what}`, async () => {
      await redis.server.command("ACL", "SETUSER", "limited", "reset", "on", ">secret", "~*", "&*", "+@all", ...rules);
      await refuses(at("limited:secret"), "rights", /permission|can't|NOPERM/);
    });

  it("needs no more than these rights", async () => {
    const rules = ["~{telephony:*", "&{telephony:*", "+@read", "+@write", "+eval", "+evalsha", "+time", "+subscribe"];
    await redis.server.command(
      "ACL",
      "SETUSER",
      "least",
      "reset",
      "on",
      ">secret",
      ...rules,
      "+publish",
      "+ping",
      "+select",
    );
    const instance = await Instance.open(at("least:secret", "/3"));
    await instance.goesThrough("1");
    assert.equal(await probeRedis(at("least:secret", "/3"), loadRedis), "unknown");
    await redis.server.command("ACL", "SETUSER", "least", "+config|get");
    assert.equal(await probeRedis(at("least:secret", "/3"), loadRedis), "always");
  });

  it("has no such database, and nothing is written into another one", async () => {
    await refuses(`${redis.server.url}/16`, "database", /out of range/);
    assert.equal(await redis.server.command("DBSIZE"), 0);
    await (await Instance.open(`${redis.server.url}/15`)).goesThrough("1");
    assert.equal(await redis.server.command("DBSIZE"), 0);
  });

  it("is a web server", async () => {
    const web = createHttpServer((_, response) => response.end("hello"));
    try {
      await refuses(await listening(web), "notRedis", /not Redis/);
    } finally {
      web.close();
    }
  });

  it("is too old", async () => {
    const reply = "-ERR Error compiling script (new function): user_script:1: unexpected symbol near '#'\r\n";
    const old = createServer((socket: Socket) => {
      socket.on("error", () => {});
      socket.on("data", (data) => socket.write(data.includes("eval") ? reply : "+OK\r\n"));
    });
    try {
      await refuses(await listening(old), "old", /older than/);
    } finally {
      old.close();
    }
  });

  it("is a node of a cluster that has other keys; a node that has them all works", async () => {
    const nodes = await Promise.all([1, 2].map(() => RedisServer.startNode()));
    const [one, two] = nodes as [RedisServer, RedisServer];
    try {
      await one.command("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
      await until(async () => String(await one.command("CLUSTER", "INFO")).includes("cluster_state:ok"));
      const instance = await Instance.open(one.url);
      await instance.goesThrough("1");
      await one.meet(two);
      await until(async () => String(await two.command("CLUSTER", "INFO")).includes("cluster_state:ok"));
      await refuses(two.url, "cluster", new RegExp(`another one: 127.0.0.1:${one.port}$`));
      await refuses(`${one.url}/1`, "database", /SELECT|database/i);
      await instance.goesThrough("2");
    } finally {
      await closeAll();
      await Promise.all(nodes.map((node) => node.kill()));
    }
  });

  it("refuses later what it has allowed: reported once, until it is allowed again", async () => {
    await redis.server.command("ACL", "SETUSER", "later", "reset", "on", ">secret", "~*", "&*", "+@all");
    const { Redis } = await loadRedis();
    assert.ok(Redis);
    const instance = await Instance.open(at("later:secret"));
    await instance.goesThrough("1");
    await redis.server.command("ACL", "DELUSER", "later");
    await until(() => instance.failures.length === 1);
    assert.equal((await instance.accept("2")).kind, "failed");
    await redis.server.command("ACL", "SETUSER", "later", "reset", "on", ">secret", "~*", "&*", "+@all");
    await until(() => instance.failures.length === 2);
    assert.equal(instance.failures[1], undefined);
    await instance.goesThrough("3");
  });
});
