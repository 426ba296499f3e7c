import assert from "node:assert/strict";
import { figuresOf } from "./figures-of";

/** Row 27 of docs/faults.md. */
describe("row 27: messages made by a grammar of right and wrong pieces", () => {
  it("20,000 to nodes of every kind: each ends once, and nothing else happens", async function () {
    this.timeout(180_000);
    const figures = await figuresOf("fuzzed-messages");
    assert.ok(figures.every(({ figure }) => figure.startsWith("20000 ")));
    assert.deepEqual(
      figures.filter(({ holds }) => !holds),
      [],
    );
  });
});
