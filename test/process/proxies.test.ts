import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import { join } from "node:path";
import { envelope, pageOf } from "../support/business-hours";
import { end, listen } from "../support/loopback";
import { type FlowNode, NodeRed } from "../support/process/node-red";
import { TunnelProxy } from "../support/process/tunnel-proxy";
import { userFolder } from "../support/process/user-folder";
import { root } from "../support/root";

const TOKEN = "token-of-the-proxies";
/** The name in the certificate of the service. Loopback addresses are never proxied. */
const SERVICE = "https://other.example";
const PLACE = { z: "tab", x: 100, y: 100 };

const certificate = (file: string) => join(root, "test/support/faults/certs", file);
const identity = (name: string) => ({
  cert: readFileSync(certificate(`${name}.pem`)),
  key: readFileSync(certificate(`${name}.key.pem`)),
});

interface Result {
  readonly ok: boolean;
  readonly code?: string;
  readonly key?: string;
  readonly phase?: string;
  readonly field?: string;
  readonly message?: string;
}

describe("a tenant behind a proxy", () => {
  let service: Server;
  const tokens: (string | string[] | undefined)[] = [];
  let [secure, plain, misnamed]: TunnelProxy[] = [];
  let nodeRed: NodeRed;

  before(async () => {
    service = createServer(identity("wrong-name"), (request, response) => {
      tokens.push(request.headers["authentication"]);
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(envelope(pageOf([], 1, 1))));
    });
    const port = await listen(service);
    [secure, plain, misnamed] = await Promise.all([
      TunnelProxy.start(port, identity("good")),
      TunnelProxy.start(port),
      TunnelProxy.start(port, identity("wrong-name")),
    ]);
    nodeRed = await NodeRed.start(await userFolder(), {
      NODE_EXTRA_CA_CERTS: certificate("ca.pem"),
      HTTPS_PROXY: `http://environment:of%25it@127.0.0.1:${plain?.port}`,
      https_proxy: undefined,
      NO_PROXY: undefined,
      no_proxy: undefined,
    });
    const proxy = (id: string, url: string) => ({ id, type: "http proxy", url, noproxy: [] });
    const tenant = (id: string, more: object): FlowNode => ({
      id,
      type: "telephony-tenant",
      url: SERVICE,
      credentials: { token: TOKEN },
      ...more,
    });
    await nodeRed.deploy([
      { id: "tab", type: "tab", label: "Proxies" },
      proxy("by address", `https://user:pass@127.0.0.1:${secure?.port}`),
      proxy("by name", `https://localhost:${secure?.port}`),
      proxy("misnamed", `https://127.0.0.1:${misnamed?.port}`),
      proxy("percent", `https://us%er:pass@127.0.0.1:${secure?.port}`),
      { id: "no authority", type: "tls-config", cert: "", key: "", ca: certificate("self-signed.pem") },
      ...["by address", "by name", "misnamed", "percent"].map((id) => tenant(`tenant ${id}`, { proxy: id })),
      tenant("tenant environment", {}),
      { ...PLACE, id: "stop", type: "call-stop", tenant: "tenant by address", wires: [[]] },
    ]);
  });
  beforeEach(() => {
    tokens.length = 0;
    for (const proxy of [secure, plain, misnamed]) proxy?.connects.splice(0);
  });
  after(() => {
    nodeRed?.kill();
    for (const proxy of [secure, plain, misnamed]) proxy?.stop();
    return service && end(service);
  });

  const test = async (body: object): Promise<Result> => {
    const answer = await nodeRed.post("/telephony/tenant/test", body, { origin: nodeRed.url });
    const found = (await answer.json()) as Result & { readonly lines?: readonly { readonly kind: string }[] };
    return { ...found, ok: found.lines?.[0]?.kind === "fine" };
  };
  const typed = (more: object) => test({ url: SERVICE, token: "typed", ...more });
  const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
  const target = "other.example:443";

  it("is reached through an https proxy with a certificate for the proxy's own name or address", async () => {
    assert.equal((await test({ id: "tenant by address" })).ok, true);
    assert.equal((await test({ id: "tenant by name" })).ok, true);
    assert.deepEqual(secure?.connects, [
      { target, authorization: basic("user:pass") },
      { target, authorization: undefined },
    ]);
    assert.deepEqual(tokens, [`Bearer ${TOKEN}`, `Bearer ${TOKEN}`]);
  });

  it("is not reached through an https proxy with another certificate, such as the tenant's", async () => {
    const { ok, code, phase, message } = await test({ id: "tenant misnamed" });
    assert.deepEqual([ok, code, phase], [false, "ERR_CONNECT", "proxy"]);
    assert.match(String(message), /certificate of the proxy .*ERR_TLS_CERT_ALTNAME_INVALID/);
    assert.deepEqual([misnamed?.connects, tokens], [[], []]);
  });

  it("is tested as typed through the selected proxy", async () => {
    assert.equal((await typed({ proxy: "by name" })).ok, true);
    assert.deepEqual([secure?.connects.length, plain?.connects.length], [1, 0]);
    assert.deepEqual(tokens, ["Bearer typed"]);
  });

  it("is tested as typed through the proxy of the environment, like the deployed one", async () => {
    for (const body of [{ id: "tenant environment" }, { url: SERVICE, token: "typed" }])
      assert.equal((await test(body)).ok, true);
    assert.deepEqual(plain?.connects, [
      { target, authorization: basic("environment:of%it") },
      { target, authorization: basic("environment:of%it") },
    ]);
  });

  it("is tested as typed with the selected TLS settings", async () => {
    const { ok, code } = await typed({ tls: "no authority", proxy: "by name" });
    assert.deepEqual([ok, code, tokens], [false, "ERR_TLS", []]);
    const { field } = await typed({ tls: "gone" });
    assert.equal(field, "tls");
  });

  it("names the remedy for a stray % in the proxy's user, at deploy and in Test", async () => {
    for (const body of [{ id: "tenant percent" }, { url: SERVICE, token: "typed", proxy: "percent" }]) {
      const { code, key, field } = await test(body);
      assert.deepEqual([code, key, field], ["ERR_CONFIG", "config.proxyUser", "proxy"]);
    }
    assert.match(nodeRed.log, /\[telephony-tenant:tenant percent\].* stray %/);
    assert.doesNotMatch(nodeRed.log, /URI malformed/);
  });
});
