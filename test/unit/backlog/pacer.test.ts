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
    pacer.started(15);
    assert.equal(pacer.plan(15), 35);
  });

  it("plans repeated attempts between the others, each at a distance from all", () => {
    const pacer = new Pacer(50);
    pacer.plan(0);
    const repeated = [pacer.reserve(0, 30, 1000), pacer.reserve(0, 30, 1000)];
    const all = [0, ...repeated, ...[0, 0, 0, 0].map((now) => pacer.plan(now))].sort((a, b) => Number(a) - Number(b));
    for (let n = 1; n < all.length; n += 1) assert.ok(Number(all[n]) - Number(all[n - 1]) >= 20, all.join(" "));
  });

  it("plans no repeated attempt that would come too late", () => {
    const pacer = new Pacer(1);
    pacer.plan(0);
    assert.equal(pacer.reserve(0, 100, 900), undefined);
  });

  it("has no distance without a rate", () => {
    const pacer = new Pacer(0);
    assert.deepEqual([pacer.plan(5), pacer.plan(5), pacer.reserve(5, 7, 9)], [5, 5, 7]);
  });
});
