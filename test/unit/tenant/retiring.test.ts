import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { type ClientOptions, type JobResult, notSent, type TenantClient } from "../../../src/tenant";
import { answer, failure, json } from "../../support/faults/answers";
import { withServer } from "./stage";
import { callOut, callStop, done, read, summarize } from "./subject";

describe("a tenant client that retires", () => {
  const held = withServer();
  const { slow } = held;
  const open = (options: Partial<ClientOptions> = {}) => held.open(held.server.url, options);

  describe("handing over", () => {
    it("waiting jobs go to the successor in order, jobs in flight end here, new jobs go there", async () => {
      slow(40);
      const [old, next] = [open({ concurrency: 1 }), open({ concurrency: 1 })];
      const ends = ["1", "2", "3"].map((number) => done(old, callOut(number)));
      old.handOver(next);
      ends.push(done(old, callOut("4")));
      assert.deepEqual(old.lanes.waiting, { callOut: 0, other: 0 });
      assert.deepEqual(next.lanes.waiting, { callOut: 2, other: 0 });
      assert.deepEqual(
        (await Promise.all(ends)).map((end) => end.ok && end.data),
        ["1", "2", "3", "4"],
      );
      assert.deepEqual(held.server.ledger.duplicates(), []);
      assert.equal(held.server.ledger.connections.length, 2);
    });

    it("passes a pause on, and can be done again", async () => {
      const [first, second, third] = [open(), open(), open()];
      first.pause();
      const end = done(first, callOut("1"));
      first.handOver(second);
      second.handOver(third);
      assert.deepEqual([third.lanes.paused, third.lanes.waiting.callOut], [true, 1]);
      third.resume();
      assert.ok((await end).ok);
    });

    it("keeps the deduplication key that a job took", async () => {
      const old = open();
      const next = open();
      old.pause();
      const deduplication = { key: "k", forMs: 60_000 };
      const end = done(old, callOut("1", { deduplication }));
      old.handOver(next);
      next.resume();
      assert.ok((await end).ok);
    });
  });

  describe("giving up waiting jobs", () => {
    const three = (client: TenantClient) => ["1", "2", "3"].map((number) => done(client, callOut(number)));
    const codes = async (ends: Promise<JobResult>[]) => (await Promise.all(ends)).map((end) => summarize(end).code);

    it("drop: fails the waiting jobs and returns their number, continues those in flight, accepts new ones", async () => {
      slow(40);
      const client = open({ concurrency: 1 });
      const ends = three(client);
      assert.equal(client.drop(), 2);
      ends.push(done(client, callOut("4")));
      assert.deepEqual(await codes(ends), ["ok", "ERR_DROPPED", "ERR_DROPPED", "ok"]);
    });

    it("refuse: fails waiting and new jobs alike", async () => {
      slow(40);
      const client = open({ concurrency: 1 });
      const ends = three(client);
      client.refuse(notSent("ERR_CONFIG", "config"));
      ends.push(done(client, callOut("4")));
      assert.deepEqual(await codes(ends), ["ok", "ERR_CONFIG", "ERR_CONFIG", "ERR_CONFIG"]);
    });

    it("stop: waits for the jobs in flight up to its limit", async () => {
      slow(80);
      const client = open({ concurrency: 1 });
      const ends = three(client);
      await client.stop(5000);
      assert.deepEqual(await codes(ends), ["ok", "ERR_DROPPED", "ERR_DROPPED"]);
    });

    it("stop: gives up jobs that take longer, and reports what is known of them", async () => {
      held.server.behave("no-headers");
      const client = open({ concurrency: 2 });
      const ends = [done(client, callOut("1")), done(client, callStop("2")), done(client, callOut("3"))];
      while (held.server.ledger.complete.length < 2) await sleep(5);
      await client.stop(50);
      const all = await Promise.all(ends);
      assert.deepEqual(
        all.map((end) => summarize(end)).map(({ code, sent, outcome }) => [code, sent, outcome]),
        [
          ["ERR_TIMEOUT", "maybe", "unknown"],
          ["ERR_TIMEOUT", "maybe", "unknown"],
          ["ERR_DROPPED", "no", "not-applied"],
        ],
      );
    });

    it("stop in the pause between two attempts: the failure before it", async () => {
      const soon = { ...json, "Retry-After": "60", Connection: "close" };
      held.server.behave({ at: "request", act: (wire) => wire.finish(answer(429, failure(429, "Later"), soon)) });
      const client = open({ timeoutMs: 120_000 });
      const end = done(client, read("1"));
      while (held.server.ledger.complete.length < 1) await sleep(5);
      // The connection goes once the answer has been read.
      while (held.server.open > 0) await sleep(5);
      await client.stop(0);
      assert.equal(summarize(await end).code, "ERR_RATE_LIMITED");
    });
  });
});
