import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { DeduplicationKeys } from "../../../src/tenant/queue/deduplication";

describe("deduplication keys", () => {
  const at = Date.parse("2026-11-23T10:00:00Z");
  const first = (outcome: string) => ({ at: "2026-11-23T10:00:00.000Z", outcome });

  it("are accepted while pending, however long that takes", () => {
    const keys = new DeduplicationKeys();
    strictEqual(keys.take("k", 1000, at), "taken");
    deepStrictEqual(keys.take("k", 1000, at + 10), first("pending"));
    deepStrictEqual(keys.take("k", 1000, at + 3_600_000), first("pending"));
  });

  for (const outcome of ["applied", "unknown"] as const) {
    it(`stay taken after ${outcome}, for their time from then on`, () => {
      const keys = new DeduplicationKeys();
      keys.take("k", 1000, at);
      keys.settle("k", outcome, at + 5000);
      deepStrictEqual(keys.take("k", 1000, at + 5999), first(outcome));
      strictEqual(keys.take("k", 1000, at + 6000), "taken");
    });
  }

  for (const outcome of ["not-applied", "rejected"] as const) {
    it(`are given back after ${outcome}`, () => {
      const keys = new DeduplicationKeys();
      keys.take("k", 1000, at);
      keys.settle("k", outcome, at);
      strictEqual(keys.take("k", 1000, at), "taken");
    });
  }

  it("are 200,000 at most; then one more is refused rather than an old one forgotten", () => {
    const keys = new DeduplicationKeys();
    for (let index = 0; index < 200_000; index += 1) strictEqual(keys.take(`k${index}`, 1000, at), "taken");
    strictEqual(keys.take("more", 1000, at), "full");
    deepStrictEqual(keys.take("k0", 1000, at), first("pending"));
    keys.settle("k0", "applied", at);
    strictEqual(keys.take("more", 1000, at + 999), "full");
    strictEqual(keys.take("more", 1000, at + 1000), "taken");
  });
});
