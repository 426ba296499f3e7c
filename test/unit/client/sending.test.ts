import assert from "node:assert/strict";
import type { LookupFunction } from "node:net";
import { mock } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { type ClientOptions, type Job, notSent, RequestStyle } from "../../../src/client";
import { NumberGuard } from "../../../src/client/guard/number-guard";
import { OptOuts } from "../../../src/client/guard/opt-outs";
import type { Source } from "../../../src/fields";
import { refusedPort } from "../../support/faults/unreachable";
import { until } from "../../support/until";
import { withServer } from "./stage";
import { callOut, callStop, done, failureOf, read, remove, summarize } from "./subject";

const UNLIMITED = { checkAgain: () => undefined, rateLimitKeys: () => [], mayBeTwo: () => false };
const NO_NUMBERS: Source = { label: "none", fixed: true, read: () => [] };

describe("what the tenant client sends @undici", () => {
  const held = withServer();
  const open = (options: Partial<ClientOptions> = {}, url = held.server.url) => held.open(url, options);

  it("a POST: these headers and no others, the body as the interface names its fields", async () => {
    await done(open({ authHeader: "X-Auth" }), callOut("0901234567"));
    const [request] = held.server.ledger.requests;
    assert.equal(request?.method, "POST");
    assert.equal(request.path, "/api/v1/call/call-out");
    assert.deepEqual(request.headers, {
      host: `127.0.0.1:${held.server.port}`,
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
    const end = await done(open({ style: new RequestStyle("nested") }), callOut("7"));
    const body = { from: { number: "1000" }, to: { number: "7" }, answer_url: "https://example.com" };
    assert.deepEqual(JSON.parse(held.server.ledger.requests[0]?.body ?? ""), body);
    assert.deepEqual(end.summary, body);
  });

  it("reads and deletes: no body, no content type, the prefix kept, only the query that is given", async () => {
    const client = open({}, `${held.server.url}/tenant/a/`);
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
      held.server.ledger.requests.map(({ method, path, headers, body }) => [
        method,
        path,
        headers["content-type"],
        body,
      ]),
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
    assert.equal(held.server.ledger.requests[0]?.body, '{"callId":"1","nested":{"a":1}}');
  });

  it("a call-out that is withdrawn while its number is being checked is not sent", async () => {
    let allow: () => void = () => {};
    const checked = new Promise<undefined>((resolve) => {
      allow = () => resolve(undefined);
    });
    const client = open({ guard: { check: () => checked, ...UNLIMITED } });
    const end = failureOf(client, { ...callOut("1"), entryId: "one" });
    assert.equal((await client.end({ entryId: "one" })).cancelled, 1);
    allow();
    assert.equal((await end).code, "ERR_DROPPED");
    assert.equal((await client.end({ entryId: "one" })).cancelled, 0);
    assert.deepEqual(held.server.ledger.requests, []);
  });

  it("rows of a list that end while their numbers are being checked are not sent, and those of another one are", async () => {
    let allow: () => void = () => {};
    const checked = new Promise<undefined>((resolve) => {
      allow = () => resolve(undefined);
    });
    const client = open({ guard: { check: () => checked, ...UNLIMITED } });
    const [row, other] = ["a", "b"].map((list) => client.send(callOut(list, { list })));
    assert.deepEqual(await client.end({ list: "a" }), { cancelled: 1, tooLate: 0 });
    allow();
    const [ended, sent] = await Promise.all([row, other]);
    assert.ok(ended && !ended.ok && ended.error.code === "ERR_DROPPED" && sent?.ok);
    assert.equal(held.server.ledger.requests.length, 1);
  });

  it("a call-out whose number is blocked between two attempts is not sent again", async () => {
    const allowed = [undefined, undefined];
    const check = () => (allowed.length > 0 ? allowed.pop() : notSent("ERR_BLOCKED", "queue"));
    const client = open({ guard: { check, ...UNLIMITED } }, `http://127.0.0.1:${await refusedPort()}`);
    const result = await done(client, callOut("1"));
    assert.deepEqual([summarize(result).code, summarize(result).attempts], ["ERR_BLOCKED", 1]);
  });

  it("a call-out whose number is blocked while it connects is not sent", async () => {
    const optOuts = new OptOuts();
    const limits = { country: "VN", perNumber: 0, perNumberMs: 0 };
    const guard = new NumberGuard(limits, { allow: NO_NUMBERS, block: NO_NUMBERS }, optOuts);
    const connecting: (() => void)[] = [];
    const lookup: LookupFunction = (_name, _options, found) =>
      void connecting.push(() => found(null, [{ address: "127.0.0.1", family: 4 }]));
    const client = open({ guard, lookup }, held.server.url.replace("127.0.0.1", "localhost"));
    const ends = ["0901234507", "0901234508"].map((number) => done(client, callOut(number)));
    await until(() => connecting.length === 2);
    await optOuts.block("+84 901234507", { until: null, reason: null });
    for (const connect of connecting) connect();
    const [blocked, other] = (await Promise.all(ends)).map(summarize);
    assert.deepEqual([blocked?.code, blocked?.sent, blocked?.outcome], ["ERR_BLOCKED", "no", "not-applied"]);
    assert.equal(other?.code, "ok");
    assert.deepEqual(
      held.server.ledger.requests.map(({ body }) => JSON.parse(body)["to.number"]),
      ["0901234508"],
    );
  });

  it("a call-out whose guard does not answer again ends at its deadline, and at a stop", async () => {
    const never = new Promise<undefined>(() => {});
    for (const timeoutMs of [50, 60_000]) {
      const checks: (Promise<undefined> | undefined)[] = [never, undefined];
      const client = open({ guard: { check: () => checks.pop(), ...UNLIMITED }, timeoutMs });
      const ending = done(client, callOut("1"));
      if (timeoutMs > 50) {
        await until(() => checks.length === 0);
        await client.stop(0);
      }
      const { code, outcome } = summarize(await ending);
      assert.deepEqual([code, outcome, client.lanes.inFlight], ["ERR_CONNECT_TIMEOUT", "not-applied", 0]);
    }
    assert.deepEqual(held.server.ledger.requests, []);
  });

  it("a call-out is refused if the store of a list does not answer", async () => {
    const lists = {
      allow: NO_NUMBERS,
      block: { label: "global.block", fixed: false, read: () => new Promise(() => {}) },
    };
    const guard = new NumberGuard({ country: "VN", perNumber: 0, perNumberMs: 0 }, lists);
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      const ending = failureOf(open({ guard }), callOut("0901234507"));
      await turn();
      mock.timers.tick(10_000);
      const { code, key, details } = await ending;
      assert.deepEqual(
        [code, key, details.field, details.source],
        ["ERR_CONFIG", "input.missing", "block", "global.block"],
      );
    } finally {
      mock.timers.reset();
    }
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
    assert.equal(held.server.ledger.requests.length, 1);
  });
});
