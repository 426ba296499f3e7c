import assert from "node:assert/strict";
import type { Acceptance, Key } from "../../src/backlog";
import { withRedis } from "../support/backlog/instances";
import { prefix, successorTo } from "../support/backlog/leases";
import { until } from "../support/until";

const HOUR = 3_600_000;
const number: Key = { hash: "number", forMs: HOUR, uses: 2 };

/** Milliseconds until a use is free. */
function usedUpFor(acceptance: Acceptance): number {
  assert.ok(acceptance.kind === "usedUp", acceptance.kind);
  return acceptance.retryAfterMs;
}

describe("keys of several uses in Redis", () => {
  const redis = withRedis();
  const { open, slow } = redis;

  it("are counted over all instances, and given back by what was not applied", async () => {
    const [one, two] = [await open(), await open()];
    for (const [id, instance] of [
      ["1", one],
      ["2", two],
    ] as const)
      assert.deepEqual(await instance.accept(id, { keys: [number] }), { kind: "accepted" });
    // A use that is pending holds the key for all its time once it ends.
    assert.equal(usedUpFor(await two.accept("3", { keys: [number] })), HOUR);
    await until(() => one.runs.length === 1 && two.runs.length === 1);
    one.runs[0]?.settle("applied", null);
    two.runs[0]?.settle("rejected", null);
    await until(() => one.ends.length + two.ends.length === 2);
    assert.deepEqual(await two.accept("4", { keys: [number] }), { kind: "accepted" });
    const left = usedUpFor(await one.accept("5", { keys: [number] }));
    assert.ok(left <= HOUR && left > HOUR - 60_000, String(left));
  });

  it("are free again when their time is over", async () => {
    const instance = await open();
    const short = { ...number, forMs: 300 };
    for (const id of ["1", "2"]) await instance.accept(id, { keys: [short] });
    await until(() => instance.runs.length === 2);
    instance.settleAll();
    await until(() => instance.ends.length === 2);
    await until(async () => (await instance.backlog.keys.try(short)).kind === "accepted");
    assert.deepEqual(await instance.accept("3", { keys: [short] }), { kind: "accepted" });
  });

  it("keep the uses of an instance that is gone, as unknown", async () => {
    const gone = await slow();
    for (const id of ["1", "2"]) await gone.accept(id, { keys: [number] });
    await until(() => gone.runs.length === 2);
    const successor = await successorTo(redis.server, open);
    await until(() => successor.ends.length === 2);
    const left = usedUpFor(await successor.backlog.keys.try(number));
    assert.ok(left <= HOUR && left > HOUR - 60_000, String(left));
  });

  it("are given back by what waited on an instance that is gone, once it was performed elsewhere", async () => {
    const gone = await slow();
    gone.places = 0;
    for (const id of ["1", "2"]) await gone.accept(id, { keys: [number] });
    const successor = await successorTo(redis.server, open);
    await until(() => successor.runs.length === 2);
    for (const run of successor.runs) run.settle("not-applied", null);
    await until(() => successor.ends.length === 2);
    assert.deepEqual(await successor.backlog.keys.try(number), { kind: "accepted" });
    assert.equal(await redis.server.command("HLEN", `${await prefix(redis.server)}:keys`), 0);
  });

  it("count their uses against the limit of 200,000", async () => {
    const instance = await open();
    instance.backlog.pause();
    await instance.accept("1", { keys: [number] });
    const fill = "for n = 2, 199999 do redis.call('HSET', KEYS[1], 'filler' .. n, '{}') end";
    await redis.server.command("EVAL", fill, "1", `${await prefix(redis.server)}:keys`);
    assert.equal((await instance.accept("2", { keys: [number] })).kind, "accepted");
    const once: Key = { hash: "once", forMs: HOUR };
    assert.deepEqual(await instance.accept("3", { keys: [once] }), { kind: "keysFull" });
    assert.equal((await instance.accept("4", { keys: [{ ...number, uses: 3 }] })).kind, "keysFull");
  });
});
