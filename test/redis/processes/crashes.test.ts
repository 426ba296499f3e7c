import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { Performers } from "../../support/backlog/performers";
import { RedisServer } from "../../support/backlog/redis-server";
import { until } from "../../support/until";

/** Entries that are accepted before the next kill, however busy the machine. */
const AT_LEAST = 150;

describe("a backlog in Redis that three processes share", () => {
  it("places each accepted entry at most once, and tells of each, whoever is killed", async () => {
    const server = await RedisServer.start();
    const performers = await Performers.create(server.url);
    try {
      const processes = await Promise.all([1, 2, 3].map(() => performers.start(Infinity, 5)));
      for (let kill = 0; kill < 4; kill += 1) {
        const { accepted } = performers.ledger;
        await sleep(500);
        await until(() => performers.ledger.accepted >= accepted + AT_LEAST);
        const next = processes.shift();
        if (next) await performers.kill(next);
        if (kill === 2) {
          await server.kill();
          await server.restart();
        }
        processes.push(await performers.start(Infinity, 5));
      }
      performers.enough();
      assert.ok((await performers.checkEnd()) >= 4 * AT_LEAST);
    } finally {
      await performers.killAll();
      await server.kill();
    }
  });
});
