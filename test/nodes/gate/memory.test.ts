import { ok } from "node:assert/strict";
import { alone } from "../../support/memory/alone";

describe("memory of a business-hour-gate", () => {
  it("keeps what it needs of schedules that come with messages, not the objects", async () => {
    const { kept } = await alone<{ kept: number }>("gate-schedules.js");
    // 80 schedules with 3 MB each would be 240 MB.
    ok(kept < 60, `${kept} MB`);
  });
});
