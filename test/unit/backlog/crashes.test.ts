import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { Performers } from "../../support/backlog/performers";
import { eventually } from "../../support/process/eventually";

describe("a backlog in a file", () => {
  it("places each accepted entry at most once, and tells of each, however often its process is killed", async () => {
    const performers = await Performers.create();
    for (let kill = 0; kill < 12; kill += 1) {
      const { accepted } = performers.ledger;
      const child = await performers.start(200);
      await eventually(() => performers.ledger.accepted > accepted + 10 || undefined);
      await sleep(20 + 37 * (kill % 5));
      await performers.kill(child);
    }
    await performers.start(0);
    try {
      assert.ok((await performers.checkEnd()) > 100);
    } finally {
      await performers.killAll();
    }
  });
});
