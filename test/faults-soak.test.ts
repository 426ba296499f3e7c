import assert from "node:assert/strict";
import { FaultServer } from "./faults/fault-server.js";
import { announcedSeed, generator } from "./faults/seed.js";
import { anyAnswer } from "./soak/any-answer";
import { mixedRun } from "./soak/mixed-run";
import { callOut, clientFor, close, done, told } from "./tenant-subject";

describe("many calls under random faults", () => {
  const clean = { endedTwice: [], neverEnded: [], duplicates: [], contradicted: [], invented: [] };

  it("rows 4 to 19: each ends once, none is placed twice, and no 'no' is wrong", async function () {
    this.timeout(60_000);
    const { ends, unseen, ...wrong } = await mixedRun({ calls: 1500, seed: announcedSeed(), faults: "all" });
    assert.deepEqual(wrong, clean);
    assert.ok((ends["ok"] ?? 0) > 500 && Object.keys(ends).length >= 8, JSON.stringify(ends));
    assert.ok(unseen.saidNo >= 0.99 * unseen.all, JSON.stringify(unseen));
  });

  it("row 4: what met no connection says that it was not sent", async function () {
    this.timeout(60_000);
    const { ends, unseen, ...wrong } = await mixedRun({ calls: 300, seed: announcedSeed(), faults: "connecting" });
    assert.deepEqual(wrong, clean);
    assert.ok(unseen.all > 0 && unseen.saidNo === unseen.all, JSON.stringify({ ends, unseen }));
  });

  it("answers made by a grammar of right and wrong pieces: each ends once, and nothing else happens", async function () {
    this.timeout(60_000);
    const random = generator(announcedSeed());
    const server = await FaultServer.start();
    server.behave({
      at: "request",
      async act(wire) {
        const bytes = Buffer.from(anyAnswer(random), "latin1");
        const cut = Math.floor(random() * bytes.length);
        await wire.send(bytes.subarray(0, cut));
        if (random() < 0.3) await wire.pause(1);
        await wire.send(bytes.subarray(cut));
        const after = random();
        if (after < 0.6) wire.finish();
        else if (after < 0.9) {
          await wire.pause(5);
          // By now the next request may have come, and its answer be the last one of this connection.
          if (!wire.ended) wire.reset();
        }
      },
    });
    const client = clientFor(server.url, { timeoutMs: 250, concurrency: 64 });
    const ends = await Promise.all(Array.from({ length: 3000 }, (_, i) => done(client, callOut(`6${i}`))));
    await close(client);
    await server.stop();
    const codes = new Set(ends.map((end) => told(end).code));
    for (const code of ["ok", "ERR_BAD_RESPONSE", "ERR_REJECTED", "ERR_TIMEOUT"]) assert.ok(codes.has(code), code);
    assert.deepEqual(server.ledger.duplicates(), []);
    for (const [i, end] of ends.entries()) {
      if (told(end).sent === "no") assert.equal(server.ledger.find(`6${i}`).length, 0);
      if (end.ok) assert.ok(!Object.hasOwn((end.data ?? {}) as object, "__proto__"));
    }
    assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
  });
});
