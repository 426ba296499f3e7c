import assert from "node:assert/strict";
import { killRun } from "../../support/process/kill-run";

/** `npm run soak` kills more often. */
const KILLS = 6;

describe("Node-RED is killed again and again while it places calls", () => {
  it("each call is placed at most once, and its outcome is reported or named in the log", async function () {
    // A start takes long on a busy machine, and there are several.
    this.timeout(600_000);
    const { accepted, placed, ends, named } = await killRun(KILLS);
    assert.equal(new Set(placed).size, placed.length, "placed twice");
    for (const id of placed)
      assert.ok(id in ends || named.has(id), `${id} was placed, and its outcome was never reported`);
    // Its flow may have had the result just before the kill.
    for (const id of named) assert.ok(accepted.has(id), `${id} was never accepted`);
    for (const [id, as] of Object.entries(ends)) {
      assert.match(as, /^(ok|ERR_CONNECTION_LOST)$/, id);
      if (as === "ok") assert.ok(placed.includes(id), `${id} was reported, and not placed`);
    }
    // Those in flight, and those whose claim was stored a moment before.
    const unknown = Object.values(ends).filter((as) => as !== "ok");
    assert.ok(unknown.length <= 8 * KILLS, `${unknown.length} unknown`);
    assert.ok(accepted.size >= 10 * KILLS, `${accepted.size} accepted`);
  });
});
