import assert from "node:assert/strict";
import { withRedis } from "../support/backlog/instances";
import { prefix, successorTo } from "../support/backlog/leases";
import { until } from "../support/until";

describe("instances that share a backlog in Redis", () => {
  const redis = withRedis();
  const { quick, slow } = redis;

  const TRACES = {
    "restore what a gone one left, and it sends nothing on": `opens-slowly gone, slots 1, accept - - -, begun 1,
      succeeded-by next 0, ends 1:lost, counts restored 2, gone: settle 1 applied, next: slots 2, begun 2 3,
      settle-all, ends 1:lost 2:applied 3:applied, counts restored 0, gone: inherits 1 2 3, ends`,
    "leave rows of lists that wait to their own instance, with their keys": `opens-slowly gone, slots 1,
      accept list:a+key:begun list:a+key:waits -, begun 1, succeeded-by next, begun 3, ends 1:lost, counts waiting 0,
      accept list:a+key:begun → duplicate unknown, accept list:a+key:waits, begun 3 5, gone: inherits 1 2 3`,
    "take part again after they were gone": `opens-slowly gone, slots 0, accept -, succeeded-by next, begun 1,
      gone: slots 1, passes -, inherits 1, ends 2:applied`,
  };
  for (const [promise, trace] of Object.entries(TRACES)) it(promise, () => redis.play(trace));

  it("send nothing while their lease has run out and they do not know whether another has restored", async () => {
    const hung = await slow();
    await hung.accept("1");
    await until(() => hung.runs.length === 1);
    assert.equal(hung.runs[0]?.acquireSendSlot(), undefined);
    await hung.accept("2");
    await until(() => hung.runs.length === 2);
    const now = performance.now.bind(performance);
    performance.now = () => now() + 61_000;
    try {
      assert.notEqual(hung.runs[1]?.acquireSendSlot(), undefined);
    } finally {
      performance.now = now;
    }
  });

  it("restore each entry on one of them only, in order", async () => {
    const gone = await slow();
    gone.backlog.pause();
    for (let n = 0; n < 450; n += 1) await gone.accept(String(n));
    const others = await successorTo(redis.server, () => Promise.all([quick(), quick(), quick()]));
    await until(() => others.some(({ backlog }) => backlog.counts.restored === 450));
    for (const other of others) other.slots = 450;
    others[0]?.backlog.resume();
    const begun = () => others.flatMap((other) => other.begun);
    await until(() => {
      for (const other of others) other.settleAllKept();
      return begun().length === 450;
    });
    assert.deepEqual(
      begun(),
      Array.from({ length: 450 }, (_, n) => String(n)),
    );
  });

  it("ask a few times a second while another one restores", async () => {
    const gone = await slow();
    gone.backlog.pause();
    await gone.accept("1");
    const group = await prefix(redis.server);
    const [id = ""] = (await redis.server.command("ZRANGE", `${group}:alive`, "0", "-1")) as string[];
    await redis.server.command("ZADD", `${group}:alive`, "1e15", "busy");
    await redis.server.command("HSET", `${group}:gone`, id, "busy");
    await gone.backlog.close();
    await redis.server.command("ZADD", `${group}:alive`, "0", id);
    const other = await quick();
    await until(() => other.backlog.counts.waiting === 1);
    const asked = async () =>
      Number(/evalsha:calls=(\d+)/.exec(String(await redis.server.command("INFO", "all")))?.[1]);
    const [from, calls] = [performance.now(), await asked()];
    let more = 0;
    await until(async () => {
      more = (await asked()) - calls;
      return more >= 5;
    });
    const rate = (1000 * more) / (performance.now() - from);
    assert.ok(rate < 50, `${rate} calls a second`);
    assert.equal(other.backlog.counts.restored, 0);
  });

  it("keep leases, keys and the rate when the clock of the machine jumps", async () => {
    const [one, two] = [await slow(), await slow()];
    two.slots = 0;
    one.serve({ rate: 20 });
    await one.goesThrough("1");
    const key = { hash: "k", forMs: 3_600_000 };
    await one.backlog.keys.take(key);
    one.backlog.keys.settle(key, "applied");
    for (const jump of [7_200_000, -7_200_000]) {
      // The clock jumps if the group has seen another time before.
      await redis.server.command("HSET", `${await prefix(redis.server)}:state`, "wall", String(Date.now() - jump));
      await one.goesThrough(`after ${jump}`);
      assert.equal((await one.backlog.keys.take(key)).kind, "duplicate");
    }
    assert.equal((await two.accept("two")).kind, "accepted");
    assert.deepEqual([one.inherited, two.inherited], [[], []]);
  });
});
