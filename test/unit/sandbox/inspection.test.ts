import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { Script } from "node:vm";
import { sandboxPage, sandboxPageHeaders } from "../../../src/sandbox/inspect/page";
import type { LoggedRequest } from "../../../src/sandbox/inspect/request-log";
import { ask, no, ok, press, sandboxForEach, token, visit } from "./visit";

const hours = "/api/v1/setting/business-hour";
const stop = "/api/v1/call/stop-a-call";

describe("sandbox: inspection", () => {
  const sandbox = sandboxForEach();

  it("logs every request and its answer, without a token", async () => {
    await ask(sandbox(), "GET", `${hours}?search=off&limit=5`);
    await ask(sandbox(), "POST", stop, { callId: "c1" });
    await ask(sandbox(), "POST", stop, "{no json");
    await visit(sandbox().url + hours, { headers: { Authorization: "Bearer other-secret", Cookie: "other-secret" } });
    const { status, text } = await visit(`${sandbox().url}/sandbox/log`);
    assert.equal(status, 200);
    const log = JSON.parse(text) as LoggedRequest[];
    const note = "(8 bytes, not kept: the request was refused)";
    assert.deepEqual(
      log.map(({ at: _at, durationMs: _duration, message: _message, ...rest }) => rest),
      [
        { number: 1, method: "GET", path: hours, query: { search: "off", limit: "5" }, body: null, status: 200 },
        { number: 2, method: "POST", path: stop, query: {}, body: { callId: "c1" }, status: 200 },
        { number: 3, method: "POST", path: stop, query: {}, body: note, status: 422 },
        { number: 4, method: "GET", path: hours, query: {}, body: null, status: 401 },
      ],
    );
    assert.equal(log[0]?.message, "OK");
    assert.match(log[0]?.at ?? "", /^\d{4}-\d\d-\d\dT.*Z$/);
    assert.ok((log[0]?.durationMs ?? -1) >= 0);
    assert.ok(!text.includes(token));
    assert.ok(!text.includes("other-secret"));
    assert.deepEqual(sandbox().state.log.since(0), log);
  });

  it("keeps the last 500 requests, newest last", async () => {
    for (let i = 1; i <= 503; i++) await ask(sandbox(), "GET", `${hours}/${i}`);
    const log = sandbox().state.log.since(0);
    assert.equal(log.length, 500);
    assert.deepEqual(
      log.map(({ path }) => path),
      Array.from({ length: 500 }, (_, index) => `${hours}/${index + 4}`),
    );
    assert.equal(log[499]?.number, 503);
    const { text } = await visit(`${sandbox().url}/sandbox/log?limit=2`);
    assert.deepEqual(
      (JSON.parse(text) as LoggedRequest[]).map(({ number }) => number),
      [502, 503],
    );
  });

  it("shows the calls without a token", async () => {
    await ask(sandbox(), "POST", stop, { callId: "c1" });
    await ask(sandbox(), "POST", stop, { callId: "c2" });
    const { status, text } = await visit(`${sandbox().url}/sandbox/calls`);
    assert.equal(status, 200);
    assert.deepEqual(JSON.parse(text), sandbox().state.calls.newest());
    const { text: newest } = await visit(`${sandbox().url}/sandbox/calls?limit=1`);
    assert.deepEqual(JSON.parse(newest), [sandbox().state.calls.newest()[1]]);
  });

  it("serves a page whose policy allows only its own script and style", async () => {
    const { status, headers, text } = await visit(`${sandbox().url}/sandbox`);
    assert.equal(status, 200);
    assert.equal(text, sandboxPage);
    for (const [name, value] of Object.entries(sandboxPageHeaders)) assert.equal(headers[name], value);
    const policy = String(headers["content-security-policy"]);
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe/);
    for (const tag of ["script", "style"]) {
      const inline = new RegExp(`<${tag}>([\\s\\S]*)</${tag}>`).exec(text)?.[1] ?? "";
      const digest = createHash("sha256").update(inline).digest("base64");
      assert.ok(inline.length > 100);
      assert.ok(policy.includes(`${tag}-src 'sha256-${digest}'`), tag);
    }
    for (const directive of ["require-trusted-types-for 'script'", "trusted-types lit-html"])
      assert.ok(policy.split("; ").includes(directive), policy);
    assert.doesNotMatch(text, /https?:|insertAdjacentHTML|document\.write|unsafe/i);
    assert.doesNotThrow(() => new Script(/<script>([\s\S]*)<\/script>/.exec(text)?.[1] ?? "}"));
  });

  it("knows its own paths and methods", async () => {
    assert.equal((await visit(`${sandbox().url}/sandbox/else`)).status, 404);
    const { status, headers } = await visit(`${sandbox().url}/sandbox/log`, { method: "DELETE" });
    assert.equal(status, 405);
    assert.equal(headers.allow, "GET");
    assert.deepEqual(sandbox().state.log.since(0), []);
  });
});

describe("sandbox: fault injection", () => {
  const sandbox = sandboxForEach();

  const injectFaults = (body: unknown) => press(sandbox(), "faults", body);

  async function statuses(count: number, method: string, path: string, body?: unknown): Promise<number[]> {
    const seen: number[] = [];
    for (let i = 0; i < count; i++) seen.push((await ask(sandbox(), method, path, body)).status);
    return seen;
  }

  it("makes the next requests fail, and does not carry them out", async () => {
    const { status, json } = await injectFaults({ status: 429, times: 2, retryAfter: 7, delayMs: 1 });
    assert.equal(status, 200);
    assert.deepEqual(json, ok(null));
    const first = await ask(sandbox(), "POST", stop, { callId: "c1" });
    assert.equal(first.status, 429);
    assert.equal(first.headers["retry-after"], "7");
    assert.deepEqual(first.json, no(429, "The sandbox was asked to answer 429."));
    assert.deepEqual(await statuses(2, "POST", stop, { callId: "c1" }), [429, 200]);
    assert.equal(sandbox().state.calls.newest()[0]?.events.length, 1);
    assert.deepEqual(
      sandbox()
        .state.log.since(0)
        .map(({ status, body }) => [status, body]),
      [
        [429, { callId: "c1" }],
        [429, { callId: "c1" }],
        [200, { callId: "c1" }],
      ],
    );
  });

  it("can be limited to one path", async () => {
    await injectFaults({ status: 500, times: 1, path: hours });
    assert.deepEqual(await statuses(1, "POST", stop, { callId: "c1" }), [200]);
    assert.deepEqual(await statuses(1, "GET", `${hours}/1`), [200]);
    assert.deepEqual(await statuses(2, "GET", hours), [500, 200]);
  });

  it("ends with times 0, and a new plan replaces the one before", async () => {
    await injectFaults({ status: 500, times: 9 });
    await injectFaults({ times: 2 });
    assert.deepEqual(await statuses(1, "GET", hours), [503]);
    await injectFaults({ times: 0 });
    assert.deepEqual(await statuses(1, "GET", hours), [200]);
  });

  it("can answer 200 with success false", async () => {
    await injectFaults({ status: 200, times: 1 });
    const { status, json } = await ask(sandbox(), "GET", hours);
    assert.equal(status, 200);
    assert.equal(json["success"], false);
  });

  it("comes before the check of the token", async () => {
    await injectFaults({ status: 502, times: 1 });
    assert.equal((await visit(sandbox().url + hours)).status, 502);
  });

  const nonsense: [plan: object, message: RegExp][] = [
    [{}, /^The times field is required\.$/],
    [{ times: -1 }, /^The times field must be a whole number from 0 to 1000000\.$/],
    [{ times: "2" }, /^The times field must be/],
    [{ times: 1, status: 199 }, /^The status field must be a whole number from 200 to 599\.$/],
    [{ times: 1, status: 204 }, /^The status field must be a status that has a body\.$/],
    [{ times: 1, path: 1 }, /^The path field must be a string\.$/],
    [{ times: 1, retryAfter: "1\r\nX-Evil: 1" }, /^The retryAfter field must be seconds or an HTTP date\.$/],
    [{ times: 1, retryAfter: -1 }, /^The retryAfter field must be/],
    [{ times: 1, delayMs: 1e9 }, /^The delayMs field must be/],
  ];
  for (const [plan, message] of nonsense) {
    it(`refuses ${JSON.stringify(plan)}`, async () => {
      const { status, json } = await injectFaults(plan);
      assert.equal(status, 422);
      assert.match(String(json["message"]), message);
      assert.deepEqual(await statuses(1, "GET", hours), [200]);
    });
  }
});
