import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import dns from "node:dns";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { mock } from "node:test";
import { GOOD_PAYLOAD } from "../../interface/requests";
import { assertNoToken } from "../../support/canary";
import { FaultProxy, type ProxyMode } from "../../support/faults/fault-proxy";
import { FullBacklog } from "../../support/faults/full-backlog";
import { failingLookup, refusedPort } from "../../support/faults/unreachable";
import { helper } from "../../support/flow";
import { root } from "../../support/root";
import { shownFor } from "../../support/shown";
import { type Met, manyTenants } from "../tenants/many-tenants";

const PAYLOADS = {
  "call-out": GOOD_PAYLOAD["call-out"] ?? {},
  "call-stop": GOOD_PAYLOAD["call-stop"] ?? {},
  "business-hour-get": { id: "7" },
  "business-hour-delete": { id: "7" },
};

type Said = readonly [code: string, phase: string, sys: RegExp];

/** The ways of row 4 (docs/faults.md) in which a proxy refuses a tunnel. */
const PROXY: Readonly<Partial<Record<ProxyMode, Said>>> = {
  fin: ["ERR_CONNECT", "proxy", /ECONNRESET/],
  reset: ["ERR_CONNECT", "proxy", /ECONNRESET/],
  stall: ["ERR_CONNECT", "proxy", /^TIMEOUT$/],
  "half-answer": ["ERR_CONNECT", "proxy", /^TIMEOUT$/],
  "not-http": ["ERR_CONNECT", "proxy", /^HPE_/],
  "refuse-407": ["ERR_CONNECT", "proxy", /^407$/],
  "refuse-502": ["ERR_CONNECT", "proxy", /^502$/],
  "tunnel-then-reset": ["ERR_TLS", "tls", /ECONNRESET/],
  "tunnel-then-stall": ["ERR_TLS", "tls", /^TIMEOUT$/],
};

const DIRECT: Readonly<Record<string, Said>> = {
  "a port without a listener": ["ERR_CONNECT", "connect", /^ECONNREFUSED$/],
  "a name that there is not": ["ERR_DNS", "dns", /^ENOTFOUND$/],
  "a resolver that cannot be reached": ["ERR_DNS", "dns", /^EAI_AGAIN$/],
  "a connect that never ends": ["ERR_CONNECT_TIMEOUT", "connect", /^TIMEOUT$/],
};

const AWAY = "away.example.com";

describe("rows 1 to 4 of docs/faults.md, without a connection, met by nodes", () => {
  const proxies = new Map<string, FaultProxy>();
  let backlog: FullBacklog;
  let met: Map<string, Met>;

  before(() => helper.startServer());
  before(async () => {
    const { lookup } = dns;
    // The system's own resolver may take its time to know that there is no such name.
    const failing: Readonly<Record<string, unknown>> = {
      [AWAY]: failingLookup(),
      "tenant.invalid": failingLookup("ENOTFOUND"),
    };
    mock.method(dns, "lookup", ((name: string, ...rest: unknown[]) =>
      Reflect.apply((failing[name] ?? lookup) as typeof lookup, dns, [name, ...rest])) as typeof lookup);
    backlog = await FullBacklog.start();
    for (const mode of Object.keys(PROXY)) proxies.set(mode, await FaultProxy.start(mode as ProxyMode));
    const urls = [`http://127.0.0.1:${await refusedPort()}`, "https://tenant.invalid", `https://${AWAY}`, backlog.url];
    const direct = Object.keys(DIRECT).map((id, index) => ({ id, url: urls[index] }));
    const proxied = [...proxies.keys()].map((id) => ({
      id,
      url: "https://tenant.example.com",
      proxy: `proxy ${id}`,
    }));
    const proxyNodes = [...proxies].map(([id, { url }]) => ({
      id: `proxy ${id}`,
      type: "http proxy",
      url,
      noproxy: [],
    }));
    met = await manyTenants([...direct, ...proxied], PAYLOADS, proxyNodes);
  });
  after((done) => {
    helper.stopServer(done);
  });
  after(async () => {
    mock.restoreAll();
    await Promise.all([backlog, ...proxies.values()].map((other) => other?.stop()));
  });

  for (const [name, [code, phase, sys]] of Object.entries({ ...DIRECT, ...PROXY })) {
    it(`${name}: ${code}, tried three times, and nothing has left`, () => {
      for (const type of Object.keys(PAYLOADS)) {
        const { outs, catches, completions, status } = met.get(`${name} ${type}`) as Met;
        deepStrictEqual([outs.length, catches.length, completions.length], [0, 1, 0]);
        const { error, ...rest } = catches[0] ?? {};
        const { sent, outcome, retryable, attempts, host } = error.cause;
        deepStrictEqual(
          [error.code, error.cause.phase, sent, outcome, retryable, attempts],
          [code, phase, "no", "not-applied", true, 3],
          type,
        );
        match(error.cause.sys, sys);
        ok(["127.0.0.1", "tenant.invalid", AWAY, "tenant.example.com"].includes(host), host);
        deepStrictEqual(rest.payload, PAYLOADS[type as keyof typeof PAYLOADS]);
        deepStrictEqual(status, shownFor(type, error));
        strictEqual(status?.shape, "ring");
        assertNoToken(name, catches, status);
      }
    });
  }

  it("one CONNECT an attempt, and no request that a proxy could read", () => {
    for (const [mode, { connects, readable }] of proxies) {
      deepStrictEqual([connects.length, readable], [3 * Object.keys(PAYLOADS).length, []], mode);
      assertNoToken(
        mode,
        connects.map(({ headers }) => headers),
      );
    }
  });

  it("the words are those of docs/faults.md", () => {
    const file = join(root, "locales/en-US/telephony.json");
    const { status, errors } = JSON.parse(readFileSync(file, "utf8"));
    strictEqual(status.ERR_CONNECT, "cannot connect");
    strictEqual(status.ERR_AUTH, "check the token");
    strictEqual(status.mayHaveBeen.placed, "may have been placed");
    for (const key of ["certificate", "ERR_TLS"]) ok(!/switch|disable|turn off|ignore/i.test(errors[key]), errors[key]);
  });
});
