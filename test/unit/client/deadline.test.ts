import assert from "node:assert/strict";
import type { LookupFunction } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ClientOptions, TenantClient } from "../../../src/client";
import { holdClock, letGo } from "../../support/clocks";
import { answer, failure } from "../../support/faults/answers";
import type { FaultName } from "../../support/faults/catalogue";
import { authority } from "../../support/faults/certificates";
import { FaultServerProcess } from "../../support/faults/fault-server-process";
import { rowOf } from "../../support/faults/meanings";
import { inTurn } from "../../support/faults/plan";
import { refusedPort } from "../../support/faults/unreachable";
import { until } from "../../support/until";
import { withServer } from "./stage";
import { begun, block, callOut, callStop, done, read, summarize } from "./subject";

const tls = { ca: authority() };

/** Rows 7, 8, 23 and 24 of docs/faults.md. */
describe("the deadline @undici", () => {
  const held = withServer();
  const open = (url: string, options: Partial<ClientOptions> = {}) => held.open(url, { tls, ...options });

  it("makes no try that could not start in time", async () => {
    holdClock();
    const end = await done(open(`http://127.0.0.1:${await refusedPort()}`, { timeoutMs: 90 }), callOut("1"));
    const { code, attempts, outcome } = summarize(end);
    assert.deepEqual([code, attempts, outcome], ["ERR_CONNECT", 1, "not-applied"]);
  });

  it("does not wait for a 429 that it would not outlive", async () => {
    // A client that waits for either, a day or an hour, exceeds the time limit of the test.
    held.server.behave("status-429-long");
    const end = await done(open(held.server.url, { timeoutMs: 3_600_000 }), read("1"));
    const { code, attempts } = summarize(end);
    assert.deepEqual([code, attempts, !end.ok && end.error.details.retryAfterMs], ["ERR_RATE_LIMITED", 1, 86_400_000]);
  });

  it("in a second try that may have left: ERR_TIMEOUT, and what the first one knew", async () => {
    held.server.behave(inTurn("status-503", "no-headers"));
    const clock = holdClock();
    const ending = done(open(held.server.url, { timeoutMs: 900 }), callStop("1"));
    await until(() => held.server.ledger.complete.length >= 2);
    clock.advance(900);
    const { code, sent, outcome, attempts } = summarize(await ending);
    assert.deepEqual([code, sent, outcome, attempts], ["ERR_TIMEOUT", "yes", "unknown", 2]);
  });

  it("in a second try that cannot have left: the first one's failure", async () => {
    // The answer ends its connection, and the name is found only once.
    held.server.behave({
      at: "request",
      act: (wire) => wire.finish(answer(503, failure(503, "Down"), { Connection: "close" })),
    });
    let lookups = 0;
    const onlyOnce: LookupFunction = (_name, _options, found) => {
      lookups += 1;
      if (lookups === 1) setImmediate(() => found(null, [{ address: "127.0.0.1", family: 4 }]));
    };
    const clock = holdClock();
    const client = open(`http://localhost:${held.server.port}`, { lookup: onlyOnce, timeoutMs: 800 });
    const ending = done(client, callStop("1"));
    await until(() => lookups >= 2);
    clock.advance(800);
    const { code, sent, outcome, attempts, status } = summarize(await ending);
    assert.deepEqual([code, sent, outcome, attempts, status], ["ERR_SERVER", "yes", "unknown", 2, 503]);
    assert.equal(held.server.ledger.requests.length, 1);
  });

  it("holds through forty stalls and drips at once", async () => {
    const remote = await FaultServerProcess.start();
    const clock = holdClock();
    const client = open(remote.url, { timeoutMs: 400, concurrency: 64 });
    const names: FaultName[] = ["no-headers", "headers-dripped", "body-stalled", "body-dripped-chunked"];
    for (const [round, name] of names.entries()) {
      await remote.behave({ always: name });
      const ending = Array.from({ length: 10 }, (_, i) => done(client, callOut(`${name}-${i}`)));
      const struck = async () => (await remote.ledger()).requests.filter((request) => request.struck).length;
      await until(async () => (await struck()) >= 10 * (round + 1));
      clock.advance(400);
      for (const end of await Promise.all(ending)) {
        const { code, sent, phase } = summarize(end);
        const { sent: wanted, phase: struckIn } = rowOf(name);
        assert.deepEqual([code, sent, phase, end.timings.elapsedMs], ["ERR_TIMEOUT", wanted, struckIn, 400]);
      }
    }
    await remote.stop();
  });

  describe("row 23: an event loop that was blocked", () => {
    const ok = { code: "ok", outcome: "applied", attempts: 1, status: 200 };
    const TIMEOUT_MS = 700;

    for (const secure of [false, true])
      for (const ms of [200, 1200, 5000])
        it(`for ${ms} ms, ${secure ? "https" : "http"}: before a request, before and after its answer, and while connecting`, async () => {
          const remote = await FaultServerProcess.start({ tls: secure });
          await remote.behave({ always: "good" });
          const clock = holdClock();
          const connecting = open(remote.url, { timeoutMs: TIMEOUT_MS, concurrency: 1 });
          const [idle, asking, answered] = ["idle", "asking", "answered"].map(() =>
            open(remote.url, { timeoutMs: TIMEOUT_MS, concurrency: 1 }),
          ) as [TenantClient, TenantClient, TenantClient];
          for (const client of [idle, answered, asking])
            assert.deepEqual(summarize(await done(client, callOut("warm"))), ok);
          const between = done(asking, callOut("between"));
          // The connection is open: the request is sent within two turns of the event loop.
          await nextTurn();
          await nextTurn();
          const first = done(connecting, callOut("connecting"));
          await begun();
          block(ms);
          clock.advance(ms);
          for (const end of [done(idle, callOut("before")), between, done(answered, callOut("after"))])
            assert.deepEqual(summarize(await end), ok);
          // The answer, or the truth.
          const { code, sent, outcome } = summarize(await first);
          if (ms < TIMEOUT_MS) assert.equal(code, "ok");
          else assert.deepEqual([code, sent, outcome], ["ERR_CONNECT_TIMEOUT", "no", "not-applied"]);
          letGo();
          // What was given up would have left before it, over the only connection.
          assert.deepEqual(summarize(await done(connecting, callOut("later"))), ok);
          assert.equal((await remote.ledger()).find("connecting").length, code === "ok" ? 1 : 0);
          await remote.stop();
        });
  });

  describe("row 24: a wall clock that jumps", () => {
    const now = Date.now;
    afterEach(() => {
      Date.now = now;
    });
    const hour = 3_600_000;
    for (const by of [hour, -hour, 87_660 * hour, -87_660 * hour]) {
      it(`by ${by / hour} hours, back and forth, changes nothing`, async () => {
        let jumped = false;
        Date.now = () => {
          jumped = !jumped;
          return now() + (jumped ? by : 0);
        };
        held.server.behave(inTurn("good", "status-503", "good", "no-headers"));
        const clock = holdClock();
        const client = open(held.server.url, { timeoutMs: 1500, rate: 1000 });
        assert.equal(summarize(await done(client, callOut("1"))).code, "ok");
        assert.deepEqual(summarize(await done(client, callStop("2"))).attempts, 2);
        // A millisecond for the rate.
        clock.advance(1);
        const ending = done(client, callOut("3"));
        await until(() => held.server.ledger.complete.length >= 4);
        clock.advance(1500);
        const end = await ending;
        assert.deepEqual([summarize(end).code, end.timings.elapsedMs], ["ERR_TIMEOUT", 1500]);
      });
    }
  });
});
