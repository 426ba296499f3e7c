import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { success } from "./answers";
import type { FaultName } from "./catalogue";
import { authority } from "./certificates";
import { FaultProxy, type ProxyMode } from "./fault-proxy";
import { FaultServer } from "./fault-server";
import { FullBacklog } from "./full-backlog";
import { callOut, RawClient } from "./raw-client";
import { failureOf, isPending, withServer } from "./raw-subject";
import { failingLookup, refusedPort } from "./unreachable";

const trusted = { ca: authority() };

describe("faults of rows 1 to 3: no connection", () => {
  it("refuses without a listener", async () => {
    assert.equal(await failureOf(RawClient.open(await refusedPort())), "ECONNREFUSED");
  });

  it("fails a lookup as the system does", async () => {
    const socket = connect({ host: "tenant.example.com", port: 80, lookup: failingLookup() });
    const [error] = (await once(socket, "error").catch((thrown) => [thrown])) as [NodeJS.ErrnoException];
    assert.deepEqual([error.code, error.syscall], ["EAI_AGAIN", "getaddrinfo"]);
  });

  it("never completes a connect when the backlog is full", async () => {
    const backlog = await FullBacklog.start();
    const sockets = Array.from({ length: 3 }, () => connect(backlog.port, "127.0.0.1"));
    const settled = Promise.race(sockets.map((socket) => once(socket, "connect")));
    assert.ok(await isPending(settled.then(String, String)));
    for (const socket of sockets) socket.destroy();
    await backlog.stop();
  });
});

describe("faults of row 4: TLS", () => {
  const held = withServer();
  let secure: FaultServer;
  before(async () => {
    secure = await FaultServer.start({ tls: true });
  });
  afterEach(() => secure.ledger.clear());
  after(() => secure.stop());

  it("serves a trusted certificate, and counts what was decrypted apart from the wire", async () => {
    secure.behave("good");
    const client = await held.open(secure.port, { ...trusted, ALPNProtocols: ["http/1.1"] });
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
      assert.equal(await failureOf(held.open(secure.port, trusted)), code);
      while (secure.open > 0) await sleep(5);
      assert.deepEqual(secure.ledger.tally(), { [name]: 1 });
      assert.ok((secure.ledger.connections[0]?.wireBytes ?? 0) > 0);
      assert.equal(secure.ledger.bytes, 0);
    });
  }

  it("handshake-stall: the hello is read and never answered", async () => {
    secure.behave("handshake-stall");
    const socket = connectTls({ ...trusted, host: "127.0.0.1", port: secure.port });
    while (!secure.ledger.connections[0]?.wireBytes) await sleep(5);
    assert.ok(await isPending(once(socket, "secureConnect")));
    assert.equal(socket.bytesRead, 0);
    socket.destroy();
  });

  it("resets an exchange inside TLS", async () => {
    secure.behave("reset-after-request");
    const client = await held.open(secure.port, trusted);
    await client.send(callOut("1"));
    assert.equal(await client.end, "reset");
    assert.equal(secure.ledger.find("1").length, 1);
  });
});

describe("faults of row 4: the proxy", () => {
  const held = withServer();
  const connectLine = (port: number) => `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
  let proxy: FaultProxy;
  before(async () => {
    proxy = await FaultProxy.start();
  });
  after(() => proxy.stop());
  const through = async (mode: ProxyMode, port = held.server.port): Promise<RawClient> => {
    proxy.mode = mode;
    proxy.connects.length = 0;
    const client = await held.open(Number(new URL(proxy.url).port));
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
    assert.deepEqual([connection?.target, connection?.bytes], [`127.0.0.1:${held.server.port}`, callOut("1").length]);
    assert.equal(held.server.ledger.bytes, callOut("1").length);
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

  it("answers 502 when the target refuses, and counts the requests that it could read", async () => {
    assert.match((await (await through("tunnel", await refusedPort())).answer()).status.toString(), /^502$/);
    const client = await held.open(Number(new URL(proxy.url).port));
    await client.send("GET http://other.example/ HTTP/1.1\r\nHost: other.example\r\nAuthentication: canary\r\n\r\n");
    assert.equal((await client.answer()).status, 405);
    assert.deepEqual(
      [proxy.readable[0]?.url, proxy.readable[0]?.headers["authentication"]],
      ["http://other.example/", "canary"],
    );
  });
});
