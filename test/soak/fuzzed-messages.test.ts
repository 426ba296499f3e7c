import assert from "node:assert/strict";
import { figuresOf } from "./figures-of";

/** Row 27 of docs/faults.md. */
describe("row 27: generated messages, valid and invalid", () => {
  it("20,000 to nodes of every kind: each settles once, without side effects", async function () {
    this.timeout(180_000);
    const figures = await figuresOf("fuzzed-messages");
    assert.ok(figures.every(({ figure }) => figure.startsWith("20000 ")));
    assert.deepEqual(
      figures.filter(({ holds }) => !holds),
      [],
    );
  });
});
