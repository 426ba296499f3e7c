import assert from "node:assert/strict";
import { type Clock, install } from "@sinonjs/fake-timers";
import { MemoryStore } from "../../../src/backlog";
import { restoring, Stage } from "../../support/backlog/stage";

const [SECOND, HOUR, DAY] = [1000, 3_600_000, 86_400_000];
/** The longest time until it is noticed that a clock was set. */
const NOTICED = 5 * SECOND;

describe("the date of an entry", () => {
  let clock: Clock;
  beforeEach(() => {
    clock = install({ now: Date.UTC(2026, 10, 23), toFake: ["setTimeout", "clearTimeout", "Date"] });
  });
  afterEach(() => clock.uninstall());

  const dated = (ms: number) => {
    const stage = new Stage(new MemoryStore());
    void stage.accept({ notBefore: Date.now() + ms });
    return stage;
  };

  // No timer of Node.js is longer than 24.8 days.
  for (const days of [1, 25])
    it(`${days} days ahead is kept to the millisecond, with few timers`, async () => {
      const stage = dated(days * DAY);
      await clock.tickAsync(days * DAY - 1);
      assert.deepEqual([stage.begun, clock.countTimers()], [[], 1]);
      await clock.tickAsync(1);
      assert.deepEqual([stage.begun, clock.countTimers()], [["1"], 0]);
    });

  for (const ms of [HOUR, DAY])
    it(`comes sooner if the clock is put ahead by ${ms / HOUR} hours, and later if it is put back`, async () => {
      const [ahead, back] = [dated(2 * DAY), dated(2 * DAY)];
      await clock.tickAsync(HOUR);
      clock.setSystemTime(Date.now() + ms);
      await clock.tickAsync(2 * DAY - HOUR - ms - 1);
      assert.deepEqual(ahead.begun, []);
      await clock.tickAsync(1);
      assert.deepEqual([ahead.begun, back.begun], [["1"], ["1"]]);
      const late = dated(HOUR);
      await clock.tickAsync(HOUR / 2);
      clock.setSystemTime(Date.now() - ms);
      await clock.tickAsync(HOUR / 2 + ms - 1);
      assert.deepEqual(late.begun, []);
      await clock.tickAsync(1);
      assert.deepEqual(late.begun, ["1"]);
    });

  it("is noticed within seconds to have passed when the clock is put ahead of it", async () => {
    const stage = dated(HOUR);
    void stage.accept({ notBefore: Date.now() + HOUR, notAfter: Date.now() + 2 * HOUR });
    await clock.tickAsync(SECOND);
    clock.setSystemTime(Date.now() + DAY);
    await clock.tickAsync(NOTICED);
    assert.deepEqual([stage.begun, stage.ends], [["1"], [["2", { cut: "expired" }]]]);
  });

  it("is not waited for in memory by what has ended", async () => {
    const stage = dated(400 * DAY);
    await stage.backlog.cancel("unknown");
    assert.equal(await stage.backlog.drop(), 1);
    assert.deepEqual([stage.backlog.counts.nextDate, stage.backlog.counts.dated], [undefined, 0]);
  });

  it("that has come while Node-RED was off for a moment is no reason to hold back, and comes behind what waited", async () => {
    const waiting = ["1", "2"].map((id) => ({ id, nodeId: "a", size: 1, content: null }));
    const past = { ...waiting[0], id: "dated", notBefore: Date.now() - 1 } as (typeof waiting)[0];
    const stage = new Stage(restoring({ waiting: [past, ...waiting] }));
    await clock.tickAsync(1);
    assert.deepEqual(stage.begun, ["1", "2", "dated"]);
  });

  it("of 100,000 is listed while the process does other things", async () => {
    const stage = new Stage(new MemoryStore(), { entries: 200_000 });
    for (let n = 0; n < 100_000; n += 1) await stage.accept({ notBefore: Date.now() + DAY + ((n * 7919) % 100_000) });
    let [turns, isListed] = [0, false];
    const turn = () => {
      turns += 1;
      if (!isListed) setImmediate(turn);
    };
    setImmediate(turn);
    const listed = await stage.backlog.list(99_000, 100);
    isListed = true;
    assert.ok(turns > 100, `${turns} turns`);
    assert.deepEqual(
      listed.map(({ entry }) => entry.notBefore),
      Array.from({ length: 100 }, (_, n) => Date.now() + DAY + 99_000 + n),
    );
    stage.backlog.stopDispatching();
  });
});
