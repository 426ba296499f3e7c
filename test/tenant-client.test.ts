import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { type ClientOptions, type End, type Job, notSent, type TenantClient } from "../src/tenant";
import { answer, chunk, failure, head, json } from "./faults/answers.js";
import { FaultServer } from "./faults/fault-server.js";
import { block, callOut, callStop, clientFor, close, done, failureOf, read, remove, told } from "./tenant-subject";

describe("the tenant client", () => {
  let server: FaultServer;
  const clients: TenantClient[] = [];
  const open = (options: Partial<ClientOptions> = {}, url = server.url) => {
    const client = clientFor(url, options);
    clients.push(client);
    return client;
  };
  before(async () => {
    server = await FaultServer.start();
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map(close));
    server.behave("good");
    server.ledger.clear();
  });
  after(() => server.stop());
  const slow = (ms: number) =>
    server.behave({
      at: "request",
      async act(wire, { key }) {
        await wire.pause(ms);
        await wire.send(answer(200, JSON.stringify({ success: true, data: key ?? null })));
      },
    });

  describe("what goes out", () => {
    it("a POST: these headers and no others, the body as the interface names its fields", async () => {
      await done(open({ authHeader: "X-Auth" }), callOut("0901234567"));
      const [request] = server.ledger.requests;
      assert.equal(request?.method, "POST");
      assert.equal(request.path, "/api/v1/call/call-out");
      assert.deepEqual(request.headers, {
        host: `127.0.0.1:${server.port}`,
        connection: "keep-alive",
        "x-auth": "Bearer canary",
        accept: "application/json",
        "accept-encoding": "identity",
        "content-type": "application/json",
        "content-length": `${request.body.length}`,
      });
      assert.deepEqual(JSON.parse(request.body), {
        "from.number": "1000",
        "to.number": "0901234567",
        answer_url: "https://example.com",
      });
    });

    it("a body with its parties nested, for a tenant that reads the dots as a path", async () => {
      const end = await done(open({ partyFields: "nested" }), callOut("7"));
      const body = { from: { number: "1000" }, to: { number: "7" }, answer_url: "https://example.com" };
      assert.deepEqual(JSON.parse(server.ledger.requests[0]?.body ?? ""), body);
      assert.deepEqual(end.asked, body);
    });

    it("reads and deletes: no body, no content type, the prefix kept, only the query that is given", async () => {
      const client = open({}, `${server.url}/tenant/a/`);
      const list: Job = {
        ...read("1"),
        request: {
          method: "GET",
          path: "/api/v1/list",
          query: { search: "a b&c", asc: false, page: 0, limit: undefined },
        },
      };
      for (const job of [list, remove("12")]) assert.ok((await done(client, job)).ok);
      assert.deepEqual(
        server.ledger.requests.map(({ method, path, headers, body }) => [method, path, headers["content-type"], body]),
        [
          ["GET", "/tenant/a/api/v1/list?search=a+b%26c&asc=false&page=0", undefined, ""],
          ["DELETE", "/tenant/a/api/v1/setting/business-hour/12", undefined, ""],
        ],
      );
    });

    it("what a flow does to its message after submitting changes nothing", async () => {
      const client = open({ concurrency: 1 });
      const body: Record<string, unknown> = { callId: "1", nested: { a: 1 } };
      const end = done(client, { ...callStop("1"), request: { method: "POST", path: "/x", body } });
      body["callId"] = "2";
      (body["nested"] as Record<string, unknown>)["a"] = 2;
      await end;
      assert.equal(server.ledger.requests[0]?.body, '{"callId":"1","nested":{"a":1}}');
    });

    it("more than 256 KiB does not", async () => {
      const client = open();
      const sized = (length: number): Job => ({
        ...callStop("1"),
        request: { method: "POST", path: "/x", body: { callId: "1", actions: ["x".repeat(length)] } },
      });
      const around = JSON.stringify({ callId: "1", actions: [""] }).length;
      assert.ok((await done(client, sized(256 * 1024 - around))).ok);
      const error = await failureOf(client, sized(256 * 1024 - around + 1));
      assert.deepEqual(
        [error.code, error.key, error.details.field, error.sent],
        ["ERR_INPUT", "requestTooLarge", "actions", "no"],
      );
      assert.equal(server.ledger.requests.length, 1);
    });
  });

  it("an answer of 1 MiB is read, one of a byte more is not, however it is framed", async () => {
    const frame = `{"success":true,"data":""}`;
    const ofSize = (size: number) => frame.replace('""', `"${"x".repeat(size - frame.length)}"`);
    const largest = 1024 * 1024;
    const client = open();
    for (const [size, code] of [
      [largest, "ok"],
      [largest + 1, "ERR_RESPONSE_TOO_LARGE"],
    ] as const) {
      const body = ofSize(size);
      server.behave({ at: "request", act: (wire) => wire.send(answer(200, body)) });
      assert.equal(told(await done(client, callOut("1"))).code, code);
      server.behave({
        at: "request",
        act: (wire) => wire.send(head(200, { ...json, "Transfer-Encoding": "chunked" }), chunk(body), chunk("")),
      });
      assert.equal(told(await done(client, callOut("2"))).code, code);
    }
  });

  it("a repeated delete that finds nothing has succeeded", async () => {
    const answers = ["status-502", "status-404"] as const;
    let nth = 0;
    server.behave(() => answers[nth++] ?? "good");
    const end = await done(open(), remove("1"));
    assert.deepEqual(end.ok && [end.status, end.data, end.envelope?.["message"], end.tally.attempts], [
      404,
      null,
      "Call not found",
      2,
    ]);
  });

  it("a refusal after a doubt keeps its code, and the doubt", async () => {
    const answers = ["fin-after-request", "status-404"] as const;
    let nth = 0;
    server.behave(() => answers[nth++] ?? "good");
    const { code, outcome, attempts, sent } = told(await done(open(), callStop("1")));
    assert.deepEqual([code, outcome, attempts, sent], ["ERR_REJECTED", "unknown", 2, "yes"]);
  });

  describe("not after", () => {
    it("is judged at the moment of sending, and costs the connection nothing", async () => {
      const client = open({ concurrency: 1 });
      await done(client, callOut("0"));
      slow(60);
      const first = done(client, callOut("1"));
      const late = done(client, callOut("2", { notAfter: Date.now() + 20 }));
      const last = done(client, callOut("3"));
      const { code, sent, outcome } = told(await late);
      assert.deepEqual([code, sent, outcome], ["ERR_EXPIRED", "no", "not-applied"]);
      assert.ok((await first).ok && (await last).ok);
      assert.deepEqual([...server.ledger.arrivals().keys()], ["0", "1", "3"]);
    });

    it("holds between two attempts, and says when the last one was sent", async () => {
      server.behave("fin-after-request");
      const began = Date.now();
      const error = await failureOf(open(), { ...callStop("1"), notAfter: began + 60 });
      assert.deepEqual([error.code, error.outcome, error.sent], ["ERR_EXPIRED", "unknown", "maybe"]);
      assert.ok(Date.parse(error.details.sentAt ?? "") - began < 60);
      assert.equal(server.ledger.requests.length, 1);
    });
  });

  describe("ends", () => {
    it("come exactly once each, in order within a lane, thousand jobs over eight connections", async () => {
      const client = open();
      const ends = await Promise.all(Array.from({ length: 1000 }, (_, i) => done(client, callOut(`${i}`))));
      assert.ok(ends.every((end) => end.ok));
      const order = server.ledger.requests.map(({ key }) => Number(key));
      assert.equal(new Set(order).size, 1000);
      // Eight connections may overtake each other, by no more than eight.
      assert.ok(order.every((number, i) => Math.abs(number - i) < 16));
      assert.ok(server.ledger.connections.length <= 8);
    });

    it("are told of jobs that nobody could take in", async () => {
      slow(50);
      const client = open({ concurrency: 1, backlog: 1 });
      const ends = await Promise.all(["1", "2", "3"].map((number) => done(client, callOut(number))));
      assert.deepEqual(
        ends.map((end) => told(end)).map(({ code, retryable, attempts }) => [code, retryable, attempts]),
        [
          ["ok", undefined, 1],
          ["ok", undefined, 1],
          ["ERR_BACKLOG_FULL", true, 0],
        ],
      );
    });

    it("come to all when the address never becomes known", async () => {
      const client = open({ address: Promise.reject(notSent("ERR_CONFIG", "config", { field: "url" })) });
      const before = await failureOf(client, callOut("1"));
      const after = await failureOf(client, callOut("2"));
      assert.deepEqual([before.code, after.code, before.details.field], ["ERR_CONFIG", "ERR_CONFIG", "url"]);
    });
  });

  describe("handing over", () => {
    it("what waits goes to the successor in its order, what is under way ends here, what comes goes there", async () => {
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
      assert.deepEqual(server.ledger.duplicates(), []);
      assert.equal(server.ledger.connections.length, 2);
    });

    it("passes a pause on, and can be done again", async () => {
      const [first, second, third] = [open(), open(), open()];
      first.lanes.pause();
      const end = done(first, callOut("1"));
      first.handOver(second);
      second.handOver(third);
      assert.deepEqual([third.lanes.paused, third.lanes.waiting.callOut], [true, 1]);
      third.lanes.resume();
      assert.ok((await end).ok);
    });

    it("keeps the once key that a job took", async () => {
      const old = open();
      const next = open();
      old.lanes.pause();
      const once = { key: "k", forMs: 60_000 };
      const end = done(old, callOut("1", { once }));
      old.handOver(next);
      next.lanes.resume();
      assert.ok((await end).ok);
    });
  });

  describe("giving up what waits", () => {
    const three = (client: TenantClient) => ["1", "2", "3"].map((number) => done(client, callOut(number)));
    const codes = async (ends: Promise<End>[]) => (await Promise.all(ends)).map((end) => told(end).code);

    it("drop: fails what waits and says how many, what is under way goes on, what comes is taken", async () => {
      slow(40);
      const client = open({ concurrency: 1 });
      const ends = three(client);
      assert.equal(client.drop(), 2);
      ends.push(done(client, callOut("4")));
      assert.deepEqual(await codes(ends), ["ok", "ERR_DROPPED", "ERR_DROPPED", "ok"]);
    });

    it("refuse: fails what waits and what comes alike", async () => {
      slow(40);
      const client = open({ concurrency: 1 });
      const ends = three(client);
      client.refuse(notSent("ERR_CONFIG", "config"));
      ends.push(done(client, callOut("4")));
      assert.deepEqual(await codes(ends), ["ok", "ERR_CONFIG", "ERR_CONFIG", "ERR_CONFIG"]);
    });

    it("stop: waits for what is under way as long as it may", async () => {
      slow(80);
      const client = open({ concurrency: 1 });
      const ends = three(client);
      await client.stop(5000);
      assert.deepEqual(await codes(ends), ["ok", "ERR_DROPPED", "ERR_DROPPED"]);
    });

    it("stop: gives up what takes longer, and says what it knows", async () => {
      server.behave("no-headers");
      const client = open({ concurrency: 2 });
      const ends = [done(client, callOut("1")), done(client, callStop("2")), done(client, callOut("3"))];
      while (server.ledger.complete.length < 2) await sleep(5);
      await client.stop(50);
      const all = await Promise.all(ends);
      assert.deepEqual(
        all.map((end) => told(end)).map(({ code, sent, outcome }) => [code, sent, outcome]),
        [
          ["ERR_TIMEOUT", "maybe", "unknown"],
          ["ERR_TIMEOUT", "maybe", "unknown"],
          ["ERR_DROPPED", "no", "not-applied"],
        ],
      );
    });

    it("stop in the pause between two attempts: the failure before it", async () => {
      server.behave("status-503");
      const client = open();
      const end = done(client, read("1"));
      while (server.ledger.complete.length < 1) await sleep(5);
      await sleep(20);
      await client.stop(0);
      assert.equal(told(await end).code, "ERR_SERVER");
    });
  });

  it("leaves no socket and no timer behind", async () => {
    await sleep(50);
    const before = process.getActiveResourcesInfo().sort().join();
    for (const behaviour of ["good", "no-headers", "status-503", "body-stalled"] as const) {
      server.behave(behaviour);
      const client = clientFor(server.url, { timeoutMs: 200, rate: 500 });
      await Promise.all([callOut("1"), callStop("2"), read("3"), remove("4")].map((job) => done(client, job)));
      await client.stop(0);
    }
    for (let tries = 0; server.open > 0 && tries < 100; tries += 1) await sleep(10);
    assert.equal(server.open, 0);
    await sleep(50);
    assert.equal(process.getActiveResourcesInfo().sort().join(), before);
  });

  it("a token that a service echoes stands in no error, however it is spelled", async () => {
    const token = `${"c4n4ry".repeat(5)}/+"&`;
    const spellings = [
      token,
      encodeURIComponent(token),
      JSON.stringify(token).slice(1, -1),
      Buffer.from(token).toString("base64"),
      Buffer.from(`user:${token}`).toString("base64"),
    ];
    const client = open({ token });
    for (const spelling of spellings) {
      const echo = {
        ...json,
        Location: `/login?token=${encodeURIComponent(spelling)}`,
        "X-Echo": spelling.replaceAll('"', ""),
      };
      const bodies = [
        failure(400, `no such token ${spelling}`),
        JSON.stringify({ success: false, code: spelling, message: spelling }),
        `<html>${spelling}</html>`,
        `{"success":"${spelling}`,
        `{"success":`,
      ];
      for (const status of [200, 302, 401, 404, 500]) {
        for (const body of bodies) {
          server.behave({ at: "request", act: (wire) => wire.send(answer(status, body, echo)) });
          const shown = inspect(await failureOf(client, callOut("1")), { depth: 12 });
          for (const secret of spellings) assert.ok(!shown.includes(secret), `${status} ${body}: ${shown}`);
          assert.ok(!shown.includes("c4n4ryc4n4ry"), shown);
        }
      }
    }
  });

  it("a blocked event loop does not start more than its share", async () => {
    const client = open({ rate: 100, concurrency: 8 });
    const ends = Array.from({ length: 10 }, (_, i) => done(client, callOut(`${i}`)));
    block(120);
    assert.ok((await Promise.all(ends)).every((end) => end.ok));
    const at = server.ledger.requests.map(({ firstByteAt }) => firstByteAt);
    assert.ok((at.at(-1) ?? 0) - (at[0] ?? 0) >= 80);
  });
});
