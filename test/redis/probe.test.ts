import assert from "node:assert/strict";
import { RedisRefusal, type RefusalKind } from "../../src/backlog/redis/connection";
import { probeRedis } from "../../src/backlog/redis/open";
import { loadRedis } from "../support/backlog/ioredis";
import { RedisServer } from "../support/backlog/redis-server";

describe("the test of an address of Redis", () => {
  let server: RedisServer;
  const refusedAs = (kind: RefusalKind) => (error: unknown) => error instanceof RedisRefusal && error.kind === kind;

  before(async () => {
    server = await RedisServer.start();
  });
  after(() => server?.kill());

  it("finds out what Redis promises, and changes nothing there", async () => {
    for (const [appendonly, appendfsync, promise] of [
      ["yes", "always", "always"],
      ["yes", "everysec", "everysec"],
      ["yes", "no", "none"],
      ["no", "always", "none"],
    ] as const) {
      await server.command("CONFIG", "SET", "appendonly", appendonly, "appendfsync", appendfsync);
      assert.equal(await probeRedis(server.url, loadRedis), promise, `${appendonly} ${appendfsync}`);
    }
    assert.equal(await server.command("DBSIZE"), 0);
  });

  it("says what has to be changed", async () => {
    const address = `127.0.0.1:${server.port}`;
    const refused = await probeRedis(`redis://calls:canary-of-redis@${address}`, loadRedis).catch((error) => error);
    assert.ok(refusedAs("password")(refused));
    assert.doesNotMatch(String(refused), /canary-of-redis/);
    const isMissing = Promise.reject.bind(Promise, new Error("Cannot find module 'ioredis'"));
    await assert.rejects(probeRedis(server.url, isMissing), refusedAs("missing"));
  });

  it("of a user who may not see the settings, and of one who may not run functions", async () => {
    await server.command("ACL", "SETUSER", "calls", "on", ">secret", "~*", "&*", "+@all", "-config");
    const url = `redis://calls:secret@127.0.0.1:${server.port}`;
    for (const [appendonly, promise] of [
      ["yes", "unknown"],
      ["no", "none"],
    ] as const) {
      await server.command("CONFIG", "SET", "appendonly", appendonly);
      assert.equal(await probeRedis(url, loadRedis), promise, appendonly);
    }
    await server.command("ACL", "SETUSER", "calls", "-@scripting");
    await assert.rejects(probeRedis(url, loadRedis), refusedAs("rights"));
  });
});
