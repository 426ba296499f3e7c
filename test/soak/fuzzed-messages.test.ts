import assert from "node:assert/strict";
import { figuresOf } from "./figures-of";

/** Row 27 of docs/faults.md: a tenth of its messages; `npm run soak` sends all of them. */
describe("row 27: generated messages, valid and invalid", () => {
  it("to nodes of every kind: each settles once, without side effects", async () => {
    const figures = await figuresOf("fuzzed-messages", "undici", ["--quick"]);
    assert.ok(figures.every(({ figure }) => figure.startsWith("2000 ")));
    assert.deepEqual(
      figures.filter(({ holds }) => !holds),
      [],
    );
  });
});
