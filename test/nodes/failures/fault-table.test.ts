import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import dns from "node:dns";
import { join } from "node:path";
import { mock } from "node:test";
import type { NodeStatus } from "node-red";
import { REQUESTS } from "../../interface/requests";
import { assertNoToken } from "../../support/canary";
import { holdClock, letGo } from "../../support/clocks";
import { type FaultName, faults } from "../../support/faults/catalogue";
import { FaultServer } from "../../support/faults/fault-server";
import { FullBacklog } from "../../support/faults/full-backlog";
import { endings, type Kind, type Row, rowOf } from "../../support/faults/meanings";
import { failingLookup, refusedPort, unknownHost } from "../../support/faults/unreachable";
import { ACTIONS } from "../../support/node-types";
import { root } from "../../support/root";
import { type Failure, helper } from "../../support/stage";
import { until } from "../../support/until";
import { type Met, manyTenants } from "../tenants/many-tenants";

/** A message for each node, and how the node may repeat its request. */
const NODES = Object.fromEntries(
  ACTIONS.flatMap(({ type }) => {
    // None of business-hour-ensure: test/nodes/schedules/ensure.test.ts tries the loss of each of its requests.
    const request = REQUESTS.find(({ node, path }) => node["type"] === type && !path.includes("?"));
    if (!request) return [];
    const { method, path, payload, mayHaveBeen, isHarmless } = request;
    const kind: Kind = method !== "POST" ? method : isHarmless ? "S" : "N";
    return [[type, { kind, path: `${method} ${path}`, payload, mayHaveBeen }]];
  }),
);
const payloads = Object.fromEntries(Object.entries(NODES).map(([type, { payload }]) => [type, payload]));

/** The compiler copies no PEM files: read from the source tree. */
const CA = join(root, "test/support/faults/certs/ca.pem");
const TLS = { id: "tls", type: "tls-config", name: "", cert: "", key: "", ca: CA, verifyservercert: true };

/** One fault of the catalogue for each code; test/unit/client/faults/table.test.ts meets all of them. */
const FAULTS: readonly FaultName[] = [
  "status-503",
  "fin-after-request",
  "cut-length",
  "no-headers",
  "huge-length",
  "redirect-307-elsewhere",
  "status-401",
  "status-422",
  "status-429-absent",
  "certificate-expired",
  "token-in-data",
];
/** The one that lasts until the deadline. */
const STALL = "no-headers";
const unsent = (code: string, phase: string): Row => ({ ending: "unsent", code, phase, sent: "no" });
/** Rows 1 to 3: no connection. */
const UNREACHED: Readonly<Record<string, Row>> = {
  refused: unsent("ERR_CONNECT", "connect"),
  unknown: unsent("ERR_DNS", "dns"),
  stalled: unsent("ERR_CONNECT_TIMEOUT", "connect"),
};
/** Without a connection: a ring. */
const UNCONNECTED = ["ERR_DNS", "ERR_CONNECT", "ERR_CONNECT_TIMEOUT", "ERR_TLS"];
/** Seconds. */
const SHORT = 1;
const LONG = 600;

/**
 * Returns what a node of a live tenant shows after a message (docs/contract/status.md); texts are catalogue keys.
 * @param mayHaveBeen the word of a node that changes something
 */
function shownFor(mayHaveBeen: string | undefined, error: Failure | undefined): NodeStatus {
  if (!error) return { fill: "green", shape: "dot", text: mayHaveBeen ? "accepted" : "done" };
  const { code, cause } = error;
  if (cause["outcome"] === "unknown") return { fill: "yellow", shape: "dot", text: `mayHaveBeen.${mayHaveBeen}` };
  return { fill: "red", shape: UNCONNECTED.includes(code) ? "ring" : "dot", text: code };
}

describe("a fault for each code, met by every node", () => {
  const servers = new Map<string, FaultServer>();
  let elsewhere: FaultServer;
  let backlog: FullBacklog;
  let met: Map<string, Met>;

  before(() => helper.startServer());
  before(async () => {
    elsewhere = await FaultServer.start();
    for (const name of FAULTS) {
      const server = await FaultServer.start({ tls: faults[name].tls ?? false, elsewhere: elsewhere.url });
      server.behave(name);
      servers.set(name, server);
    }
    const tenant = (name: FaultName) => ({ id: name, url: servers.get(name)?.url });
    const clock = holdClock();
    // The deadline expires once each node's request has reached the point where it stalls.
    const strike = async () => {
      const struck = () => servers.get(STALL)?.ledger.requests.filter((request) => request.struck).length;
      await until(() => struck() === Object.keys(NODES).length);
      clock.advance(1000 * SHORT);
    };
    const [stalled] = await Promise.all([manyTenants([{ ...tenant(STALL), timeout: SHORT }], payloads), strike()]);
    letGo();
    // The system's own resolver may take its time to know that there is no such name.
    const { lookup } = dns;
    mock.method(dns, "lookup", ((name: string, ...rest: unknown[]) =>
      Reflect.apply((name === unknownHost ? failingLookup("ENOTFOUND") : lookup) as typeof lookup, dns, [
        name,
        ...rest,
      ])) as typeof lookup);
    backlog = await FullBacklog.start();
    const others = FAULTS.filter((name) => name !== STALL).map((name) => ({
      ...tenant(name),
      timeout: LONG,
      // A handshake takes processor time: on a busy machine, few are done within the limit of a connection.
      ...(faults[name].tls && { tls: "tls", concurrency: 1 }),
    }));
    const unreached = [
      { id: "refused", url: `http://127.0.0.1:${await refusedPort()}` },
      { id: "unknown", url: `https://${unknownHost}` },
      { id: "stalled", url: backlog.url },
    ];
    met = new Map([...stalled, ...(await manyTenants([...others, ...unreached], payloads, [TLS]))]);
  });
  after((done) => {
    helper.stopServer(done);
  });
  after(async () => {
    mock.restoreAll();
    await Promise.all([elsewhere, backlog, ...servers.values()].map((server) => server?.stop()));
  });

  const rows = new Map(FAULTS.map((name): [string, Row] => [name, rowOf(name)]).concat(Object.entries(UNREACHED)));
  for (const [name, { ending, ...said }] of rows) {
    it(`${name}: ${said.code}`, () => {
      for (const [type, { kind, path, payload, mayHaveBeen }] of Object.entries(NODES)) {
        const { outs, catches, completions, status } = met.get(`${name} ${type}`) as Met;
        const where = `${name} ${type}`;
        deepStrictEqual([outs.length + catches.length, completions.length], [1, outs.length], where);
        // A refusal that names a party field is followed by one nested request (docs/contract/tenant.md#request-style).
        const restyled = name === "status-422" && "to" in payload ? 1 : 0;
        const once = { ...said, ...endings[ending](kind) };
        const wanted = { ...once, attempts: once.attempts + restyled };
        const complete = servers.get(name)?.ledger.complete ?? [];
        const requests = complete.filter((request) => `${request.method} ${request.path}` === path);

        if (ending === "good") {
          const [out] = outs;
          deepStrictEqual([out?.["statusCode"], out?.["telephony"].attempts], [wanted.status, wanted.attempts], where);
          strictEqual(requests.length, 1, where);
        } else {
          const { error, telephony, ...rest } = catches[0] ?? {};
          const { sent, outcome, retryable, attempts, phase, httpStatus } = error?.cause ?? {};
          const got = { code: error?.code, sent, outcome, retryable, attempts, phase, status: httpStatus };
          deepStrictEqual(got, { ...got, ...wanted }, where);
          if (outcome === "unknown") match(error?.message, new RegExp(`errors\\.mayHaveBeen\\.${mayHaveBeen}$`), where);
          else doesNotMatch(error?.message, /errors\..*errors\./, where);
          deepStrictEqual(rest, { _msgid: where, payload }, `${where}: the message as it came in`);
          // docs/contract/messages.md#a-row-for-a-table: actions on calls only.
          const row = type.startsWith("call-") ? [outcome, error?.code] : [];
          deepStrictEqual([telephony?.row.outcome, telephony?.row.code].filter(Boolean), row, where);
          ok(requests.length <= attempts, `${where}: ${requests.length} requests of ${attempts} attempts`);
          if (name in UNREACHED || sent === "no") strictEqual(requests.length, 0, where);
          else if (faults[name as FaultName].at === "request") strictEqual(requests.length, attempts, where);
          if (kind === "N") ok(requests.length <= 1 + restyled, `${where}: ${requests.length} times`);
        }
        deepStrictEqual(status, shownFor(mayHaveBeen, catches[0]?.["error"]), where);
        assertNoToken(where, catches, status, name === "token-in-data" ? [] : outs);
      }
    });
  }

  it("no redirect brings anything to another server", () => strictEqual(elsewhere.ledger.connections.length, 0));
});
