import assert from "node:assert/strict";
import { connect, createServer } from "node:net";
import { inspect } from "node:util";
import type { ClientOptions } from "../../../../src/client";
import { authority } from "../../../support/faults/certificates";
import { FaultProxy, type ProxyMode } from "../../../support/faults/fault-proxy";
import { FaultServer } from "../../../support/faults/fault-server";
import { refusedPort } from "../../../support/faults/unreachable";
import { listen } from "../../../support/loopback";
import { until } from "../../../support/until";
import { withServer } from "../stage";
import { callOut, done, failureOf, summarize } from "../subject";

const tls = { ca: authority() };

/** The proxy in row 4 of docs/faults.md. */
describe("connections through a proxy @undici", () => {
  const { open } = withServer();

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
      return open(secure.url, { tls, proxy: { url: new URL(proxy.url) }, ...more });
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

    // A limit for those that stall; the last one's leaves time for the tunnel before it.
    const refusals: [ProxyMode, "proxy" | "tls", RegExp, limitMs?: number][] = [
      ["fin", "proxy", /ECONNRESET/],
      ["reset", "proxy", /ECONNRESET/],
      ["stall", "proxy", /^TIMEOUT$/, 100],
      ["half-answer", "proxy", /^TIMEOUT$/, 100],
      ["not-http", "proxy", /^HPE_/],
      ["refuse-407", "proxy", /^407$/],
      ["refuse-502", "proxy", /^502$/],
      ["tunnel-then-reset", "tls", /ECONNRESET/],
      ["tunnel-then-stall", "tls", /^TIMEOUT$/, 1000],
    ];
    for (const [mode, phase, sys, limitMs = 3000] of refusals) {
      it(`${mode}: ${phase}, one CONNECT an attempt`, async () => {
        const end = await done(through(mode, { limitMs }), callOut("1"));
        const { code, sent, outcome, attempts, ...said } = summarize(end);
        assert.deepEqual(
          [code, said.phase, sent, outcome, attempts],
          [phase === "tls" ? "ERR_TLS" : "ERR_CONNECT", phase, "no", "not-applied", 3],
        );
        assert.match((!end.ok && end.error.details.sys) || "", sys);
        await until(() => proxy.connects.length >= 3);
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
      const odd = createServer((socket) => {
        socket.once("data", () => {
          const upstream = connect(secure.port, "127.0.0.1", () => {
            socket.write("HTTP/1.1 204 Fine\r\n\r\n");
            socket.pipe(upstream).pipe(socket);
          });
          for (const end of [socket, upstream]) end.on("error", () => {});
        });
      });
      const url = new URL(`http://127.0.0.1:${await listen(odd)}`);
      assert.ok((await done(open(secure.url, { tls, proxy: { url } }), callOut("1"))).ok);
      odd.close();
    });
  });
});
