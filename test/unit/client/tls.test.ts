import assert from "node:assert/strict";
import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { join } from "node:path";
import tls, { type ConnectionOptions } from "node:tls";
import { readTls, TenantError } from "../../../src/client";
import { success } from "../../support/faults/answers";
import { FaultProxy } from "../../support/faults/fault-proxy";
import { FaultServer } from "../../support/faults/fault-server";
import { listen } from "../../support/loopback";
import { root } from "../../support/root";
import { until } from "../../support/until";
import { withServer } from "./stage";
import { callOut, done, summarize } from "./subject";

const file = (name: string) => readFileSync(join(root, "test/support/faults/certs", name));
const ca = file("ca.pem");
const cert = file("good.pem");
const key = file("good.key.pem");
const pfx = file("good.p12");
/** A pair whose halves belong to different certificates. */
const MIXED = { cert, key: file("expired.key.pem") };

const der = (pem: Buffer) => Buffer.from(pem.toString().replace(/-----.*-----|\s/g, ""), "base64");
const PKCS8 = { type: "pkcs8", format: "pem" } as const;
const locked = createPrivateKey(key).export({ ...PKCS8, cipher: "aes-256-cbc", passphrase: "right" });

describe("TLS settings of a tenant", () => {
  const TAKEN: readonly [title: string, options: ConnectionOptions][] = [
    ["nothing but a wish", { rejectUnauthorized: true, servername: "acme.example.com" }],
    ["an authority", { ca }],
    ["several in one file, with words around them", { ca: `Ours\n${ca}\nTheirs\n${cert}` }],
    ["several files", { ca: [ca, String(cert)] }],
    ["a certificate and its key", { cert, key }],
    ["with the certificates that lead to it", { cert: Buffer.concat([cert, ca]), key }],
    ["with a passphrase", { cert, key: locked, passphrase: "right" }],
    ["as PKCS #12", { pfx, passphrase: "faults" }],
  ];
  for (const [title, options] of TAKEN) {
    it(`can be ${title}`, () => {
      const { secureContext, ...rest } = readTls(options);
      assert.ok(secureContext);
      assert.deepEqual(rest, options);
    });
  }

  it("reports a wrong passphrase also where it decrypts to what looks like a malformed key", () => {
    for (let count = 0; count < 300; count += 1) {
      const another = createPrivateKey(key).export({ ...PKCS8, cipher: "aes-256-cbc", passphrase: "right" });
      assert.throws(
        () => readTls({ cert, key: another, passphrase: "wrong" }),
        (error) => error instanceof TenantError && error.key === "config.tlsPassphrase",
      );
    }
  });

  const otherKind = generateKeyPairSync("ed25519").privateKey.export(PKCS8);
  const REFUSED: readonly [title: string, key: string, options: ConnectionOptions][] = [
    ["a key of another certificate", "tlsPair", MIXED],
    ["a key of another kind", "tlsPair", { cert, key: otherKind }],
    ["a wrong passphrase", "tlsPassphrase", { cert, key: locked, passphrase: "wrong" }],
    ["no passphrase", "tlsPassphrase", { cert, key: locked }],
    ["a wrong passphrase for PKCS #12", "tlsPassphrase", { pfx, passphrase: "wrong" }],
    ["a certificate that is none", "tlsForm", { cert: "certificate", key }],
    ["a certificate that is cut off", "tlsForm", { cert: cert.subarray(0, 300), key }],
    ["a certificate as DER", "tlsForm", { cert: der(cert), key }],
    ["a key that is none", "tlsForm", { cert, key: "key" }],
    ["certificate and key in each other's place", "tlsForm", { cert: key, key: cert }],
    ["PEM for PKCS #12", "tlsForm", { pfx: cert }],
    ["an authority as DER, which OpenSSL would pass over", "tlsForm", { ca: der(ca) }],
    ["an authority that is cut off", "tlsForm", { ca: ca.subarray(0, 300) }],
    ["an empty authority", "tlsForm", { ca: Buffer.alloc(0) }],
    ["what OpenSSL refuses for another reason", "tlsRefused", { cert, key, ciphers: "none" }],
  ];
  for (const [title, sentence, options] of REFUSED) {
    it(`cannot be ${title}`, () => {
      assert.throws(
        () => readTls(options),
        (error) => {
          assert.ok(error instanceof TenantError);
          const { code, phase, sent, outcome, retryable, details } = error;
          assert.deepEqual(
            [code, phase, sent, outcome, retryable],
            ["ERR_CONFIG", "config", "no", "not-applied", false],
          );
          assert.deepEqual([error.key, details.field], [`config.${sentence}`, "tls"]);
          return true;
        },
      );
    });
  }
});

describe("connections with TLS settings @undici", () => {
  const { open, besides } = withServer();

  it("share one context, show the client's certificate, and check the service's", async () => {
    // The certificates of the services are for services alone.
    const mine = { cert: file("self-signed.pem"), key: file("self-signed.key.pem") };
    const server = createServer({ ca: mine.cert, cert, key, requestCert: true }, (_request, response) =>
      response.end(success),
    );
    const url = `https://127.0.0.1:${await listen(server)}`;
    besides({ stop: () => new Promise((resolve) => server.close(resolve)) });
    const { createSecureContext } = tls;
    let contexts = 0;
    tls.createSecureContext = (options) => {
      contexts += 1;
      return createSecureContext(options);
    };
    try {
      const client = open(url, { tls: readTls({ ca, ...mine }) });
      const ends = await Promise.all(["1", "2", "3"].map((number) => done(client, callOut(number))));
      assert.deepEqual(
        ends.map(({ ok }) => ok),
        [true, true, true],
      );
      assert.equal(contexts, 1);
    } finally {
      tls.createSecureContext = createSecureContext;
    }
    const distrusting = await done(open(url, { tls: readTls(mine) }), callOut("4"));
    assert.deepEqual([summarize(distrusting).code, summarize(distrusting).attempts], ["ERR_TLS", 1]);
    assert.ok((await done(open(url, { tls: readTls({ ...mine, rejectUnauthorized: false }) }), callOut("5"))).ok);
  });

  for (const way of ["directly", "through a proxy"]) {
    it(`that cannot begin, ${way}, leave no socket open and are not tried again`, async () => {
      const server = besides(await FaultServer.start({ tls: true }));
      const proxy = besides(await FaultProxy.start());
      const through = way === "directly" ? {} : { proxy: { url: new URL(proxy.url) } };
      const client = open(server.url, { tls: { ca, ...MIXED }, ...through });
      for (const number of ["1", "2", "3"]) {
        const { status: _, ...said } = summarize(await done(client, callOut(number)));
        assert.deepEqual(said, {
          code: "ERR_TLS",
          phase: "tls",
          sent: "no",
          outcome: "not-applied",
          retryable: false,
          attempts: 1,
        });
      }
      await until(() => server.open === 0);
      assert.deepEqual([server.ledger.connections.length, server.ledger.bytes], [3, 0]);
    });
  }
});
