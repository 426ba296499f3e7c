import assert from "node:assert/strict";
import { withRedis } from "../support/backlog/instances";
import { until } from "../support/until";

/** In the words of test/support/backlog/traces.ts and instances.ts. */
const TRACES = {
  "are counted over all instances, and given back by what was not applied": `opens one two, one: accept number,
    two: accept number, accept number → usedUp 60, one: begun 1, settle 1 applied, two: begun 2, settle 2 rejected,
    one: ends 1:applied, two: ends 2:rejected, accept number, one: accept number → usedUp 60`,
  "are free again when their time is over": `opens one, accept brief brief, begun 1 2, settle-all,
    ends 1:applied 2:applied, is-free brief, accept brief`,
  "count their uses against the limit of 200,000": `opens one, pause, accept number, fill, accept number,
    accept key → keysFull, accept thrice → keysFull`,
  "make room once they have expired": `opens one, pause, accept number, fill-expired, accept key thrice,
    take brief → accepted`,
};

describe("keys of several uses in Redis", () => {
  const redis = withRedis();
  const fillWith = (last: number, more = "") => {
    const script = `for n = 2, ${last} do redis.call('HSET', KEYS[1], 'filler' .. n, '{}') ${more} end`;
    return async () => redis.server.command("EVAL", script, "2", await redis.key("keys"), await redis.key("until"));
  };
  const words = {
    fill: fillWith(199_999),
    "fill-expired": fillWith(200_000, "redis.call('ZADD', KEYS[2], 1, 'filler' .. n)"),
  };

  for (const [promise, trace] of Object.entries(TRACES)) it(promise, () => redis.play(trace, words));
});

describe("keys of requests in Redis", () => {
  const redis = withRedis();

  it("are held until the request has ended, or its instance has left", async () => {
    const [one, other] = [await redis.open(), await redis.open()];
    const keys = ["settled", "left"].map((hash) => ({ hash, forMs: 60_000 }));
    for (const key of keys) await one.backlog.keys.take(key);
    const held = async () =>
      ((await redis.server.command("HKEYS", await redis.key("held"))) as string[]).sort().join(" ");
    assert.equal(await held(), "left settled");
    one.backlog.keys.settle(keys[0] as (typeof keys)[number], "applied");
    await until(async () => (await held()) === "left");
    assert.equal(await other.backlog.keys.free(), 199_998);
    await one.backlog.close();
    assert.equal(await held(), "");
    for (const key of keys) assert.equal((await other.backlog.keys.try(key)).kind, "duplicate");
  });
});
