import assert from "node:assert/strict";
import type { LookupFunction } from "node:net";
import { inspect } from "node:util";
import { CONNECT_LIMIT_MS } from "../../../../src/client/transport/connect";
import { holdClock } from "../../../support/clocks";
import { faultNames } from "../../../support/faults/catalogue";
import { authority } from "../../../support/faults/certificates";
import { FaultServer } from "../../../support/faults/fault-server";
import { FullBacklog } from "../../../support/faults/full-backlog";
import { failingLookup, refusedPort, unknownHost } from "../../../support/faults/unreachable";
import { until } from "../../../support/until";
import { withServer } from "../stage";
import { callOut, done, failureOf, read, summarize } from "../subject";

const tls = { ca: authority() };

/** Rows 1, 2, 3 and 14 of docs/faults.md. */
describe("connections @undici", () => {
  const held = withServer();
  const { besides, open } = held;

  describe("row 1: refused", () => {
    it("is tried three times, and nothing has left", async () => {
      const end = await done(open(`http://127.0.0.1:${await refusedPort()}`), callOut("1"));
      assert.deepEqual(summarize(end), {
        code: "ERR_CONNECT",
        phase: "connect",
        sent: "no",
        outcome: "not-applied",
        retryable: true,
        attempts: 3,
        status: undefined,
      });
      assert.deepEqual(!end.ok && end.error.details, { host: "127.0.0.1", sys: "ECONNREFUSED" });
    });

    it("by each of several addresses reads like one refusal", async () => {
      const everywhere: LookupFunction = (_name, _options, found) =>
        setImmediate(() =>
          found(
            null,
            ["127.0.0.1", "127.0.0.2"].map((address) => ({ address, family: 4 })),
          ),
        );
      const error = await failureOf(
        open(`https://tenant.example.com:${await refusedPort()}`, { lookup: everywhere }),
        callOut("1"),
      );
      assert.deepEqual([error.code, error.details.sys], ["ERR_CONNECT", "ECONNREFUSED"]);
    });
  });

  describe("row 2: no such name", () => {
    const lookups: [sys: string, lookup: LookupFunction, limitMs?: number][] = [
      ["EAI_AGAIN", failingLookup()],
      ["ENOTFOUND", failingLookup("ENOTFOUND")],
      ["TIMEOUT", () => {}, 150],
    ];
    for (const [sys, lookup, limitMs = CONNECT_LIMIT_MS] of lookups) {
      it(`${sys}: names the host, never the token`, async () => {
        const client = open(`https://${unknownHost}`, { lookup, limitMs });
        const error = await failureOf(client, callOut("1"));
        assert.deepEqual([error.code, error.phase, error.sent, error.retryable], ["ERR_DNS", "dns", "no", true]);
        assert.deepEqual(error.details, { host: unknownHost, sys });
        assert.ok(!inspect(error, { depth: 12 }).includes("canary"));
      });
    }

    it("the system's own resolver knows no .invalid", async () => {
      const error = await failureOf(open(`https://${unknownHost}`, { limitMs: 500 }), callOut("1"));
      assert.equal(error.code, "ERR_DNS");
    });
  });

  describe("row 3: a connect that never ends", () => {
    let backlog: FullBacklog;
    before(async () => {
      backlog = await FullBacklog.start();
    });
    after(() => backlog.stop());

    it("is given up after the limit, three times", async () => {
      const end = await done(open(backlog.url, { limitMs: 150 }), callOut("1"));
      const { code, phase, sent, attempts } = summarize(end);
      assert.deepEqual([code, phase, sent, attempts], ["ERR_CONNECT_TIMEOUT", "connect", "no", 3]);
    });

    it("is abandoned at the deadline if that comes first", async () => {
      const end = await done(open(backlog.url, { timeoutMs: 200 }), callOut("1"));
      const { code, sent, outcome, retryable, attempts } = summarize(end);
      assert.deepEqual(
        [code, sent, outcome, retryable, attempts],
        ["ERR_CONNECT_TIMEOUT", "no", "not-applied", true, 1],
      );
    });

    it("has a limit of three seconds", () => assert.equal(CONNECT_LIMIT_MS, 3000));
  });

  it("a request given up while it waited for its connection never leaves, and the next one does", async () => {
    let asked = 0;
    let answer: () => void = () => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const late: LookupFunction = (_name, _options, found) => {
      asked += 1;
      void answered.then(() => found(null, [{ address: "127.0.0.1", family: 4 }]));
    };
    const clock = holdClock();
    const client = open(`http://localhost:${held.server.port}`, { lookup: late, timeoutMs: 150, concurrency: 1 });
    const failing = failureOf(client, callOut("1"));
    await until(() => asked > 0);
    clock.advance(150);
    const error = await failing;
    assert.deepEqual([error.code, error.sent], ["ERR_CONNECT_TIMEOUT", "no"]);
    answer();
    await until(() => held.server.ledger.connections.length > 0);
    assert.ok((await done(client, callOut("2"))).ok);
    assert.deepEqual(
      held.server.ledger.requests.map(({ key }) => key),
      ["2"],
    );
  });

  for (const secure of [false, true])
    it(`row 14: whatever a redirect over ${secure ? "https" : "http"} says, the second server sees nothing`, async () => {
      const second = besides(await FaultServer.start());
      const first = besides(await FaultServer.start({ tls: secure, elsewhere: second.url }));
      const client = open(first.url, { tls });
      for (const name of faultNames({ rows: [14] })) {
        first.behave(name);
        for (const job of [callOut("1"), read("2")]) assert.equal((await failureOf(client, job)).code, "ERR_REDIRECT");
      }
      assert.equal(second.ledger.connections.length, 0);
      assert.ok(first.ledger.requests.every(({ path }) => path !== "/moved"));
    });
});
