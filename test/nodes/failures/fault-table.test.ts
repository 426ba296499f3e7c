import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { GOOD_PAYLOAD } from "../../interface/requests";
import { assertNoToken } from "../../support/canary";
import { holdClock, letGo } from "../../support/clocks";
import { type FaultName, faultNames, faults } from "../../support/faults/catalogue";
import { FaultServer } from "../../support/faults/fault-server";
import { AMBIGUOUS, endings, isPlausible, type Kind, rowOf } from "../../support/faults/meanings";
import { helper } from "../../support/flow";
import { ACTIONS, completed } from "../../support/node-types";
import { root } from "../../support/root";
import { shownFor } from "../../support/shown";
import { type Met, manyTenants } from "../tenants/many-tenants";

const ID = { id: "7" };
/** business-hour-ensure sends several requests, whose loss test/nodes/schedules/ensure.test.ts tries one by one. */
const TYPES = ACTIONS.map(({ type }) => type).filter((type) => type !== "business-hour-ensure");
/** How a node may repeat, and a message that it takes. */
type Row = { readonly kind: Kind; readonly payload: object; readonly path: string };
const NODES = completed<Readonly<Record<string, Row>>>("the nodes that meet every fault", TYPES, {
  "call-out": { kind: "N", payload: GOOD_PAYLOAD["call-out"] ?? {}, path: "POST /api/v1/call/call-out" },
  "call-transfer": { kind: "N", payload: GOOD_PAYLOAD["call-transfer"] ?? {}, path: "POST /api/v1/call/transfer" },
  "call-add-user": { kind: "N", payload: GOOD_PAYLOAD["call-add-user"] ?? {}, path: "POST /api/v1/call/add-user" },
  "business-hour-create": {
    kind: "N",
    payload: { name: "Office", days: [{ day: "mon", open: "08:00", close: "17:00" }] },
    path: "POST /api/v1/setting/business-hour",
  },
  "call-stop": { kind: "S", payload: GOOD_PAYLOAD["call-stop"] ?? {}, path: "POST /api/v1/call/stop-a-call" },
  "business-hour-list": { kind: "GET", payload: {}, path: "GET /api/v1/setting/business-hour" },
  "business-hour-get": { kind: "GET", payload: ID, path: "GET /api/v1/setting/business-hour/7" },
  "business-hour-delete": { kind: "DELETE", payload: ID, path: "DELETE /api/v1/setting/business-hour/7" },
});
const payloads = Object.fromEntries(Object.entries(NODES).map(([type, { payload }]) => [type, payload]));

/** The advice after an unknown outcome. A DELETE and a stop may be sent again (docs/contract/messages.md#retries). */
const UNKNOWN_ADVICE: Readonly<Record<string, string>> = {
  "call-out": "mayHaveBeen.placed",
  "call-transfer": "mayHaveBeen.transferred",
  "call-add-user": "mayHaveBeen.added",
  "business-hour-create": "mayHaveBeen.created",
  "call-stop": "mayHaveBeen.stopped",
  "business-hour-delete": "mayHaveBeen.deleted",
};

/** The compiler copies no PEM files: read from the source tree. */
const CA = join(root, "test/support/faults/certs/ca.pem");
const TLS = { id: "tls", type: "tls-config", name: "", cert: "", key: "", ca: CA, verifyservercert: true };

/** Faults that last until the deadline. No other fault may reach it. */
const STALLS = faultNames({ holds: true, tls: false });
/** Seconds. */
const SHORT = 1;
const LONG = 600;

describe("every fault of the catalogue, met by every node", () => {
  const servers = new Map<FaultName, FaultServer>();
  let elsewhere: FaultServer;
  let met: Map<string, Met>;

  before(() => helper.startServer());
  before(async () => {
    elsewhere = await FaultServer.start();
    for (const name of faultNames()) {
      const server = await FaultServer.start({ tls: faults[name].tls ?? false, elsewhere: elsewhere.url });
      server.behave(name);
      servers.set(name, server);
    }
    const tenant = (name: FaultName) => ({ id: name, url: servers.get(name)?.url });
    const clock = holdClock();
    // The deadline expires once each of them has reached the point where it stalls.
    const strike = async () => {
      const struck = (name: FaultName) => servers.get(name)?.ledger.requests.filter((request) => request.struck).length;
      while (!STALLS.every((name) => struck(name) === Object.keys(NODES).length)) await sleep(5);
      clock.advance(1000 * SHORT);
    };
    const stalling = STALLS.map((name) => ({ ...tenant(name), timeout: SHORT }));
    const [stalled] = await Promise.all([manyTenants(stalling, payloads), strike()]);
    letGo();
    // A handshake takes processor time: on a busy machine, few are done within the limit of a connection.
    const secure = { tls: "tls", concurrency: 1 };
    const others = faultNames()
      .filter((name) => !STALLS.includes(name))
      .map((name) => ({ ...tenant(name), timeout: LONG, ...(faults[name].tls && secure) }));
    met = new Map([...stalled, ...(await manyTenants(others, payloads, [TLS]))]);
  });
  after((done) => {
    helper.stopServer(done);
  });
  after(() => Promise.all([elsewhere, ...servers.values()].map((server) => server?.stop())));

  for (const name of faultNames()) {
    it(name, () => {
      const { ending, ...said } = rowOf(name);
      const { ledger } = servers.get(name) as FaultServer;
      for (const [type, { kind, path, payload }] of Object.entries(NODES)) {
        const { outs, catches, completions, status } = met.get(`${name} ${type}`) as Met;
        const where = `${name} ${type}`;
        deepStrictEqual([outs.length + catches.length, completions.length], [1, outs.length], where);
        // A refusal that names a party field is followed by one nested request (docs/contract/tenant.md#request-style).
        const restyled = name === "status-422" && "to" in payload ? 1 : 0;
        const once = { ...said, ...endings[ending](kind) };
        const wanted = { ...once, attempts: once.attempts + restyled };
        const requests = ledger.complete.filter((request) => `${request.method} ${request.path}` === path);

        if (ending === "good") {
          const [out] = outs;
          deepStrictEqual([out?.["statusCode"], out?.["telephony"].attempts], [wanted.status, wanted.attempts], where);
          strictEqual(requests.length, 1, where);
        } else {
          const { error, ...rest } = catches[0] ?? {};
          const { sent, outcome, retryable, attempts, phase, httpStatus } = error?.cause ?? {};
          const got = { code: error?.code, sent, outcome, retryable, attempts, phase, status: httpStatus };
          if (AMBIGUOUS.includes(name)) ok(isPlausible(got, kind), `${where}: ${JSON.stringify(got)}`);
          else deepStrictEqual(got, { ...got, ...wanted }, where);
          if (outcome === "unknown") match(error?.message, new RegExp(`errors\\.${UNKNOWN_ADVICE[type]}$`), where);
          else doesNotMatch(error?.message, /errors\..*errors\./, where);
          deepStrictEqual(rest, { _msgid: where, payload }, `${where}: the message as it came in`);
          ok(requests.length <= attempts, `${where}: ${requests.length} requests of ${attempts} attempts`);
          if (faults[name].at === "request") strictEqual(requests.length, attempts, where);
          if (sent === "no") strictEqual(requests.length, 0, where);
          if (kind === "N") ok(requests.length <= 1 + restyled, `${where}: ${requests.length} times`);
        }
        deepStrictEqual(status, shownFor(type, catches[0]?.["error"]), where);
        assertNoToken(where, catches, status, name === "token-in-data" ? [] : outs);
      }
    });
  }

  it("no redirect brings anything to another server", () => strictEqual(elsewhere.ledger.connections.length, 0));
});
