import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { connect } from "node:net";
import { Sandbox } from "../../../src/sandbox/http/server";
import { operations } from "../../../src/sandbox/service/service";
import { OPERATIONS } from "../../interface/interface";
import { until } from "../../support/until";
import { ask, no, ok, press, refuses, sandboxForEach, token, visit } from "./visit";

const hours = "/api/v1/setting/business-hour";
const stop = "/api/v1/call/stop-a-call";

describe("sandbox: every request", () => {
  const sandbox = sandboxForEach();

  it("has an address on loopback", () => {
    assert.equal(sandbox().url, `http://127.0.0.1:${sandbox().port}`);
    assert.ok(sandbox().port > 0);
  });

  const form = "the word Bearer, a space and the access token";
  const where = "It is the one that the sandbox was started with.";
  const wrongTokens: [string, Record<string, string>, sentence: string][] = [
    ["no header", {}, `The header Authentication is missing. It must be ${form}. ${where}`],
    ["another token", { Authentication: "Bearer another" }, `This is not the access token of this sandbox. ${where}`],
    [
      "a longer token",
      { Authentication: `Bearer ${token}x` },
      `This is not the access token of this sandbox. ${where}`,
    ],
    ["no Bearer", { Authentication: token }, `The header Authentication must be ${form}. ${where}`],
    [
      "another header",
      { Authorization: `Bearer ${token}` },
      "The token came in the header Authorization, but this tenant reads the header Authentication.",
    ],
  ];
  for (const [what, headers, sentence] of wrongTokens) {
    it(`answers 401 to ${what}, and says what it expects`, async () => {
      const { status, json } = await visit(sandbox().url + hours, { headers });
      assert.equal(status, 401);
      assert.deepEqual(json, no(401, sentence));
    });
  }

  it("has exactly the operations of the interface", () => {
    const rows = operations.map(({ method, path }) => `${method} ${path.replace(":id", "{id}")}`);
    assert.deepEqual(
      rows.sort(),
      OPERATIONS.map(({ name }) => name).sort(),
      "test/interface/openapi.yaml and the rows of src/sandbox/service must list the same operations",
    );
  });

  it("needs the token for every operation", async () => {
    for (const { method, path, name } of OPERATIONS) {
      const address = sandbox().url + path.replace("{id}", "1");
      const { status } = await visit(address, { method, headers: { Authentication: "Bearer wrong" } });
      assert.equal(status, 401, name);
    }
    assert.equal((await ask(sandbox(), "GET", `${hours}/1`)).status, 200, "the refused delete did nothing");
  });

  for (const path of [
    "/",
    "/api/v1",
    "/api/v1/call",
    "/api/v1/call/hang-up",
    `${hours}/abc`,
    `${hours}/:id`,
    `${hours}/1/2`,
  ]) {
    it(`answers 404 at ${path}`, () => refuses(sandbox(), 404, `The path ${path} does not exist.`, "GET", path));
  }

  const wrongMethods = [
    ["GET", stop, "POST"],
    ["PUT", hours, "GET, POST"],
    ["PATCH", `${hours}/1`, "GET, DELETE"],
    ["OPTIONS", stop, "POST"],
  ] as const;
  for (const [method, path, allowed] of wrongMethods) {
    it(`answers 405 to ${method} ${path}`, async () => {
      const sentence = `The method ${method} is not one of ${allowed}.`;
      const { headers } = await refuses(sandbox(), 405, sentence, method, path);
      assert.equal(headers.allow, allowed);
    });
  }

  const authentic = { Authentication: `Bearer ${token}` };

  it("answers 415 to a body that does not say it is JSON", async () => {
    for (const type of [undefined, "text/plain", "application/x-www-form-urlencoded", "application/jsonp"]) {
      const headers = type === undefined ? authentic : { ...authentic, "Content-Type": type };
      const { status, json } = await visit(sandbox().url + stop, { method: "POST", headers, body: '{"callId":"c1"}' });
      assert.equal(status, 415, String(type));
      assert.deepEqual(json, no(415, "The content-type header must be application/json."));
    }
    assert.deepEqual(sandbox().state.calls.newest(), []);
  });

  it("accepts a charset beside application/json", async () => {
    const headers = { ...authentic, "Content-Type": "application/json; charset=utf-8" };
    const { status } = await visit(sandbox().url + stop, { method: "POST", headers, body: { callId: "c1" } });
    assert.equal(status, 200);
  });

  it("answers 422 to what is no JSON or no UTF-8", async () => {
    for (const body of ["{", "", "callId=1", Buffer.from([0x22, 0xff, 0x22])])
      await refuses(sandbox(), 422, "The body must be JSON in UTF-8.", "POST", stop, body);
  });

  it("answers 422 to JSON that is no object", async () => {
    for (const body of ["[]", "null", '"c1"', "1"])
      await refuses(sandbox(), 422, "The body must be a JSON object.", "POST", stop, body);
  });

  it("answers 413 to more than a mebibyte, and the client receives the answer", async () => {
    const body = { callId: "c1", more: "x".repeat(1024 * 1024) };
    await refuses(sandbox(), 413, "The body must not be larger than 1048576 bytes.", "POST", stop, body);
    assert.deepEqual(sandbox().state.calls.newest(), []);
    assert.match(String(sandbox().state.log.since(0)[0]?.body), /^\(\d+ bytes, not kept/);
  });

  it("sends no CORS header, whatever the Origin", async () => {
    const headers = { ...authentic, Origin: "https://example.com" };
    for (const path of [hours, "/sandbox/log", "/sandbox/calls", "/sandbox"]) {
      const answer = await visit(sandbox().url + path, { headers });
      assert.equal(answer.status, 200);
      assert.deepEqual(
        Object.keys(answer.headers).filter((name) => name.startsWith("access-control-")),
        [],
      );
    }
  });

  it("refuses requests with a foreign Host header", async () => {
    const port = sandbox().port;
    const foreign = [
      "example.com",
      `example.com:${port}`,
      "127.0.0.1",
      `127.0.0.1:${port + 1}`,
      `localhost.example.com:${port}`,
    ];
    for (const host of foreign) {
      for (const path of [hours, "/sandbox/log", "/sandbox"]) {
        const { status, json } = await visit(sandbox().url + path, { headers: { ...authentic, Host: host } });
        assert.equal(status, 421, `${host}${path}`);
        assert.equal(json["success"], false);
      }
    }
    for (const host of [`localhost:${port}`, `LOCALHOST:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      const { status } = await visit(sandbox().url + hours, { headers: { ...authentic, Host: host } });
      assert.equal(status, 200, host);
    }
  });
});

describe("sandbox: start and stop", () => {
  /** The requests that have begun at a server of this process. */
  const begun: unknown[] = [];
  const note = (event: unknown) => void begun.push(event);
  before(() => subscribe("http.server.request.start", note));
  beforeEach(() => begun.splice(0));
  after(() => unsubscribe("http.server.request.start", note));

  it("reads the token from the configured header", async () => {
    const sandbox = await Sandbox.start({ token, authHeader: "X-Access" });
    const right = await visit(sandbox.url + hours, { headers: { "x-access": `Bearer ${token}` } });
    const wrong = await visit(sandbox.url + hours, { headers: { Authentication: `Bearer ${token}` } });
    await sandbox.stop();
    assert.equal(right.status, 200);
    assert.equal(wrong.status, 401);
    assert.match(String(wrong.json["message"]), /^The header X-Access is missing\. /);
  });

  it("refuses a token that could not go into a header", async () => {
    for (const bad of ["", "with blank", "tàken", "line\nbreak", "x".repeat(4097)]) {
      await assert.rejects(Sandbox.start({ token: bad }), TypeError);
    }
  });

  it("rejects with Node's own error when the port is in use", async () => {
    const first = await Sandbox.start({ token });
    await assert.rejects(Sandbox.start({ token, port: first.port }), { code: "EADDRINUSE" });
    await first.stop();
  });

  it("carries calls, schedules and log over to a sandbox with another token", async () => {
    const first = await Sandbox.start({ token: "the-old-token" });
    const old = { Authentication: "Bearer the-old-token", "Content-Type": "application/json" };
    const days = [{ day: "mon", open: "08:00", close: "12:00" }];
    await visit(first.url + hours, { method: "POST", headers: old, body: { name: "Kept", days } });
    await visit(first.url + stop, { method: "POST", headers: old, body: { callId: "c1" } });
    await first.stop();

    const second = await Sandbox.start({ token, state: first.state });
    const read = await ask(second, "GET", `${hours}/3`);
    const refused = await visit(second.url + hours, { headers: old });
    const again = await ask(second, "POST", hours, { name: "Next", days });
    await second.stop();
    assert.equal((read.json["data"] as { name: string }).name, "Kept");
    assert.equal(refused.status, 401);
    assert.equal((again.json["data"] as { id: number }).id, 4);
    assert.deepEqual(
      second.state.calls.newest().map(({ callId, state }) => [callId, state]),
      [["c1", "ended"]],
    );
    assert.deepEqual(
      second.state.log.since(0).map(({ number, status }) => [number, status]),
      [
        [1, 200],
        [2, 200],
        [3, 200],
        [4, 401],
        [5, 200],
      ],
    );
  });

  it("stops with connections open and pending answers, and twice if need be", async () => {
    const sandbox = await Sandbox.start({ token });
    const idle = connect(sandbox.port, "127.0.0.1");
    await once(idle, "connect");
    await press(sandbox, "faults", { times: 1, delayMs: 600_000 });
    const late = assert.rejects(ask(sandbox, "GET", hours), { code: "ECONNRESET" });
    const half = connect(sandbox.port, "127.0.0.1");
    half.write(`POST ${stop} HTTP/1.1\r\nHost: 127.0.0.1:${sandbox.port}\r\nContent-Length: 99\r\n\r\n{`);
    await until(() => begun.length === 3, "all three requests have begun");
    idle.on("error", () => {});
    half.on("error", () => {});
    await Promise.all([once(idle, "close"), once(half, "close"), sandbox.stop(), sandbox.stop()]);
    await late;
    await assert.rejects(ask(sandbox, "GET", hours), { code: "ECONNREFUSED" });
  });

  it("survives a client that leaves in the middle of its request", async () => {
    const sandbox = await Sandbox.start({ token });
    const leaving = connect(sandbox.port, "127.0.0.1");
    leaving.write(`POST ${stop} HTTP/1.1\r\nHost: 127.0.0.1:${sandbox.port}\r\nContent-Length: 99\r\n\r\n{"callId`);
    await until(() => begun.length === 1, "the request has begun");
    leaving.destroy();
    const { json } = await ask(sandbox, "POST", stop, { callId: "c2" });
    await sandbox.stop();
    assert.deepEqual(json, ok(null));
    assert.deepEqual(
      sandbox.state.log.since(0).map(({ body }) => body),
      [{ callId: "c2" }],
    );
  });
});
