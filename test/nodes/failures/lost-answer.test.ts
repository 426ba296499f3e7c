import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { GOOD_PAYLOAD } from "../../interface/requests";
import { holdClock } from "../../support/clocks";
import { refusedPort } from "../../support/faults/unreachable";
import { ACCEPTED, failureOf, flowWith, load, play, withTenant } from "../../support/flow";

const closedPort = async () => `http://127.0.0.1:${await refusedPort()}`;

/** Failures without a place in the queue, or without a complete answer. */
describe("a call node whose request or answer is lost", () => {
  const held = withTenant();
  const payload = GOOD_PAYLOAD["call-out"];
  const proxies = ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];
  let environment: Record<string, string | undefined>;
  beforeEach(() => {
    environment = Object.fromEntries(proxies.map((name) => [name, process.env[name]]));
    for (const name of proxies) delete process.env[name];
  });
  afterEach(() => {
    for (const [name, value] of Object.entries(environment)) if (value !== undefined) process.env[name] = value;
    for (const name of proxies) if (environment[name] === undefined) delete process.env[name];
  });

  it("reaches a loopback tenant past whatever proxy the environment names", async () => {
    process.env["http_proxy"] = process.env["HTTP_PROXY"] = await closedPort();
    await load(flowWith(held.tenant.url, { type: "call-out" }));
    strictEqual((await play({ payload })).outs.length, 1);
  });

  const SILENCES: readonly [title: string, silence: (response: ServerResponse) => void, cause: object][] = [
    ["no answer at all", () => {}, { sent: "maybe", phase: "headers", httpStatus: undefined }],
    [
      "an answer that stops half-way",
      (response) => response.writeHead(200, { "content-length": 100 }).write('{"success":'),
      { sent: "yes", phase: "body", httpStatus: 200 },
    ],
  ];
  for (const [title, silence, expected] of SILENCES) {
    it(`but ${title} is ERR_TIMEOUT, and may have been placed`, async () => {
      held.tenant.answers(() => silence);
      await load(flowWith(held.tenant.url, { type: "call-out" }, { timeout: 1 }));
      const clock = holdClock();
      const failing = failureOf({ payload });
      while (held.tenant.received.length === 0) await sleep(5);
      clock.advance(1000);
      const { code, message, cause } = await failing;
      const { sent, phase, httpStatus, outcome, retryable } = cause;
      deepStrictEqual(
        { code, outcome, retryable, sent, phase, httpStatus },
        { code: "ERR_TIMEOUT", outcome: "unknown", retryable: false, ...expected },
      );
      match(message, /mayHaveBeen\.placed$/);
      strictEqual(held.tenant.received.length, 1);
    });
  }

  it("for a message beyond the backlog is ERR_BACKLOG_FULL, at once, and does not affect the others", async () => {
    let release: () => void = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    held.tenant.answers(async () => {
      await released;
      return { body: ACCEPTED };
    });
    await load(flowWith(held.tenant.url, { type: "call-out" }, { concurrency: "1", backlog: "1" }));
    const played = play(...["a", "b", "c"].map((_msgid) => ({ _msgid, payload })));
    release();
    const { outs, catches } = await played;
    deepStrictEqual(
      outs.map(({ _msgid }) => _msgid),
      ["a", "b"],
    );
    const [failed] = catches;
    const { waitedMs: _, elapsedMs: __, request, ...cause } = failed?.["error"].cause ?? {};
    deepStrictEqual([failed?._msgid, failed?.["error"].code], ["c", "ERR_BACKLOG_FULL"]);
    deepStrictEqual(cause, {
      action: "call-out",
      mode: "live",
      sent: "no",
      outcome: "not-applied",
      retryable: true,
      attempts: 0,
      phase: "queue",
    });
    strictEqual(request["to.number"], "u8");
    strictEqual(held.tenant.received.length, 2);
  });
});
