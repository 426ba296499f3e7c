import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { createGunzip } from "node:zlib";
import { success } from "./faults/answers.js";
import { type FaultName, faultNames, faults } from "./faults/catalogue.js";
import { authority } from "./faults/certificates.js";
import { type Expected, expected } from "./faults/expected.js";
import { FaultProxy, type ProxyMode } from "./faults/fault-proxy.js";
import { FaultServer } from "./faults/fault-server.js";
import { FaultServerProcess } from "./faults/fault-server-process.js";
import { FullBacklog } from "./faults/full-backlog.js";
import { mix } from "./faults/mix.js";
import { forEachCall, inTurn } from "./faults/plan.js";
import { callOut, RawClient } from "./faults/raw-client.js";
import { failingLookup, refusedPort } from "./faults/unreachable.js";

const trusted = { ca: authority() };

/** Whether a promise is still open after long enough for a wrong server to have settled it. */
const isPending = async (promise: Promise<unknown>): Promise<boolean> =>
  (await Promise.race([promise, sleep(40, "pending")])) === "pending";

const failureOf = async (promise: Promise<unknown>): Promise<string | undefined> =>
  promise.then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error.code,
  );

describe("the fault server", () => {
  let server: FaultServer;
  const clients: RawClient[] = [];

  const open = async (...args: Parameters<typeof RawClient.open>): Promise<RawClient> => {
    const client = await RawClient.open(...args);
    clients.push(client);
    return client;
  };
  /** Sends one call-out to a server that does one thing. */
  const meet = async (name: FaultName, number = "1"): Promise<RawClient> => {
    server.behave(name);
    const client = RawClient.dial(server.port);
    clients.push(client);
    await client.send(callOut(number));
    return client;
  };

  before(async () => {
    server = await FaultServer.start({ elsewhere: "http://127.0.0.2:9" });
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.close();
    server.behave("good");
    server.ledger.clear();
  });
  after(() => server.stop());

  it("has faults for every row a server can inject", () => {
    assert.deepEqual(
      [...new Set(Object.values(faults).map(({ row }) => row))].sort((a, b) => a - b),
      Array.from({ length: 16 }, (_, i) => i + 4),
    );
  });

  describe("the ledger", () => {
    it("counts a request that comes a byte at a time", async () => {
      const client = await open(server.port);
      const bytes = callOut("1");
      for (const byte of bytes) await client.send(byte);
      assert.equal((await client.answer()).body.toString(), success);
      const [connection] = server.ledger.connections;
      assert.equal(connection?.bytes, bytes.length);
      assert.equal(connection?.wireBytes, bytes.length);
      const [request] = server.ledger.requests;
      assert.equal(request?.bytes, bytes.length);
      assert.ok(request.complete && request.completeAt && request.completeAt >= request.firstByteAt);
      assert.deepEqual(
        [request.method, request.path, request.headers["authentication"], request.fault, request.key],
        ["POST", "/api/v1/call/call-out", "Bearer canary", "good", "1"],
      );
    });

    it("tells two requests in one packet apart, counted and chunked", async () => {
      const client = await open(server.port);
      const body = '{"callId":"a b","to":{"number":"7"}}';
      const chunked = `POST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;note=x\r\n${body.slice(0, 3)}\r\n${(body.length - 3).toString(16)}\r\n${body.slice(3)}\r\n0\r\nTrailer: y\r\n\r\n`;
      await client.send(callOut("1") + chunked + callOut("2"));
      for (let i = 0; i < 3; i++) assert.equal((await client.answer()).status, 200);
      assert.deepEqual(
        server.ledger.requests.map(({ key, bytes }) => [key, bytes]),
        [
          ["1", callOut("1").length],
          ["a b", chunked.length],
          ["2", callOut("2").length],
        ],
      );
      assert.equal(server.ledger.find("a b")[0]?.body, body);
    });

    it("keeps what came of a request that was cut", async () => {
      const client = await open(server.port);
      await client.send(callOut("12345").slice(0, -30));
      client.close();
      while (server.open > 0) await sleep(5);
      const [request] = server.ledger.requests;
      assert.equal(request?.complete, false);
      assert.equal(request.bytes, callOut("12345").length - 30);
      assert.equal(server.ledger.containing('"to.number":"12345"').length, 1);
      assert.deepEqual([server.ledger.complete, server.ledger.arrivals()], [[], new Map()]);
    });

    it("says what is no HTTP request, and counts it", async () => {
      const client = await open(server.port);
      await client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
      while (server.ledger.bytes < 24) await sleep(5);
      assert.equal(server.ledger.requests[0]?.malformed, "request line");
      assert.equal(client.text, "");
    });

    it("counts how often each call arrived whole", async () => {
      for (const number of ["1", "2", "1", "3"]) await (await meet("status-503", number)).answer();
      assert.deepEqual(Object.fromEntries(server.ledger.arrivals()), { 1: 2, 2: 1, 3: 1 });
      assert.deepEqual(server.ledger.duplicates(), ["1"]);
      assert.deepEqual(server.ledger.tally(), { "status-503": 4 });
    });
  });

  describe("rows 1 to 3: no connection", () => {
    it("refuses where nobody listens", async () => {
      assert.equal(await failureOf(RawClient.open(await refusedPort())), "ECONNREFUSED");
    });

    it("fails a lookup as the system does", async () => {
      const socket = connect({ host: "tenant.example.com", port: 80, lookup: failingLookup() });
      const [error] = (await once(socket, "error").catch((thrown) => [thrown])) as [NodeJS.ErrnoException];
      assert.deepEqual([error.code, error.syscall], ["EAI_AGAIN", "getaddrinfo"]);
    });

    it("leaves a connect open for ever when the backlog is full", async () => {
      const backlog = await FullBacklog.start();
      const sockets = Array.from({ length: 3 }, () => connect(backlog.port, "127.0.0.1"));
      const settled = Promise.race(sockets.map((socket) => once(socket, "connect")));
      assert.ok(await isPending(settled.then(String, String)));
      for (const socket of sockets) socket.destroy();
      await backlog.stop();
    });
  });

  describe("row 4: TLS", () => {
    let secure: FaultServer;
    before(async () => {
      secure = await FaultServer.start({ tls: true });
    });
    afterEach(() => secure.ledger.clear());
    after(() => secure.stop());

    it("serves a trusted certificate, and counts what was decrypted apart from the wire", async () => {
      secure.behave("good");
      const client = await open(secure.port, { ...trusted, ALPNProtocols: ["http/1.1"] });
      await client.send(callOut("1"));
      assert.equal((await client.answer()).body.toString(), success);
      const [connection] = secure.ledger.connections;
      assert.equal(connection?.bytes, callOut("1").length);
      assert.ok(connection.wireBytes > connection.bytes);
      assert.equal(connection.alpn, "http/1.1");
    });

    const handshakes: [FaultName, string][] = [
      ["certificate-self-signed", "DEPTH_ZERO_SELF_SIGNED_CERT"],
      ["certificate-expired", "CERT_HAS_EXPIRED"],
      ["certificate-wrong-name", "ERR_TLS_CERT_ALTNAME_INVALID"],
      ["plaintext-port", "ERR_SSL_WRONG_VERSION_NUMBER"],
      ["handshake-reset", "ECONNRESET"],
      ["handshake-fin", "ECONNRESET"],
    ];
    for (const [name, code] of handshakes) {
      it(`${name}: ${code}`, async () => {
        secure.behave(name);
        assert.equal(await failureOf(open(secure.port, trusted)), code);
        while (secure.open > 0) await sleep(5);
        assert.deepEqual(secure.ledger.tally(), { [name]: 1 });
        assert.ok((secure.ledger.connections[0]?.wireBytes ?? 0) > 0);
        assert.equal(secure.ledger.bytes, 0);
      });
    }

    it("handshake-stall: the hello is read and nothing comes back", async () => {
      secure.behave("handshake-stall");
      const socket = connectTls({ ...trusted, host: "127.0.0.1", port: secure.port });
      while (!secure.ledger.connections[0]?.wireBytes) await sleep(5);
      assert.ok(await isPending(once(socket, "secureConnect")));
      assert.equal(socket.bytesRead, 0);
      socket.destroy();
    });

    it("resets an exchange inside TLS", async () => {
      secure.behave("reset-after-request");
      const client = await open(secure.port, trusted);
      await client.send(callOut("1"));
      assert.equal(await client.end, "reset");
      assert.equal(secure.ledger.find("1").length, 1);
    });
  });

  describe("row 4: the proxy", () => {
    const connectLine = (port: number) => `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
    let proxy: FaultProxy;
    before(async () => {
      proxy = await FaultProxy.start();
    });
    after(() => proxy.stop());
    const through = async (mode: ProxyMode, port = server.port): Promise<RawClient> => {
      proxy.mode = mode;
      proxy.connects.length = 0;
      const client = await open(Number(new URL(proxy.url).port));
      await client.send(connectLine(port));
      while (proxy.connects.length === 0) await sleep(5);
      return client;
    };

    it("carries a request through, and sees nothing of it but its bytes", async () => {
      const client = await through("tunnel");
      await client.answer();
      await client.send(callOut("1"));
      assert.equal((await client.answer()).body.toString(), success);
      const [connection] = proxy.connects;
      assert.deepEqual([connection?.target, connection?.bytes], [`127.0.0.1:${server.port}`, callOut("1").length]);
      assert.equal(server.ledger.bytes, callOut("1").length);
    });

    const ends: [ProxyMode, "fin" | "reset", string][] = [
      ["fin", "fin", ""],
      ["reset", "reset", ""],
      ["not-http", "fin", "SSH-"],
      ["refuse-407", "fin", "HTTP/1.1 407 "],
      ["refuse-502", "fin", "HTTP/1.1 502 "],
    ];
    for (const [mode, end, start] of ends) {
      it(`${mode}: ends by ${end} after "${start}", and counts one CONNECT`, async () => {
        const client = await through(mode);
        assert.equal(await client.end, end);
        assert.ok(client.text.startsWith(start) && (start !== "" || client.text === ""));
        assert.equal(proxy.connects.length, 1);
      });
    }

    it("stall, half-answer: never a tunnel", async () => {
      const stalled = await through("stall");
      const cut = await through("half-answer");
      await cut.until(({ text }) => text === "HTTP/1.1 200 Conn");
      assert.ok(await isPending(Promise.race([stalled.end, cut.end])));
      assert.equal(stalled.text, "");
    });

    it("tunnel-then-reset, tunnel-then-stall: a tunnel that leads nowhere", async () => {
      const [reset, stall] = [await through("tunnel-then-reset"), await through("tunnel-then-stall")];
      for (const client of [reset, stall]) {
        assert.equal((await client.answer()).status, 200);
        await client.send("hello");
      }
      assert.equal(await reset.end, "reset");
      assert.ok(await isPending(stall.end));
    });

    it("answers 502 when the target refuses, and keeps count of what it could read", async () => {
      assert.match((await (await through("tunnel", await refusedPort())).answer()).status.toString(), /^502$/);
      const client = await open(Number(new URL(proxy.url).port));
      await client.send("GET http://other.example/ HTTP/1.1\r\nHost: other.example\r\nAuthentication: canary\r\n\r\n");
      assert.equal((await client.answer()).status, 405);
      assert.deepEqual(
        [proxy.readable[0]?.url, proxy.readable[0]?.headers["authentication"]],
        ["http://other.example/", "canary"],
      );
    });
  });

  describe("rows 5 to 19: what a client sees", () => {
    for (const [name, { sees, end }] of Object.entries(expected) as [keyof typeof expected, Expected][]) {
      if (faults[name].tls) continue;
      it(`${name}: ${end}`, async () => {
        const client = await meet(name);
        if (end === "open") {
          await client.until(({ text }) => (typeof sees === "string" ? text.length >= sees.length : sees.test(text)));
          assert.ok(await isPending(client.end));
        } else {
          const ended = await client.end;
          if (end !== "over") assert.equal(ended, end);
        }
        if (typeof sees === "string") assert.equal(client.text, sees);
        else assert.ok(sees.test(client.text), `${client.text.slice(0, 500)} is not ${sees}`);
        assert.deepEqual(Object.keys(server.ledger.tally()), [name]);
      });
    }

    for (const name of faultNames({ rows: [14] })) {
      it(name, async () => {
        const { status, headers } = await (await meet(name)).answer();
        const [, code, target] = /^redirect-(\d+)-(.*)$/.exec(name) as unknown as [string, string, string];
        const path = "/api/v1/call/call-out";
        const locations: Record<string, string | undefined> = {
          "same-host": `${server.url}/moved`,
          relative: "/moved",
          elsewhere: `http://127.0.0.2:9${path}`,
          http: `http://127.0.0.1:${server.port}${path}`,
          loop: `${server.url}${path}`,
          nowhere: undefined,
        };
        assert.deepEqual([status, headers["location"]], [Number(code), locations[target]]);
      });
    }

    it("gzip-bomb: a valid envelope of 200 MB in 250 KB", async () => {
      const { headers, body } = await (await meet("gzip-bomb")).answer();
      assert.equal(headers["content-encoding"], "gzip");
      assert.ok(body.length < 250_000);
      const unpacked = createGunzip();
      unpacked.end(body);
      let [size, text] = [0, ""];
      for await (const part of unpacked as AsyncIterable<Buffer>) {
        size += part.length;
        text += part.toString().trim();
      }
      assert.ok(size > 200_000_000);
      assert.equal(text, success);
    });

    it("huge answers stop when the client goes", async () => {
      const client = await meet("huge-length");
      await client.until(({ received }) => received.length > 1_000_000);
      client.close();
      while (server.open > 0) await sleep(5);
    });
  });

  describe("what was there when it struck", () => {
    for (const name of ["reset-on-accept", "reset-unread"] as const) {
      it(`${name} reads nothing`, async () => {
        await (await meet(name)).end;
        assert.deepEqual([server.ledger.connections.length, server.ledger.bytes], [1, 0]);
        assert.deepEqual(server.ledger.requests, []);
      });
    }

    it("reset-after-head does not wait for a body, reset-at-first-byte not for a head", async () => {
      const cases: [FaultName, string][] = [
        ["reset-after-head", callOut("1").slice(0, -20)],
        ["reset-at-first-byte", "P"],
      ];
      for (const [name, bytes] of cases) {
        server.ledger.clear();
        server.behave(name);
        const client = await open(server.port);
        await client.send(bytes);
        assert.equal(await client.end, "reset");
        assert.deepEqual([server.ledger.bytes, server.ledger.complete], [bytes.length, []]);
      }
    });

    for (const [name, end] of [
      ["stale-closed-when-idle", "fin"],
      ["stale-reset-on-next", "reset"],
      ["stale-fin-on-next", "fin"],
    ] as const) {
      it(`${name}: one answer, then ${end}`, async () => {
        const client = await meet(name, "1");
        assert.equal((await client.answer()).headers["keep-alive"], "timeout=600");
        if (name !== "stale-closed-when-idle") await client.send(callOut("2"));
        assert.equal(await client.end, end);
        assert.equal(client.text, "");
        assert.equal(server.ledger.find("1").length, 1);
        if (name !== "stale-closed-when-idle") assert.equal(server.ledger.find("2").length, 1);
      });
    }

    it("keeps account of a request on a connection that has had its last byte", async () => {
      const client = await meet("fin-after-request", "1");
      await client.end;
      await client.send(callOut("2"));
      while (server.ledger.requests.length < 2) await sleep(5);
      assert.deepEqual([server.ledger.requests[1]?.key, server.ledger.requests[1]?.fault], ["2", undefined]);
    });
  });

  describe("plans", () => {
    const statuses = async (...numbers: string[]): Promise<(number | string)[]> => {
      const seen: (number | string)[] = [];
      for (const number of numbers) {
        const client = RawClient.dial(server.port);
        clients.push(client);
        await client.send(callOut(number));
        seen.push(await Promise.race([client.answer().then(({ status }) => status), client.end]).catch(() => "reset"));
      }
      return seen;
    };

    it("choose by the request", async () => {
      server.behave(({ key }) => (key === "2" ? "status-503" : "good"));
      assert.deepEqual(await statuses("1", "2", "3"), [200, 503, 200]);
    });

    it("go in turn, faults of connections among them", async () => {
      server.behave(inTurn("status-500", "reset-on-accept", "status-502", "good"));
      assert.deepEqual(await statuses("1", "2", "3", "4", "5"), [500, "reset", 502, 200, 200]);
    });

    it("go in turn for each call", async () => {
      server.behave(forEachCall("status-500", "status-502", "good"));
      assert.deepEqual(await statuses("1", "1", "2", "1", "2"), [500, 502, 500, 200, 502]);
    });

    it("take a fault of the test's own making", async () => {
      server.behave({ name: "teapot", at: "request", act: (wire) => wire.send("HTTP/1.1 418 Teapot\r\n\r\n") });
      assert.deepEqual(await statuses("1"), [418]);
      assert.deepEqual(server.ledger.tally(), { teapot: 1 });
    });

    it("mix the same way for the same seed, in the share asked for, over all the faults named", () => {
      const names = faultNames({ tls: false });
      const draws = (seed: number) => {
        const plan = mix({ seed, names, faulty: 0.4 });
        return Array.from({ length: 20_000 }, () => [plan.onAccept()?.name, plan.onRequestBegun()?.name]);
      };
      assert.deepEqual(draws(7), draws(7));
      assert.notDeepEqual(draws(7), draws(8));
      const drawn = draws(7)
        .flat()
        .filter((name) => name !== undefined && name !== "good");
      assert.ok(Math.abs(drawn.length / 40_000 - 0.4) < 0.02, `${drawn.length}`);
      assert.deepEqual(new Set(drawn), new Set(names));
    });

    it("a mixed run is booked to the last request", async () => {
      const names = faultNames({ tls: false, holds: false }).filter((name) => faults[name].row !== 13);
      server.behave(mix({ seed: 1, names, faulty: 0.5, faultyConnections: 0.05 }));
      const sent = Array.from({ length: 200 }, (_, i) => `${i % 150}`);
      const ended = async (number: string) => {
        const client = RawClient.dial(server.port);
        clients.push(client);
        await client.send(callOut(number));
        await Promise.race([client.until(({ received }) => received.length > 0).catch(() => {}), client.end]);
      };
      await Promise.all(sent.map(ended));
      const arrived = [...server.ledger.arrivals().values()].reduce((sum, count) => sum + count, 0);
      const unread = server.ledger.connections.filter(({ fault }) => fault !== undefined).length;
      assert.equal(arrived + unread, sent.length);
      assert.ok(unread < 20 && Object.keys(server.ledger.tally()).length > 20);
    });
  });

  describe("its life", () => {
    it("refuses, listens again on the same port, and keeps the connections there are", async () => {
      const client = await open(server.port);
      await client.send(callOut("1"));
      await client.answer();
      server.refuse();
      assert.equal(await failureOf(RawClient.open(server.port)), "ECONNREFUSED");
      await client.send(callOut("2"));
      assert.equal((await client.answer()).status, 200);
      await server.listen();
      assert.equal((await (await meet("status-503")).answer()).status, 503);
    });

    it("restarts: every connection is reset, and the port is back", async () => {
      const client = await meet("no-headers");
      while (server.ledger.complete.length === 0) await sleep(5);
      await server.restart(10);
      assert.equal(await client.end, "reset");
      assert.equal(server.open, 0);
      assert.equal((await (await meet("status-503")).answer()).status, 503);
    });

    it("is understood by Node's own HTTP client, over one connection", async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (const id of ["1", "2"]) {
        const request = httpRequest(`${server.url}/api/v1/setting/business-hour/${id}`, { agent });
        request.end();
        const [response] = (await once(request, "response")) as [IncomingMessage];
        assert.equal((await response.setEncoding("utf8").toArray()).join(""), success);
      }
      agent.destroy();
      assert.equal(server.ledger.connections.length, 1);
      assert.deepEqual(server.ledger.requests.map(({ method, path }) => [method, path]).at(-1), [
        "GET",
        "/api/v1/setting/business-hour/2",
      ]);
    });

    it("runs in a process of its own just as well", async () => {
      const remote = await FaultServerProcess.start({ tls: true });
      await remote.behave({ inTurn: ["status-503", "good"] });
      const client = await open(Number(new URL(remote.url).port), trusted);
      for (const status of [503, 200]) {
        await client.send(callOut("1"));
        assert.equal((await client.answer()).status, status);
      }
      const [first, ledger] = await Promise.all([remote.restart(), remote.ledger()]);
      assert.equal(first, undefined);
      assert.deepEqual([ledger.duplicates(), ledger.bytes], [["1"], 2 * callOut("1").length]);
      await remote.stop();
      assert.equal(await failureOf(RawClient.open(Number(new URL(remote.url).port))), "ECONNREFUSED");
    });
  });
});
