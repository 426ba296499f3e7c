import assert from "node:assert/strict";
import type { Connection } from "../../../src/backlog/redis/connection";
import { Lease } from "../../../src/backlog/redis/membership";

describe("the clocks of a group in Redis", () => {
  it("trouble is measured on one that does not jump with that of the machine", async () => {
    const news = { now: Date.now(), clock: 5000, cuts: [], notes: [], members: [], progress: 0, marker: "a:1" };
    const connection = { run: async () => ["alive", JSON.stringify(news)] } as unknown as Connection;
    const lease = new Lease(connection, "{group}", 15_000, undefined);
    await lease.renew(false);
    const [before, steady] = [lease.now(), lease.steady()];
    // A board without a battery gets the time with the network.
    news.now += 11 * 3_600_000;
    await lease.renew(false);
    assert.ok(lease.now() - before > 10 * 3_600_000);
    assert.ok(lease.steady() - steady < 3_600_000);
  });
});
