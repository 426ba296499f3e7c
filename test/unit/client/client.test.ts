import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Backlog, type Entry } from "../../../src/backlog";
import { roomFor } from "../../../src/backlog/file/contents";
import { lineOf } from "../../../src/backlog/file/line";
import { ACCEPTED } from "../../../src/backlog/store";
import { type ClientOptions, notSent, TenantClient } from "../../../src/client";
import { storeWith } from "../../support/backlog/stage";
import { holdClock, putClockAhead } from "../../support/clocks";
import { answer, chunk, head, json } from "../../support/faults/answers";
import { until } from "../../support/until";
import { withServer } from "./stage";
import {
  begun,
  callOut,
  callStop,
  clientFor,
  done,
  failureOf,
  optionsFor,
  read,
  remove,
  summarize,
  watched,
} from "./subject";

describe("the tenant client", () => {
  const held = withServer();
  const { slow } = held;
  const open = (options: Partial<ClientOptions> = {}) => held.open(held.server.url, options);

  it("an answer of 1 MiB is read, one of a byte more is not, however it is framed @undici", async () => {
    const frame = `{"success":true,"data":""}`;
    const ofSize = (size: number) => frame.replace('""', `"${"x".repeat(size - frame.length)}"`);
    const largest = 1024 * 1024;
    const client = open();
    for (const [size, code] of [
      [largest, "ok"],
      [largest + 1, "ERR_RESPONSE_TOO_LARGE"],
    ] as const) {
      const body = ofSize(size);
      held.server.behave({ at: "request", act: (wire) => wire.send(answer(200, body)) });
      assert.equal(summarize(await done(client, callOut("1"))).code, code);
      held.server.behave({
        at: "request",
        act: (wire) => wire.send(head(200, { ...json, "Transfer-Encoding": "chunked" }), chunk(body), chunk("")),
      });
      assert.equal(summarize(await done(client, callOut("2"))).code, code);
    }
  });

  it("a repeated delete that finds nothing has succeeded", async () => {
    const answers = ["status-502", "status-404"] as const;
    let nth = 0;
    held.server.behave(() => answers[nth++] ?? "good");
    const end = await done(open(), remove("1"));
    assert.deepEqual(end.ok && [end.status, end.data, end.envelope?.["message"], end.timings.attempts], [
      404,
      null,
      "Call not found",
      2,
    ]);
  });

  it("a repeated delete that finds no service has not succeeded", async () => {
    const answers = ["status-502", "status-404-bare"] as const;
    let nth = 0;
    held.server.behave(() => answers[nth++] ?? "good");
    const { code, outcome } = summarize(await done(open(), remove("1")));
    assert.deepEqual([code, outcome], ["ERR_REJECTED", "unknown"]);
  });

  for (const [refusal, expected] of [
    ["status-404", "ERR_REJECTED"],
    ["status-401", "ERR_AUTH"],
    ["status-429-absent", "ERR_RATE_LIMITED"],
  ] as const)
    it(`a repetition that is refused (${refusal}) keeps its code, the unknown outcome, and says what was refused`, async () => {
      const answers = ["fin-after-request", refusal] as const;
      let nth = 0;
      held.server.behave(() => answers[nth++] ?? "good");
      const end = await done(open(), callStop("1"));
      const { code, outcome, attempts, sent } = summarize(end);
      assert.deepEqual([code, outcome, attempts, sent], [expected, "unknown", 2, "yes"]);
      assert.equal(!end.ok && end.error.key, "repetitionRefused");
    });

  describe("not after", () => {
    it("is checked at the moment of sending, and leaves the connection usable", async () => {
      const client = open({ concurrency: 1 });
      await done(client, callOut("0"));
      slow(60);
      const first = done(client, callOut("1"));
      const late = done(client, callOut("2", { notAfter: Date.now() + 20 }));
      const last = done(client, callOut("3"));
      const { code, sent, outcome } = summarize(await late);
      assert.deepEqual([code, sent, outcome], ["ERR_EXPIRED", "no", "not-applied"]);
      assert.ok((await first).ok && (await last).ok);
      assert.deepEqual([...held.server.ledger.arrivals().keys()], ["0", "1", "3"]);
    });

    it("holds between two attempts, and says when the last one was sent", async () => {
      const hour = 3_600_000;
      held.server.behave({
        at: "request",
        act(wire) {
          putClockAhead(hour + 1);
          wire.finish();
        },
      });
      const notAfter = Date.now() + hour;
      const error = await failureOf(open(), { ...callStop("1"), notAfter });
      const { code, outcome, sent, key } = error;
      assert.deepEqual([code, outcome, sent, key], ["ERR_EXPIRED", "unknown", "maybe", "repetitionNotSent"]);
      assert.ok(Date.parse(error.details.sentAt ?? "") <= notAfter);
      assert.equal(held.server.ledger.requests.length, 1);
    });
  });

  describe("ends", () => {
    it("come exactly once each, in order within a lane, thousand jobs over eight connections @undici", async () => {
      const client = open();
      const numbers = Array.from({ length: 1000 }, (_, index) => String(index));
      // Connections may overtake each other on their way.
      const started: string[] = [];
      const ends = await Promise.all(
        numbers.map((number) =>
          watched(client, callOut(number), ({ stage }) => void (stage === "begun" && started.push(number))),
        ),
      );
      assert.ok(ends.every((end) => end.ok));
      assert.deepEqual(started, numbers);
      assert.deepEqual(new Set(held.server.ledger.requests.map(({ key }) => key)), new Set(numbers));
      assert.equal(held.server.ledger.requests.length, 1000);
      assert.ok(held.server.ledger.connections.length <= 8);
    });

    it("receive ERR_BACKLOG_FULL for jobs beyond 256 MiB, measured as they are sent", async () => {
      const client = open();
      client.hold(true);
      // Three bytes each on the wire.
      const text = "ế".repeat(80 * 1024);
      const large = (number: string) => {
        const job = callOut(number);
        const { request } = job;
        return request.method === "POST" ? { ...job, request: { ...request, body: { ...request.body, text } } } : job;
      };
      const ends = Array.from({ length: 1100 }, (_, index) => client.send(large(`${index}`)));
      await begun();
      const refused = ends.length - client.lanes.waiting.callOut;
      // 1,092 of 240 KiB are 255.9 MiB; each has a few bytes more.
      assert.ok(refused >= 8 && refused <= 10, `${refused}`);
      const last = await ends.at(-1);
      assert.ok(last && !last.ok);
      const { code, retryable, key } = last.error;
      assert.deepEqual([code, retryable, key], ["ERR_BACKLOG_FULL", true, "backlogTooLarge"]);
      assert.equal((await client.end({})).cancelled, ends.length - refused);
      const small = client.send(large("1"));
      client.hold(false);
      assert.ok((await small).ok);
    });

    it("reach every caller when the address is never resolved", async () => {
      const client = open({ address: Promise.reject(notSent("ERR_CONFIG", "config", { field: "url" })) });
      const before = await failureOf(client, callOut("1"));
      const after = await failureOf(client, callOut("2"));
      assert.deepEqual([before.code, after.code, before.details.field], ["ERR_CONFIG", "ERR_CONFIG", "url"]);
    });
  });

  it("leaves no socket and no timer behind @undici", async () => {
    // By then, mocha has set the timer of this test.
    await nextTurn();
    const before = process.getActiveResourcesInfo();
    /** Lists resources that are left. Others' may end meanwhile. */
    const left = () => {
      const rest = [...before];
      return process.getActiveResourcesInfo().filter((each) => {
        const at = rest.indexOf(each);
        if (at >= 0) rest.splice(at, 1);
        return at < 0;
      });
    };
    for (const behaviour of ["good", "no-headers", "status-503", "body-stalled"] as const) {
      held.server.behave(behaviour);
      const client = clientFor(held.server.url, { timeoutMs: 200, rate: 500 });
      await Promise.all([callOut("1"), callStop("2"), read("3"), remove("4")].map((job) => done(client, job)));
      await client.stop(0);
    }
    await until(() => held.server.open === 0);
    await until(() => left().length === 0);
  });

  it("call-outs that begin apart and meet when they leave keep their distance", async () => {
    const clock = holdClock();
    const client = open({ rate: 10 });
    const ends = ["1", "2"].map((number) => done(client, callOut(number)));
    await begun();
    // The first one is still connecting when the second one begins.
    clock.advance(100);
    assert.ok((await ends[0])?.ok);
    await until(() => client.lanes.waiting.callOut === 0);
    // It would have left before this one.
    assert.ok((await done(client, callStop("3"))).ok);
    assert.deepEqual(
      held.server.ledger.requests.map(({ key }) => key),
      ["1", "3"],
    );
    clock.advance(100);
    assert.ok((await ends[1])?.ok);
  });

  it("names a waiting call so that the journal has room for all lines that follow, also after a million of calls", async () => {
    const accepted: Entry[] = [];
    const accept = async (entry: Entry) => {
      accepted.push(entry);
      return ACCEPTED;
    };
    const client = new TenantClient(optionsFor("http://127.0.0.1:1"), new Backlog(storeWith({ accept })));
    await new Promise<void>((isDated) => {
      const dated = callOut("1", { notBefore: Date.now() + 3_600_000 });
      void watched(client, dated, ({ stage }) => void (stage === "dated" && isDated()));
    });
    const [entry] = accepted as [Entry];
    const id = `${entry.id}000000`;
    const begin = { begin: id };
    const lines = [{ holdBack: [id], records: [] }, begin, begin, { end: id, outcome: "not-applied" }, { forget: id }];
    const twice = 2 * lines.reduce((sum, line) => sum + lineOf(line, 9_999_999).length, 0);
    assert.ok(twice <= roomFor({ accept: entry }), `${twice} bytes`);
    await client.stop(0);
  });
});
