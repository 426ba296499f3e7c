import assert from "node:assert/strict";
import { alone } from "../../../support/memory/alone";
import type { Found as Crowd } from "../../../support/memory/full-queue";
import type { Found as Oversized } from "../../../support/memory/oversized-answers";

/** Rows 13 and 26 of docs/faults.md, each measured in a process of its own. */
describe("row 13: answers too large to read in full", () => {
  it("a hundred of them cost 20 MB at most", async () => {
    const { grown, codes } = await alone<Oversized>("oversized-answers.js");
    assert.deepEqual(codes, ["ERR_RESPONSE_TOO_LARGE"]);
    assert.ok(grown <= 20, `${grown.toFixed(1)} MB`);
  });
});

describe("row 26: ten thousand messages at once", () => {
  it("go out first in, first out, or are refused at once; all settle, for 60 MB at most", async () => {
    const { grown, arrived, ends } = await alone<Crowd>("full-queue.js");
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
