import assert from "node:assert/strict";
import type { Cancelled, Entry } from "../../src/backlog";
import { withRedis } from "../support/backlog/instances";
import type { Words } from "../support/backlog/traces";
import { until } from "../support/until";

const named = (name: string, more: Partial<Entry> = {}): Partial<Entry> => ({
  name,
  keys: [{ hash: `${name} in the scope`, forMs: 60_000 }],
  ...more,
});
const later: Partial<Entry> = { notBefore: Math.round(Date.now() + 3_600_000) };

/** Returns the trace of what one instance has left that was stopped 16 minutes ago, and of one that is started now. */
const left = (opens = "opens") => `opens-slowly before, pause, accept name+key in:10 in:3600000,
  create escalation 1 → true, slots 0, resume, fails, leave, is-missed 2, was-stopped-for 16, ${opens} after,
  counts restored 3 waiting 3`;

/** In the words of test/support/backlog/traces.ts and instances.ts. */
const TRACES = {
  "are kept by the instance that restores them, and begin there once": `opens-slowly gone, slots 0,
    accept in:1000 in:3600000, succeeded-by next, begun 1, counts dated 1, gone: begun`,
  "are counted in the whole group, with the earliest one": `opens one two, two: pause,
    accept - in:7200000 in:3600000, one: counts dated 2 waiting 3 heldBack 0, next-date 3`,
  "a cancellation ends what waits at other instances, which report it, and gives the keys back": `opens one two,
    one: slots 1, accept name, begun 1, accept name+key name+in:3600000 name:b+key:b+in:3600000,
    two: cancel n → 2/1, one: ends 2:cancelled 3:cancelled, two: cancel n → 0/1, cancel unknown → 0/0,
    accept name+key+in:3600000, one: accept name:b+key:b+in:3600000 → duplicate, counts waiting 2`,
  "a cancellation finds what another instance has restored": `opens-slowly gone, accept name+key+in:3600000,
    succeeded-by next, opens other, cancel n → 1/0, next: ends 1:cancelled`,
  "are listed for the whole group in the order in which they will leave, a page at a time": `opens one two,
    one: pause, two: counts paused true, accept in:7200000, one: accept in:3600000 -, two: accept -, one: accept -,
    two: lists 3:pause 4:pause 5:pause 2:date 1:date`,
  "after a long stop of all, a probe goes first, and one call tries, whatever has held the group then": `${left()},
    probes, tries`,
  "after a long stop of all, what missed its turn is held back, and the rest goes on": `${left()},
    counts waiting 3 heldBack 2 dated 1 paused false, holds-back escalation, passes -, opens other, counts heldBack 2,
    resume, after: begun 4 1 2, counts heldBack 0, releases escalation, other: counts heldBack 0`,
  "after a long stop of all, what is held back stays so when another instance restores it at once": `${left("opens-slowly")}, succeeded-by next, counts restored 3 waiting 3 heldBack 2 dated 1, begun, after: begun,
    next: holds-back escalation`,
  "after a long stop of all, what waits for hours that have not begun since goes on waiting, and begins with them": `opens-slowly
    before, pause, accept - in:3600000, slots 0, resume, leave, was-stopped-for 16, opens-closed after, counts restored 2 waiting 2,
    open, begun 1, counts heldBack 0 dated 1`,
  "after a long stop of all, only what is held back is dropped, if that is asked for on another instance": `${left()}, opens other, counts heldBack 2, drop held-back → 2, after: ends 1:dropped 2:dropped,
    counts waiting 1 dated 1, other: drop → 1`,
};

describe("dates in a backlog in Redis", () => {
  const redis = withRedis();
  const { open } = redis;

  const words: Words = {
    "was-stopped-for": async (_, [minutes]) =>
      redis.server.command("HSET", await redis.key("state"), "beat", String(Date.now() - Number(minutes) * 60_000)),
    probes: async ({ stage }) => {
      let probes = 0;
      const probe = async () => ({ isAnswered: ++probes > 0 });
      stage.waitsForService({ probe });
      await until(() => probes === 1);
    },
    /** Opens an instance whose hours have been closed since the stop. */
    "opens-closed": async (traced, [name = ""]) =>
      traced.turnTo(name, Object.assign(await open(), { isOpen: false, wasOpen: () => false })),
    tries: ({ stage }) => until(() => stage.backlog.service.trouble.phase === "trying"),
  };
  for (const [promise, trace] of Object.entries(TRACES)) it(promise, () => redis.play(trace, words));

  it("have come, or a cancellation came first, and both instances say which", async () => {
    const [one, two] = [await open({ entries: 20_000, slots: 20_000 }), await open()];
    one.slots = 20_000;
    const [all, atOnce] = [10_000, 500];
    let [cancelled, ahead] = [0, 100];
    for (let from = 0; from < all; from += atOnce) {
      const ids = Array.from({ length: atOnce }, (_, n) => String(from + n));
      const start = one.backlog.loop.now();
      // Each is cancelled when half of those around it are due.
      const date = (n: number) => Math.round(start + ahead + n / 10 + 20 * Math.random());
      const accepted = await Promise.all(ids.map((id, n) => one.accept(id, { name: id, notBefore: date(n) })));
      assert.ok(accepted.every(({ kind }) => kind === "accepted"));
      const took = one.backlog.loop.now() - start;
      const answers: Cancelled[] = [];
      for (let n = 0; n < atOnce; n += 50) {
        await until(() => one.backlog.loop.now() >= start + ahead + n / 10 + 10);
        answers.push(...(await Promise.all(ids.slice(n, n + 50).map((id) => two.backlog.cancel(id)))));
      }
      // Otherwise all are due before they can be cancelled, on a machine that is busy.
      ahead = 20 + 1.2 * took;
      await until(() => one.runs.length + one.ends.length === atOnce);
      const [begun, ended] = [new Set(one.begun), new Set(one.ended)];
      for (const [n, id] of ids.entries()) {
        const isCancelled = ended.has(id);
        assert.notEqual(begun.has(id), isCancelled, id);
        assert.deepEqual(answers[n], { cancelled: isCancelled ? 1 : 0, tooLate: isCancelled ? 0 : 1 }, id);
      }
      cancelled += ended.size;
      one.settleAll();
      await until(() => one.ends.length === atOnce);
      one.ends.splice(0);
    }
    assert.ok(cancelled > 0 && cancelled < all, `${cancelled} were cancelled`);
  });

  it("and keys of the one that waits are taken by one that replaces it, wherever that is", async () => {
    const [one, two] = [await open({ entries: 2 }), await open({ entries: 2 })];
    await one.accept("1", named("a", later));
    await one.accept("2", named("b", later));
    await until(() => two.backlog.counts.waiting === 2);
    // The backlog is full, but this one takes a place.
    assert.equal((await two.accept("3", named("a", { replaces: true, ...later }))).kind, "accepted");
    await until(() => one.ends.length === 1);
    assert.deepEqual(one.ends, [["1", { cut: "replaced" }]]);
    assert.equal((await one.accept("4", named("a", later))).kind, "full");
    one.serve();
    await until(async () => (await one.accept("5", named("a", later))).kind === "duplicate");
    assert.equal((await two.accept("6", named("a", { replaces: true, ...later }))).kind, "accepted");
    assert.deepEqual(two.ends, [["3", { cut: "replaced" }]]);
    assert.deepEqual(await one.backlog.cancel("a"), { cancelled: 1, tooLate: 0 });
  });
});
