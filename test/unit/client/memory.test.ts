import assert from "node:assert/strict";
import { alone } from "../../support/memory/alone";
import type { Found } from "../../support/memory/full-queue";

/** Measured in a process of its own. */
describe("row 26: ten thousand messages at once", () => {
  it("go out first in, first out, or are refused at once; all settle, for 60 MB at most", async () => {
    const { grown, arrived, ends } = await alone<Found>("full-queue.js");
    // One is in flight, nine thousand wait.
    const taken = 9_001;
    assert.deepEqual(
      arrived,
      Array.from({ length: taken }, (_, i) => `${i}`),
    );
    assert.equal(ends.length, 10_000);
    assert.deepEqual([...new Set(ends.slice(0, taken))], ["ok"]);
    assert.deepEqual([...new Set(ends.slice(taken))], ["ERR_BACKLOG_FULL no"]);
    assert.ok(grown <= 60, `${grown.toFixed(1)} MB`);
  });
});
