import assert from "node:assert/strict";
import { alone } from "../../../support/memory/alone";
import type { Found as Oversized } from "../../../support/memory/oversized-answers";

/** Measured in a process of its own. */
describe("row 13: answers too large to read in full @undici", () => {
  it("a hundred of them cost 20 MB at most", async () => {
    const { grown, codes } = await alone<Oversized>("oversized-answers.js");
    assert.deepEqual(codes, ["ERR_RESPONSE_TOO_LARGE"]);
    assert.ok(grown <= 20, `${grown.toFixed(1)} MB`);
  });
});
