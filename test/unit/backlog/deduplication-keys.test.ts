import assert from "node:assert/strict";
import { DeduplicationKeys, hashOf } from "../../../src/backlog/deduplication-keys";

describe("deduplication keys", () => {
  const wall = Date.parse("2026-11-23T10:00:00Z");
  const first = (outcome: string) => ({ kind: "duplicate", first: { at: "2026-11-23T10:00:00.000Z", outcome } });
  const key = { hash: "k", forMs: 1000 };
  /** Returns what the second use of a key is told. */
  const again = (keys: DeduplicationKeys, now: number, at = wall) => {
    const taken = keys.take(key, now, at);
    return typeof taken === "object" && "hash" in taken ? "taken" : taken;
  };

  for (const outcome of ["applied", "unknown"] as const) {
    it(`stay taken after ${outcome}, for their time from then on`, () => {
      const keys = new DeduplicationKeys();
      again(keys, 0);
      keys.settle("k", outcome, 5000);
      assert.deepEqual(again(keys, 5999), first(outcome));
      assert.equal(again(keys, 6000), "taken");
    });
  }

  it("stay taken when the wall clock jumps", () => {
    const keys = new DeduplicationKeys();
    again(keys, 0);
    keys.settle("k", "applied", 0);
    for (const at of [0, wall + 10 * 366 * 86_400_000]) assert.deepEqual(again(keys, 999, at), first("applied"));
  });

  it("are free again once their time is over", () => {
    const keys = new DeduplicationKeys();
    again(keys, 0);
    assert.equal(keys.free(0), 199_999);
    keys.settle("k", "applied", 0);
    assert.equal(keys.free(999), 199_999);
    assert.equal(keys.free(1000), 200_000);
  });

  it("are 200,000 at most; then one more is refused rather than an old one forgotten", () => {
    const keys = new DeduplicationKeys();
    const take = (hash: string, now = 0) => keys.take({ hash, forMs: 1000 }, now, wall);
    const isFull = (now: number) => "kind" in take("more", now);
    for (let index = 0; index < 200_000; index += 1) take(`k${index}`);
    assert.deepEqual(take("more"), { kind: "keysFull" });
    assert.deepEqual(take("k0"), first("pending"));
    keys.settle("k0", "applied", 0);
    assert.ok(isFull(999));
    // Expired keys are looked for a few at a time.
    let looked = 0;
    while (isFull(1000) && looked < 100_000) looked += 1;
    assert.deepEqual(keys.refusal({ hash: "more", forMs: 1000 }, 1000), first("pending"));
  });

  it("may have several uses, each for its time after it", () => {
    const keys = new DeduplicationKeys();
    const shared = { hash: "number", forMs: 1000, uses: 2 };
    const take = (now: number) => keys.take(shared, now, wall);
    const hashOfUse = (now: number) => {
      const use = take(now);
      assert.ok("hash" in use);
      return use.hash;
    };
    const [one, two] = [hashOfUse(0), hashOfUse(0)];
    assert.deepEqual(take(0), { kind: "usedUp", retryAfterMs: 1000 });
    keys.settle(one, "applied", 100);
    keys.settle(two, "unknown", 300);
    assert.deepEqual(take(200), { kind: "usedUp", retryAfterMs: 900 });
    assert.deepEqual(keys.refusal(shared, 1099), { kind: "usedUp", retryAfterMs: 1 });
    assert.equal(keys.refusal(shared, 1100), undefined);
    keys.settle(hashOfUse(1100), "rejected", 1150);
    assert.equal(hashOfUse(1200), one);
    assert.deepEqual(take(1200), { kind: "usedUp", retryAfterMs: 100 });
  });

  it("are kept as hashes, alike for both forms of a letter", () => {
    assert.equal(hashOf("tổng đài"), hashOf("tổng đài".normalize("NFD")));
    assert.notEqual(hashOf("a"), hashOf("A"));
    assert.ok(hashOf("x".repeat(4000)).length <= 22);
  });
});
