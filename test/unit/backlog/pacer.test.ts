import assert from "node:assert/strict";
import { Pacer } from "../../../src/backlog/pacer";

describe("the pacer of a backlog", () => {
  it("plans starts at an even distance", () => {
    const pacer = new Pacer(50);
    assert.deepEqual(
      [0, 0, 0, 45].map((now) => pacer.plan(now)),
      [0, 20, 40, 60],
    );
  });

  it("makes up for nothing after a pause", () => {
    const pacer = new Pacer(50);
    pacer.plan(0);
    assert.deepEqual(
      [1000, 1000].map((now) => pacer.plan(now)),
      [1000, 1020],
    );
  });

  it("keeps the distance to a start that came late", () => {
    const pacer = new Pacer(50);
    pacer.plan(0);
    pacer.started(15, {});
    assert.equal(pacer.plan(15), 35);
  });

  it("lets requests leave in the order in which they started, and at most one an interval", () => {
    const pacer = new Pacer(50);
    const runs = [{}, {}, {}, {}];
    for (const run of runs) pacer.started(0, run);
    const left: [number, number][] = [];
    // Their connections are ready in the opposite order, and each asks again when it was told to.
    const due = runs.map((run, index) => ({ run, index, at: 30 - 10 * index }));
    for (let next = due.shift(); next; next = due.sort((a, b) => a.at - b.at).shift()) {
      const again = pacer.acquireSendSlot(next.at, next.run);
      if (again === undefined) left.push([next.index, next.at]);
      else {
        assert.ok(again > next.at);
        due.push({ ...next, at: again });
      }
      due.sort((a, b) => a.at - b.at);
    }
    assert.deepEqual(
      left.map(([index]) => index),
      [0, 1, 2, 3],
    );
    for (let n = 1; n < left.length; n += 1)
      assert.ok((left[n]?.[1] ?? 0) - (left[n - 1]?.[1] ?? 0) >= 19, String(left));
  });

  it("lets no more than the rate leave in a second, however often each is a little early", () => {
    const pacer = new Pacer(50);
    let now = 0;
    const left: number[] = [];
    while (left.length < 500) {
      const again = pacer.acquireSendSlot(now, {});
      if (again === undefined) left.push(now);
      // A timer may fire up to a millisecond too early.
      else now = again - 0.9;
    }
    for (const from of left) {
      const inSecond = left.filter((at) => at >= from && at < from + 1000).length;
      assert.ok(inSecond <= 51, `${inSecond} from ${from}`);
    }
    assert.ok((left.at(-1) ?? 0) >= 499 * 20 - 1);
  });

  it("lets a request pass that is slow to connect, gone, or has started before a rate was set", () => {
    const pacer = new Pacer(50);
    const [slow, gone, next] = [{}, {}, {}];
    pacer.started(0, slow);
    pacer.started(0, gone);
    pacer.started(0, next);
    pacer.stopped(gone);
    assert.equal(typeof pacer.acquireSendSlot(400, next), "number");
    assert.equal(pacer.acquireSendSlot(501, next), undefined);
    assert.equal(pacer.acquireSendSlot(600, slow), undefined);
    assert.equal(pacer.acquireSendSlot(700, {}), undefined);
  });

  it("has no distance without a rate", () => {
    const pacer = new Pacer(0);
    assert.deepEqual([pacer.plan(5), pacer.plan(5)], [5, 5]);
  });
});
