import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { NodeInitializer } from "node-red";
import { closeSandbox } from "../../../src/runtime/tenants/sandboxes";
import { GOOD_PAYLOAD } from "../../interface/requests";
import { FaultServer } from "../../support/faults/fault-server";
import { root } from "../../support/root";
import { errors, fail, flowWith, helper, load, play, shownSoFar } from "../../support/stage";

const coreTls = require("@node-red/nodes/core/network/05-tls.js") as NodeInitializer;

/** The compiler copies no PEM files: read from the source tree. */
const path = (name: string) => join(root, "test/support/faults/certs", name);
const read = (name: string) => readFileSync(path(name), "utf8");
const locked = createPrivateKey(read("good.key.pem")).export({
  type: "pkcs8",
  format: "pem",
  cipher: "aes-256-cbc",
  passphrase: "right",
});

/** A TLS node of core as its dialog saves it: with files of the server's, or with what was uploaded. */
const files = (named: Record<string, string>): Record<string, unknown> => ({
  id: "tls",
  type: "tls-config",
  verifyservercert: true,
  // Node-RED 4 reads all three.
  ...{ cert: "", key: "", ca: "" },
  ...named,
});
const UPLOADED = files({});

describe("a tenant with TLS settings of its own", () => {
  let server: FaultServer;
  before(async () => {
    server = await FaultServer.start({ tls: true });
  });
  before(() => helper.startServer());
  afterEach(async () => {
    await helper.unload();
    // Stopping the flows leaves the sandbox running, as a redeploy must.
    await closeSandbox("t1");
    server.ledger.clear();
  });
  after((done) => {
    helper.stopServer(done);
  });
  after(() => server.stop());

  const loadWith = (tls: Record<string, unknown>, uploaded: object = {}, tenant: Record<string, unknown> = {}) =>
    load([tls, ...flowWith(server.url, { type: "call-out" }, { tls: "tls", ...tenant })], { tls: uploaded }, coreTls);

  it("that do not belong together turn the node red, say so at deploy, and connect to nothing", async () => {
    await loadWith(files({ cert: path("good.pem"), key: path("expired.key.pem"), ca: path("ca.pem") }));
    const logged = errors().flatMap((text) => /errors\.config\.\w+/.exec(text) ?? []);
    deepStrictEqual(logged, ["errors.config.tlsPair"]);
    const [red] = shownSoFar();
    const { message, code, cause } = await fail({ payload: GOOD_PAYLOAD["call-out"] });
    match(message, /^ERR_CONFIG: /);
    deepStrictEqual(
      [code, cause["field"], cause["phase"], cause["sent"], cause["outcome"], cause["retryable"], cause["attempts"]],
      ["ERR_CONFIG", "tls", "config", "no", "not-applied", false, 0],
    );
    deepStrictEqual(red, { fill: "red", shape: "dot" });
    strictEqual(server.ledger.connections.length, 0);
  });

  it("that are right sends with them", async () => {
    const uploaded = { certdata: read("good.pem"), keydata: locked, cadata: read("ca.pem"), passphrase: "right" };
    await loadWith(UPLOADED, uploaded);
    strictEqual((await play({ payload: GOOD_PAYLOAD["call-out"] })).out.length, 1);
    strictEqual(server.ledger.complete.length, 1);
  });

  it("does without them in the sandbox, whose dialog does not show them", async () => {
    await loadWith(files({ cert: path("gone.pem"), key: path("good.key.pem") }), {}, { mode: "sandbox" });
    strictEqual((await play({ payload: GOOD_PAYLOAD["call-out"] })).out.length, 1);
  });
});
