import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { GOOD_PAYLOAD } from "../../interface/requests";
import {
  CREDENTIALS,
  type Failure,
  failureOf,
  flowWith,
  helper,
  load,
  statusesOf,
  withTenant,
} from "../../support/flow";

/** What was logged at a level, one text a line. */
function logged(level: "ERROR" | "WARN"): string[] {
  const log = helper.log() as unknown as { args: [{ level: number; msg: unknown }][]; ERROR: number; WARN: number };
  return log.args.flatMap(([entry]) => (entry.level === log[level] ? [String(entry.msg)] : []));
}

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

  const BAD: readonly [title: string, field: string, tenant: Record<string, unknown>, token?: string][] = [
    ["an unknown mode", "mode", { mode: "test" }],
    ["no address", "url", { url: "" }],
    ["an address over plain http", "url", { url: "http://acme.example.com" }],
    ["an address with an environment variable that is not set", "url", { url: "https://${TELEPHONY_NOT_SET}" }],
    ["no token", "token", {}, ""],
    ["a token that no header can carry", "token", {}, "se cret"],
    ["a token from an environment variable that is not set", "token", {}, "${TELEPHONY_NOT_SET}"],
    ["a header name that HTTP needs itself", "authHeader", { authHeader: "Content-Type" }],
    ["an unknown spelling of party fields", "partyFields", { partyFields: "flat" }],
    ["a hotline from an environment variable that is not set", "fromNumber", { fromNumber: "${TELEPHONY_NOT_SET}" }],
    ["a hotline name with an environment value inside", "fromAlias", { fromAlias: "Acme ${TELEPHONY_NOT_SET}" }],
    ["an unknown time zone", "timezone", { timezone: "Mars/Olympus" }],
    ["a timeout out of range", "timeout", { timeout: 0 }],
    ["a timeout from an environment variable that is not set", "timeout", { timeout: "${TELEPHONY_NOT_SET}" }],
    ["a hotline that is no number", "fromNumber", { fromNumber: "hot line" }],
    ["a concurrency out of range", "concurrency", { concurrency: "257" }],
    ["a rate out of range", "rate", { rate: -1 }],
    ["a backlog that is no number", "backlog", { backlog: "many" }],
    ["an unknown value of onTrouble", "onTrouble", { onTrouble: "retry" }],
    ["a port out of range", "sandboxPort", { sandboxPort: 65_536 }],
    ["a TLS node that is none", "tls", { tls: "out" }],
    ["a proxy node that is none", "proxy", { url: "https://acme.example.com", proxy: "out" }],
  ];
  for (const [title, field, tenant, token] of BAD) {
    it(`with ${title} turns the node red, says so at deploy, and sends nothing`, async () => {
      const flow = flowWith(held.tenant.url, { type: "call-out" }, tenant);
      await load(flow, token === undefined ? CREDENTIALS : { t1: { token } });
      strictEqual(logged("ERROR").filter((text) => /ERR_CONFIG|errors\.config\.|notDialable/.test(text)).length, 1);
      isConfigFailure(await failureOf({ payload: GOOD_PAYLOAD["call-out"] }), "call-out", field);
      strictEqual(held.tenant.received.length, 0);
    });
  }

  for (const type of Object.keys(GOOD_PAYLOAD)) {
    it(`is red on ${type}, and fails its messages`, async () => {
      await load(flowWith("ftp://acme.example.com", { type }));
      const [red] = statusesOf();
      isConfigFailure(await failureOf({ payload: GOOD_PAYLOAD[type] }), type, "url");
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
      const [red] = statusesOf();
      isConfigFailure(await failureOf({ payload: { callId: "c" } }), "call-stop", "tenant");
      deepStrictEqual(red, { fill: "red", shape: "dot" });
      strictEqual(logged("WARN").filter((line) => line.includes("config.tenantMissing")).length, 1);
    });
  }

  it("stays red for every message", async () => {
    await load(flowWith("", { type: "call-stop" }));
    await failureOf({ payload: { callId: "c" } });
    await failureOf({ payload: 5 });
    deepStrictEqual(new Set(statusesOf().map(({ fill }) => fill)), new Set(["red"]));
  });

  it("fails a transfer of a mode that there is not", async () => {
    await load(flowWith(held.tenant.url, { type: "call-transfer", mode: "warm" }));
    const [red] = statusesOf();
    isConfigFailure(await failureOf({ payload: GOOD_PAYLOAD["call-transfer"] }), "call-transfer", "mode");
    deepStrictEqual(red, { fill: "red", shape: "dot" });
  });

  for (const onceKey of ["", "order-1"]) {
    it(`fails a once scope that there is not, with the key "${onceKey}"`, async () => {
      await load(flowWith(held.tenant.url, { type: "call-out", onceKey, onceKeyType: "str", onceScope: "flow" }));
      const [red] = statusesOf();
      isConfigFailure(await failureOf({ payload: GOOD_PAYLOAD["call-out"] }), "call-out", "onceScope");
      deepStrictEqual(red, { fill: "red", shape: "dot" });
      strictEqual(held.tenant.received.length, 0);
    });
  }
});
