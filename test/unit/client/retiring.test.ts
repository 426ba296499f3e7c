import assert from "node:assert/strict";
import { Backlog } from "../../../src/backlog";
import { type ClientOptions, type JobResult, notSent, RequestStyle, TenantClient } from "../../../src/client";
import { JobRun } from "../../../src/client/queue/job-run";
import { restoring, storeWith } from "../../support/backlog/stage";
import { answer, failure, json } from "../../support/faults/answers";
import { until } from "../../support/until";
import { withServer } from "./stage";
import { begun, callOut, callStop, done, optionsFor, read, summarize } from "./subject";

describe("a tenant client that retires", () => {
  const held = withServer();
  const { slow } = held;
  const open = (options: Partial<ClientOptions> = {}) => held.open(held.server.url, options);

  describe("served again", () => {
    const other = { concurrency: 1, timeoutMs: 50_000 };
    const again = (client: TenantClient, more: Partial<ClientOptions> = {}) =>
      client.serve({ ...optionsFor(held.server.url), ...other, ...more });

    /** A call meets a 429 and waits again. Returns how it will end. */
    const limited = async (client: TenantClient) => {
      held.server.behave({
        at: "request",
        act: (wire) => wire.finish(answer(429, failure(429, "Later"), { ...json, "retry-after": "3600" })),
      });
      const end = { result: done(client, callOut("0")) };
      await until(() => client.lanes.heldUntil !== undefined);
      return end;
    };

    it("keeps the waiting jobs in order, with those in flight, and sends over new connections @undici", async () => {
      slow(40);
      const client = open({ concurrency: 1 });
      const ends = ["1", "2", "3"].map((number) => done(client, callOut(number)));
      await begun();
      again(client);
      ends.push(done(client, callOut("4")));
      await begun();
      // What is in flight no longer counts.
      assert.deepEqual(client.lanes.waiting, { callOut: 2, other: 0 });
      assert.equal(client.lanes.inFlight, 2);
      assert.deepEqual(
        (await Promise.all(ends)).map((end) => end.ok && end.data),
        ["1", "2", "3", "4"],
      );
      assert.deepEqual(held.server.ledger.duplicates(), []);
      assert.equal(held.server.ledger.connections.length, 2);
    });

    it("keeps waiting reads, and sends them with the new token", async () => {
      slow(40);
      const client = open({ concurrency: 1 });
      const ends = ["1", "2"].map((id) => done(client, read(id)));
      await begun();
      again(client, { token: "another" });
      assert.ok((await Promise.all(ends)).every(({ ok }) => ok));
      assert.deepEqual(
        held.server.ledger.requests.map(({ headers }) => headers.authentication),
        ["Bearer canary", "Bearer another"],
      );
    });

    it("keeps a pause, again and again", async () => {
      const client = open();
      client.hold(true);
      const end = done(client, callOut("1"));
      await begun();
      again(client);
      again(client, { concurrency: 2 });
      assert.deepEqual([client.lanes.paused, client.lanes.waiting.callOut], [true, 1]);
      client.hold(false);
      assert.ok((await end).ok);
    });

    it("lets a call try at once after a refusal, whether the new settings hold or not", async () => {
      for (const onTrouble of ["wait", "fail"] as const) {
        const client = open({ onTrouble: "wait" });
        const end = await limited(client);
        held.server.behave("good");
        again(client, { onTrouble });
        assert.equal(client.lanes.heldUntil, undefined);
        assert.ok((await done(client, callOut("2"))).ok && (await end.result).ok);
      }
    });

    it("ends what was given up before with the reason for that", async () => {
      const client = open();
      client.hold(true);
      const ends = Array.from({ length: 1000 }, (_, index) => done(client, callOut(String(index))));
      client.refuse(notSent("ERR_CONFIG", "config"));
      again(client);
      const codes = (await Promise.all(ends)).map((end) => summarize(end).code);
      assert.deepEqual(new Set(codes), new Set(["ERR_CONFIG"]));
    });

    it("keeps the deduplication keys", async () => {
      const client = open();
      const deduplication = { key: "k", forMs: 60_000 };
      assert.ok((await done(client, callOut("1", { deduplication }))).ok);
      again(client);
      assert.equal(summarize(await done(client, callOut("2", { deduplication }))).code, "ERR_DUPLICATE");
    });

    it("works again after it was refused, without the hold of then", async () => {
      const client = open({ onTrouble: "wait" });
      const end = await limited(client);
      held.server.behave("good");
      client.refuse(notSent("ERR_CONFIG", "config"));
      const ends = [await end.result, await done(client, callOut("1"))];
      assert.deepEqual(
        ends.map((each) => summarize(each).code),
        ["ERR_CONFIG", "ERR_CONFIG"],
      );
      again(client);
      assert.ok((await done(client, callOut("2"))).ok);
    });
  });

  describe("giving up waiting jobs", () => {
    const three = (client: TenantClient) => ["1", "2", "3"].map((number) => done(client, callOut(number)));
    const codes = async (ends: Promise<JobResult>[]) => (await Promise.all(ends)).map((end) => summarize(end).code);

    it("drop: fails the waiting jobs and returns their number, continues those in flight, accepts new ones", async () => {
      slow(40);
      const client = open({ concurrency: 1 });
      const ends = three(client);
      await begun();
      assert.equal((await client.end({})).cancelled, 2);
      ends.push(done(client, callOut("4")));
      assert.deepEqual(await codes(ends), ["ok", "ERR_DROPPED", "ERR_DROPPED", "ok"]);
    });

    it("refuse: fails waiting and new jobs alike", async () => {
      slow(40);
      const client = open({ concurrency: 1 });
      const ends = three(client);
      await begun();
      client.refuse(notSent("ERR_CONFIG", "config"));
      ends.push(done(client, callOut("4")));
      assert.deepEqual(await codes(ends), ["ok", "ERR_CONFIG", "ERR_CONFIG", "ERR_CONFIG"]);
    });

    it("stop: waits for the jobs in flight up to its limit, and fails those that wait in memory", async () => {
      slow(80);
      const client = open({ concurrency: 1 });
      const ends = three(client);
      await begun();
      await client.stop(5000);
      assert.deepEqual(await codes(ends), ["ok", "ERR_DROPPED", "ERR_DROPPED"]);
    });

    it("stop: gives up jobs that take longer, and reports what is known of them @undici", async () => {
      held.server.behave("no-headers");
      const client = open({ concurrency: 2 });
      const ends = [done(client, callOut("1")), done(client, callStop("2")), done(client, callOut("3"))];
      await until(() => held.server.ledger.complete.length >= 2);
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

    for (const [how, act, code, of] of [
      ["drop", (client: TenantClient) => client.end({}), "ERR_DROPPED", 2],
      ["cancel", (client: TenantClient) => client.end({ key: "k" }), "ERR_CANCELLED", 2],
      ["refuse", (client: TenantClient) => client.refuse(notSent("ERR_CONFIG", "config")), "ERR_CONFIG", undefined],
      ["halt", (client: TenantClient) => client.halt(), "ERR_DROPPED", 2],
    ] as const)
      it(`${how}: ends also a call that is to take the place of one about which the store is asked`, async () => {
        let answer: (leave: { readonly retryInMs: number }) => void = () => {};
        const begin = () => new Promise<{ readonly retryInMs: number }>((resolve) => (answer = resolve));
        const client = new TenantClient(optionsFor(held.server.url), new Backlog(storeWith({ begin })));
        const same = { deduplication: { key: "k", forMs: 60_000 }, onceAgain: "replace" } as const;
        void done(client, callOut("1", same));
        const replacing = done(client, callOut("2", same));
        await begun();
        const ended = act(client);
        const later = how === "drop" || how === "cancel" ? done(client, callOut("3", same)) : undefined;
        await begun();
        answer({ retryInMs: 60_000 });
        const all = await ended;
        assert.equal(Array.isArray(all) ? all.length : (all as { cancelled?: number } | undefined)?.cancelled, of);
        const { code: found, outcome } = summarize(await replacing);
        assert.deepEqual([found, outcome], [code, "not-applied"]);
        // What comes after that is not meant.
        if (later) await until(() => client.lanes.waiting.callOut === 1);
        await client.stop(0);
      });

    it("stop: does not wait for a backlog that is not open yet, and gives up nothing that is in it", async () => {
      let backlog: (opened: Backlog) => void = () => {};
      const opening = new Promise<Backlog>((resolve) => (backlog = resolve));
      const ignore = () => {};
      const restored = { isDeleted: () => false, onOrphanedResult: ignore, onUnreportedOutcome: ignore };
      const client = new TenantClient(optionsFor(held.server.url), opening, () => restored);
      assert.equal(client.lanes.isDurable, undefined);
      await client.stop(0);
      const entry = { id: "1", nodeId: "n", size: 1, content: null };
      let closed: () => void = () => {};
      const closing = new Promise<void>((resolve) => (closed = resolve));
      const open = new Backlog(restoring({ waiting: [entry] }, { isDurable: true, close: async () => closed() }));
      backlog(open);
      await closing;
      assert.equal(open.counts.waiting, 1);
    });

    it("stop in the pause between two attempts: the failure before it", async () => {
      const soon = { ...json, "Retry-After": "60", Connection: "close" };
      held.server.behave({ at: "request", act: (wire) => wire.finish(answer(429, failure(429, "Later"), soon)) });
      const client = open({ timeoutMs: 120_000 });
      const end = done(client, read("1"));
      await until(() => held.server.ledger.complete.length >= 1);
      // The connection goes once the answer has been read.
      await until(() => held.server.open === 0);
      await client.stop(0);
      assert.equal(summarize(await end).code, "ERR_RATE_LIMITED");
    });

    it("stop after a lost answer and a repetition that was not sent: unknown", () => {
      const run = new JobRun(callStop("1"), new RequestStyle("dotted").current);
      assert.equal(run.outcomeIfCutOff, "not-applied");
      run.history = { ...run.history, unknown: true };
      run.lastFailure = notSent("ERR_CONNECT", "connect");
      assert.equal(run.outcomeIfCutOff, "unknown");
    });
  });
});
