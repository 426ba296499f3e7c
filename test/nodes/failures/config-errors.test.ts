import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import type { NodeAPI } from "node-red";
import { parseAddress } from "../../../src/client";
import { proxyFor } from "../../../src/runtime/node-red/proxy";
import { GOOD_PAYLOAD } from "../../interface/requests";
import { errors, type Failure, fail, flowWith, load, shownSoFar, warnings, withTenant } from "../../support/stage";

function isConfigFailure(error: Failure, type: string, field: string): void {
  const { message, code, cause } = error;
  match(message, /^ERR_CONFIG: /);
  const { mode: _, ...rest } = cause;
  deepStrictEqual(rest, {
    action: type,
    sent: "no",
    outcome: "not-applied",
    retryable: false,
    attempts: 0,
    waitedMs: 0,
    elapsedMs: 0,
    phase: "config",
    field,
  });
  strictEqual(code, "ERR_CONFIG");
}

describe("a badly configured tenant", () => {
  const held = withTenant();

  /** A setting of each kind; the values that each may have are proven by test/unit/client/settings.test.ts. */
  const BAD: readonly [title: string, field: string, tenant: Record<string, unknown>, token?: string][] = [
    ["an unknown mode", "mode", { mode: "test" }],
    ["no token", "token", {}, ""],
    ["a hotline that is no number", "fromNumber", { fromNumber: "hot line" }],
    ["a TLS node that is none", "tls", { tls: "out" }],
    ["a proxy node that is none", "proxy", { url: "https://acme.example.com", proxy: "out" }],
  ];
  for (const [title, field, tenant, token] of BAD) {
    it(`with ${title} turns the node red, says so at deploy, and sends nothing`, async () => {
      const flow = flowWith(held.tenant.url, { type: "call-out" }, tenant);
      await load(flow, token === undefined ? {} : { t1: { token } });
      strictEqual(errors().filter((text) => /ERR_CONFIG|errors\.config\.|notDialable/.test(text)).length, 1);
      isConfigFailure(await fail({ payload: GOOD_PAYLOAD["call-out"] }), "call-out", field);
      strictEqual(held.tenant.received.length, 0);
    });
  }

  for (const type of Object.keys(GOOD_PAYLOAD)) {
    it(`is red on ${type}, and fails its messages`, async () => {
      await load(flowWith("ftp://acme.example.com", { type }));
      const [red] = shownSoFar();
      isConfigFailure(await fail({ payload: GOOD_PAYLOAD[type] }), type, "url");
      deepStrictEqual(red, { fill: "red", shape: "dot" });
    });
  }

  const MISSING: readonly [title: string, node: Record<string, unknown>][] = [
    ["no tenant", { tenant: "" }],
    ["a tenant that is gone", { tenant: "t2" }],
    ["another node for a tenant", { tenant: "out" }],
  ];
  for (const [title, node] of MISSING) {
    it(`${title} is red and fails its messages`, async () => {
      await load(flowWith(held.tenant.url, { type: "call-stop", ...node }));
      const [red] = shownSoFar();
      isConfigFailure(await fail({ payload: { callId: "c" } }), "call-stop", "tenant");
      deepStrictEqual(red, { fill: "red", shape: "dot" });
      strictEqual(warnings().filter((line) => line.includes("config.tenantMissing")).length, 1);
    });
  }

  it("stays red for every message", async () => {
    await load(flowWith("", { type: "call-stop" }));
    await fail({ payload: { callId: "c" } });
    await fail({ payload: 5 });
    deepStrictEqual(new Set(shownSoFar().map(({ fill }) => fill)), new Set(["red"]));
  });

  it("needs no proxy on loopback, whatever the environment names", () => {
    const before = process.env["http_proxy"];
    process.env["http_proxy"] = "http://127.0.0.1:1";
    try {
      strictEqual(proxyFor({} as NodeAPI, "", parseAddress("http://127.0.0.1:4010")), undefined);
    } finally {
      if (before === undefined) delete process.env["http_proxy"];
      else process.env["http_proxy"] = before;
    }
  });

  it("fails a transfer of a mode that there is not", async () => {
    await load(flowWith(held.tenant.url, { type: "call-transfer", mode: "warm" }));
    const [red] = shownSoFar();
    isConfigFailure(await fail({ payload: GOOD_PAYLOAD["call-transfer"] }), "call-transfer", "mode");
    deepStrictEqual(red, { fill: "red", shape: "dot" });
  });

  for (const onceKey of ["", "order-1"]) {
    it(`fails a once scope that there is not, with the key "${onceKey}"`, async () => {
      await load(flowWith(held.tenant.url, { type: "call-out", onceKey, onceKeyType: "str", onceScope: "flow" }));
      const [red] = shownSoFar();
      isConfigFailure(await fail({ payload: GOOD_PAYLOAD["call-out"] }), "call-out", "onceScope");
      deepStrictEqual(red, { fill: "red", shape: "dot" });
      strictEqual(held.tenant.received.length, 0);
    });
  }
});
