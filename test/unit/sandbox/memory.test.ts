import assert from "node:assert/strict";
import { alone } from "../../support/memory/alone";
import type { Found } from "../../support/memory/sandbox-memory";

describe("sandbox: memory", () => {
  it("is bounded in bytes: for requests, calls and schedules", async () => {
    const found = await alone<Found>("sandbox-memory.js");
    // Each would take several hundred megabytes without its bound.
    assert.ok(found.refused <= 10, `refused requests keep no body: ${found.refused.toFixed(1)} MB`);
    assert.ok(found.calls <= 40, `${found.calls.toFixed(1)} MB of calls`);
    assert.ok(found.schedules <= 60, `${found.schedules.toFixed(1)} MB of schedules`);
    assert.ok(found.logCharacters <= 6 * 2 ** 20, `${found.logCharacters} characters of log`);
    assert.ok(found.callCharacters <= 17 * 2 ** 20, `${found.callCharacters} characters of calls`);
    assert.equal(found.requests, 500, "bodies are dropped before requests are");
  });
});
