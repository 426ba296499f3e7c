import assert from "node:assert/strict";
import type { LookupFunction } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import type { ClientOptions, TenantClient } from "../src/tenant";
import { CONNECT_LIMIT_MS } from "../src/tenant/connect";
import { answer, head, success } from "./faults/answers.js";
import { faultNames } from "./faults/catalogue.js";
import { authority } from "./faults/certificates.js";
import type { Fault } from "./faults/fault.js";
import { FaultProxy, type ProxyMode } from "./faults/fault-proxy.js";
import { FaultServer } from "./faults/fault-server.js";
import { FaultServerProcess } from "./faults/fault-server-process.js";
import { FullBacklog } from "./faults/full-backlog.js";
import { failingLookup, refusedPort, unknownHost } from "./faults/unreachable.js";
import { block, callOut, clientFor, close, done, failureOf, read, told } from "./tenant-subject";

const tls = { ca: authority() };

describe("connections", () => {
  const clients: TenantClient[] = [];
  const others: { stop(): Promise<unknown> }[] = [];
  const besides = <T extends { stop(): Promise<unknown> }>(other: T): T => {
    others.push(other);
    return other;
  };
  const open = (url: string, options: Partial<ClientOptions> = {}) => {
    const client = clientFor(url, options);
    clients.push(client);
    return client;
  };
  let server: FaultServer;
  before(async () => {
    server = await FaultServer.start();
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map(close));
    await Promise.all(others.splice(0).map((other) => other.stop()));
    server.behave("good");
    server.ledger.clear();
  });
  after(() => server.stop());

  describe("row 1: refused", () => {
    it("is tried three times, and nothing has left", async () => {
      const end = await done(open(`http://127.0.0.1:${await refusedPort()}`), callOut("1"));
      assert.deepEqual(told(end), {
        code: "ERR_CONNECT",
        phase: "connect",
        sent: "no",
        outcome: "not-applied",
        retryable: true,
        attempts: 3,
        status: undefined,
      });
      assert.deepEqual(!end.ok && end.error.details, { host: "127.0.0.1", sys: "ECONNREFUSED" });
    });

    it("by each of several addresses reads like one refusal", async () => {
      const everywhere: LookupFunction = (_name, _options, found) =>
        setImmediate(() =>
          found(
            null,
            ["127.0.0.1", "127.0.0.2"].map((address) => ({ address, family: 4 })),
          ),
        );
      const error = await failureOf(
        open(`https://tenant.example.com:${await refusedPort()}`, { lookup: everywhere }),
        callOut("1"),
      );
      assert.deepEqual([error.code, error.details.sys], ["ERR_CONNECT", "ECONNREFUSED"]);
    });
  });

  describe("row 2: no such name", () => {
    const lookups: [string, LookupFunction | undefined][] = [
      ["EAI_AGAIN", failingLookup()],
      ["ENOTFOUND", failingLookup("ENOTFOUND")],
      ["TIMEOUT", () => {}],
    ];
    for (const [sys, lookup] of lookups) {
      it(`${sys}: names the host, never the token`, async () => {
        const client = open(`https://${unknownHost}`, { ...(lookup && { lookup }), limitMs: 150 });
        const error = await failureOf(client, callOut("1"));
        assert.deepEqual([error.code, error.phase, error.sent, error.retryable], ["ERR_DNS", "dns", "no", true]);
        assert.deepEqual(error.details, { host: unknownHost, sys });
        assert.ok(!inspect(error, { depth: 12 }).includes("canary"));
      });
    }

    it("the system's own resolver knows no .invalid", async () => {
      const error = await failureOf(open(`https://${unknownHost}`, { limitMs: 500 }), callOut("1"));
      assert.equal(error.code, "ERR_DNS");
    });
  });

  describe("row 3: a connect that never ends", () => {
    let backlog: FullBacklog;
    before(async () => {
      backlog = await FullBacklog.start();
    });
    after(() => backlog.stop());

    it("is given up after the limit, three times", async () => {
      const end = await done(open(backlog.url, { limitMs: 150 }), callOut("1"));
      const { code, phase, sent, attempts } = told(end);
      assert.deepEqual([code, phase, sent, attempts], ["ERR_CONNECT_TIMEOUT", "connect", "no", 3]);
    });

    it("is given up at the deadline when that comes first", async () => {
      const end = await done(open(backlog.url, { timeoutMs: 200 }), callOut("1"));
      const { code, sent, outcome, retryable, attempts } = told(end);
      assert.deepEqual(
        [code, sent, outcome, retryable, attempts],
        ["ERR_CONNECT_TIMEOUT", "no", "not-applied", true, 1],
      );
    });

    it("has a limit of three seconds", () => assert.equal(CONNECT_LIMIT_MS, 3000));
  });

  it("a request given up while it waited for its connection never leaves, and the next one does", async () => {
    const late: LookupFunction = (_name, _options, found) =>
      void setTimeout(() => found(null, [{ address: "127.0.0.1", family: 4 }]), 300);
    const client = open(`http://localhost:${server.port}`, { lookup: late, timeoutMs: 150, concurrency: 1 });
    const error = await failureOf(client, callOut("1"));
    assert.deepEqual([error.code, error.sent], ["ERR_CONNECT_TIMEOUT", "no"]);
    while (server.ledger.connections.length === 0) await sleep(10);
    await sleep(30);
    assert.equal(server.ledger.bytes, 0);
    assert.ok((await done(client, callOut("2"))).ok);
    assert.deepEqual([...server.ledger.arrivals()], [["2", 1]]);
  });

  describe("row 4: the proxy", () => {
    let secure: FaultServer;
    let proxy: FaultProxy;
    before(async () => {
      [secure, proxy] = await Promise.all([FaultServer.start({ tls: true }), FaultProxy.start()]);
    });
    afterEach(() => {
      proxy.connects.length = 0;
      secure.ledger.clear();
    });
    after(() => Promise.all([secure.stop(), proxy.stop()]));
    const through = (mode: ProxyMode, more: Partial<ClientOptions> = {}) => {
      proxy.mode = mode;
      return open(secure.url, { tls, proxy: { url: new URL(proxy.url) }, limitMs: 250, timeoutMs: 9000, ...more });
    };

    it("is asked for a tunnel, once for a connection, and sees nothing of the request", async () => {
      const client = through("tunnel", {
        concurrency: 1,
        proxy: { url: new URL(proxy.url), authorization: "Basic cHJveHk=" },
      });
      for (const number of ["1", "2"]) assert.ok((await done(client, callOut(number))).ok);
      const { headers, ...connect } = proxy.connects[0] ?? { headers: {} };
      assert.deepEqual([proxy.connects.length, "target" in connect && connect.target], [1, `127.0.0.1:${secure.port}`]);
      assert.equal(headers["proxy-authorization"], "Basic cHJveHk=");
      assert.ok(!inspect(headers).includes("canary"));
      assert.deepEqual(proxy.readable, []);
      assert.deepEqual(
        secure.ledger.connections.map(({ alpn }) => alpn),
        ["http/1.1"],
      );
    });

    const refusals: [ProxyMode, "proxy" | "tls", RegExp][] = [
      ["fin", "proxy", /ECONNRESET/],
      ["reset", "proxy", /ECONNRESET/],
      ["stall", "proxy", /^TIMEOUT$/],
      ["half-answer", "proxy", /^TIMEOUT$/],
      ["not-http", "proxy", /^HPE_/],
      ["refuse-407", "proxy", /^407$/],
      ["refuse-502", "proxy", /^502$/],
      ["tunnel-then-reset", "tls", /ECONNRESET/],
      ["tunnel-then-stall", "tls", /^TIMEOUT$/],
    ];
    for (const [mode, phase, sys] of refusals) {
      it(`${mode}: ${phase}, one CONNECT an attempt`, async () => {
        const end = await done(through(mode), callOut("1"));
        const { code, sent, outcome, attempts, ...said } = told(end);
        assert.deepEqual(
          [code, said.phase, sent, outcome, attempts],
          [phase === "tls" ? "ERR_TLS" : "ERR_CONNECT", phase, "no", "not-applied", 3],
        );
        assert.match((!end.ok && end.error.details.sys) || "", sys);
        assert.equal(proxy.connects.length, 3);
        assert.equal(secure.ledger.bytes, 0);
      });
    }

    it("that is not there is refused like a tenant", async () => {
      const url = new URL(`http://127.0.0.1:${await refusedPort()}`);
      const error = await failureOf(open(secure.url, { tls, proxy: { url } }), callOut("1"));
      assert.deepEqual([error.code, error.phase, error.details.sys], ["ERR_CONNECT", "proxy", "ECONNREFUSED"]);
    });

    it("any 2xx to a CONNECT is a tunnel", async () => {
      const { createServer, connect } = await import("node:net");
      const odd = createServer((socket) => {
        socket.once("data", () => {
          const upstream = connect(secure.port, "127.0.0.1", () => {
            socket.write("HTTP/1.1 204 Fine\r\n\r\n");
            socket.pipe(upstream).pipe(socket);
          });
          for (const end of [socket, upstream]) end.on("error", () => {});
        });
      }).listen(0, "127.0.0.1");
      await new Promise((resolve) => odd.once("listening", resolve));
      const { port } = odd.address() as { port: number };
      assert.ok(
        (await done(open(secure.url, { tls, proxy: { url: new URL(`http://127.0.0.1:${port}`) } }), callOut("1"))).ok,
      );
      odd.close();
    });
  });

  describe("row 6: connections that were good once", () => {
    it("idle for more than a second: not used again, whatever the service promised", async () => {
      server.behave("stale-reset-on-next");
      const client = open(server.url);
      for (const number of ["1", "2"]) {
        assert.deepEqual(told(await done(client, callOut(number))), {
          code: "ok",
          outcome: "applied",
          attempts: 1,
          status: 200,
        });
        await sleep(1200);
      }
      assert.equal(server.ledger.connections.length, 2);
    });

    it("closed while idle: the next request goes over a new one", async () => {
      server.behave("stale-closed-when-idle");
      const client = open(server.url);
      for (const number of ["1", "2", "3"]) {
        assert.equal(told(await done(client, callOut(number))).attempts, 1);
        await sleep(80);
      }
      assert.deepEqual(server.ledger.duplicates(), []);
    });

    it("closed while the event loop was blocked: noticed before anything is sent", async () => {
      const remote = besides(await FaultServerProcess.start());
      await remote.behave({ always: "stale-closed-when-idle" });
      const client = open(remote.url);
      for (const number of ["1", "2", "3"]) {
        assert.deepEqual(
          [number, told(await done(client, callOut(number)))],
          [number, { code: "ok", outcome: "applied", attempts: 1, status: 200 }],
        );
        block(1100);
      }
    });

    for (const name of ["stale-reset-on-next", "stale-fin-on-next"] as const) {
      it(`${name}: a call-out may have been placed, a read is repeated`, async () => {
        server.behave(name);
        const client = open(server.url, { concurrency: 1 });
        assert.ok((await done(client, callOut("1"))).ok);
        const { code, sent, outcome, attempts } = told(await done(client, callOut("2")));
        assert.deepEqual([code, sent, outcome, attempts], ["ERR_CONNECTION_LOST", "maybe", "unknown", 1]);
        assert.ok((await done(client, callOut("3"))).ok);
        assert.deepEqual(told(await done(client, read("4"))), {
          code: "ok",
          outcome: "applied",
          attempts: 2,
          status: 200,
        });
        assert.deepEqual(server.ledger.duplicates(), []);
      });
    }

    it("a restart under load: nothing twice, nothing lost, no false 'no'", async () => {
      const slow: Fault = {
        name: "slow",
        at: "request",
        act: async (wire) => {
          await wire.pause(5);
          await wire.send(answer(200, success));
        },
      };
      server.behave(slow);
      const client = open(server.url, { timeoutMs: 9000 });
      const ends = Array.from({ length: 300 }, (_, i) => done(client, callOut(`9${i}`)));
      for (let restarts = 0; restarts < 3; restarts += 1) {
        await sleep(30);
        await server.restart(40);
      }
      const all = await Promise.all(ends);
      const arrived = server.ledger.arrivals();
      for (const [i, end] of all.entries()) {
        const { code, sent } = told(end);
        if (code === "ok") assert.equal(arrived.get(`9${i}`), 1);
        else if (sent === "no") assert.equal(server.ledger.containing(`"9${i}"`).length, 0);
        else assert.equal(code, "ERR_CONNECTION_LOST");
      }
      assert.deepEqual(server.ledger.duplicates(), []);
      assert.ok(all.filter((end) => end.ok).length > 250);
    });
  });

  describe("row 7: interim answers", () => {
    const interim: Fault = {
      name: "interim",
      at: "request",
      async act(wire) {
        await wire.send(head(100));
        await wire.drip(head(103, { Link: "</style.css>" }), 1);
        await wire.send(Buffer.concat([Buffer.from(head(102)), answer(200, success)]));
      },
    };
    for (const secure of [false, true]) {
      it(`${secure ? "https" : "http"}: do no harm, and the connection stays good`, async () => {
        const polite = besides(await FaultServer.start({ tls: secure }));
        polite.behave(interim);
        const client = open(polite.url, { tls, concurrency: 1 });
        for (const number of ["1", "2", "3"]) {
          assert.deepEqual(told(await done(client, callOut(number))), {
            code: "ok",
            outcome: "applied",
            attempts: 1,
            status: 200,
          });
        }
        assert.equal(polite.ledger.connections.length, 1);
      });
    }

    it("101 is no answer to anything asked", async () => {
      server.behave({
        at: "request",
        act: (wire) => wire.send("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"),
      });
      const error = await failureOf(open(server.url), callOut("1"));
      assert.deepEqual([error.code, error.phase, error.sent], ["ERR_BAD_RESPONSE", "headers", "yes"]);
    });
  });

  for (const secure of [false, true])
    it(`row 14: whatever a redirect over ${secure ? "https" : "http"} says, the second server sees nothing`, async () => {
      const second = besides(await FaultServer.start());
      const first = besides(await FaultServer.start({ tls: secure, elsewhere: second.url }));
      const client = open(first.url, { tls });
      for (const name of faultNames({ rows: [14] })) {
        first.behave(name);
        for (const job of [callOut("1"), read("2")]) assert.equal((await failureOf(client, job)).code, "ERR_REDIRECT");
      }
      assert.equal(second.ledger.connections.length, 0);
      assert.ok(first.ledger.requests.every(({ path }) => path !== "/moved"));
    });

  describe("row 19: answers nobody asked for", () => {
    for (const name of ["extra-response", "extra-response-when-idle"] as const) {
      it(`${name}: the connection is not used again`, async () => {
        server.behave(name);
        const client = open(server.url, { concurrency: 1 });
        for (let i = 0; i < 5; i += 1) {
          const end = await done(client, callOut(`${i}`));
          assert.equal(end.ok && end.envelope?.["message"], "OK");
          if (name === "extra-response-when-idle") await sleep(60);
        }
        assert.deepEqual(
          server.ledger.connections.map(({ requests }) => requests.length),
          [1, 1, 1, 1, 1],
        );
      });
    }

    it("a hundred at once each get their own", async () => {
      server.behave({
        at: "request",
        act: (wire, { key }) => {
          const own = (message: string) => answer(200, JSON.stringify({ success: true, message, data: key }));
          return wire.send(Buffer.concat([own("OK"), own("unasked")]));
        },
      });
      const client = open(server.url);
      await Promise.all(
        Array.from({ length: 100 }, async (_, i) => {
          const end = await done(client, callOut(`${i}`));
          if (end.ok) assert.deepEqual([end.data, end.envelope?.["message"]], [`${i}`, "OK"]);
          else assert.notEqual(end.error.sent, "no");
        }),
      );
      assert.deepEqual(server.ledger.duplicates(), []);
    });

    it("a service that speaks first is no HTTP service, and is not connected to without end", async () => {
      server.behave({ at: "accept", act: (wire) => wire.send("SSH-2.0-OpenSSH_9.6\r\n") });
      const end = await done(open(server.url, { timeoutMs: 1500 }), callOut("1"));
      assert.ok(!end.ok);
      assert.ok(server.ledger.connections.length <= 3, `${server.ledger.connections.length} connections`);
    });
  });
});
