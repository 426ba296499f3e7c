import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { SandboxView } from "../../../../src/sandbox/inspect/view";
import { mayAsk } from "../../../../src/sandbox/phone/outside";
import { eventually } from "../../../support/process/eventually";
import { root } from "../../../support/root";
import { ask, sandboxForEach } from "../visit";
import { controlsOf } from "./controls";

interface Asked {
  readonly request: IncomingMessage;
  readonly body: string;
}

describe("sandbox: addresses outside", () => {
  const sandbox = sandboxForEach();
  const { pressed, view, until, place } = controlsOf(sandbox);
  let url: string;
  const held: (() => void)[] = [];
  const received: Asked[] = [];
  const asked = (path: string, count = 1) =>
    eventually(() => {
      const found = received.filter(({ request }) => request.url === path);
      return found.length >= count ? found : undefined;
    });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    received.push({ request, body: await text(request) });
    if (request.url === "/never") return;
    if (request.url === "/held") held.push(() => response.end());
    else if (request.url === "/elsewhere") response.writeHead(302, { location: "http://10.0.0.1/" }).end();
    else response.writeHead(200, { "content-type": "text/xml" }).end("<Say>Hello</Say>");
  };
  const server = createServer((request, response) => void answer(request, response));
  before(async () => {
    await once(server.listen(0, "127.0.0.1"), "listening");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => received.splice(0));
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  const fetched = (now: SandboxView) => now.calls[0]?.phone?.moments.find(({ what }) => what === "fetched")?.fetched;

  it("are asked once a call with an answer address is answered, and their answer is shown", async () => {
    await place({ answer_url: `${url}/answer` });
    const now = await until((one) => fetched(one) !== undefined);
    assert.deepEqual(fetched(now), { status: 200, type: "text/xml", text: "<Say>Hello</Say>" });
    assert.deepEqual(
      received.map(({ request }) => request.method),
      ["GET"],
    );
  });

  it("are not followed elsewhere", async () => {
    await place({ answer_url: `${url}/elsewhere` });
    const now = await until((one) => fetched(one) !== undefined);
    assert.deepEqual(fetched(now), { status: 302, type: "", text: "" });
  });

  it("end with clear, and do not keep a call from being answered at once", async () => {
    await pressed("settings", { answers: "ask" });
    await place({ answer_url: `${url}/never` });
    const [call] = (await view()).calls;
    await pressed("answer", { callId: call?.callId });
    assert.equal((await view()).calls[0]?.phone?.state, "talking");
    const [{ request }] = (await asked("/never")) as [Asked];
    const ended = once(request.socket, "close");
    await pressed("clear");
    await ended;
    assert.deepEqual((await view()).calls, []);
  });

  it("do not end a call that the flow has acted upon meanwhile", async () => {
    const actions = [{ action: "talk", text: "x", loop: "1" }];
    await place({ actions, answer_url: `${url}/held` });
    await place({ actions, answer_url: `${url}/held` });
    await asked("/held", 2);
    const [first, second] = (await view()).calls.map(({ callId }) => callId).sort();
    await ask(sandbox(), "POST", "/api/v1/call/add-user", { callId: first, "to.type": "internal", "to.number": "9" });
    for (const go of held.splice(0)) go();
    const now = await until(({ calls }) => calls.some(({ callId, state }) => callId === second && state === "ended"));
    assert.equal(now.calls.find(({ callId }) => callId === first)?.phone?.state, "talking");
  });

  it("may be on the server that the sandbox belongs to", () => {
    assert.equal(mayAsk("http://10.0.0.1:1880/hook", ["10.0.0.1:1880"]), true);
    for (const other of ["http://10.0.0.1/", "http://10.0.0.1:1881/", "http://10.0.0.10:1880/", "ftp://10.0.0.1:1880/"])
      assert.equal(mayAsk(other, ["10.0.0.1:1880"]), false, other);
    for (const loopback of ["http://localhost:1880/", "https://127.8.8.8/", "http://[::1]:9/", "http://0x7f.1/"])
      assert.equal(mayAsk(loopback, []), true, loopback);
    for (const other of [
      "http://127.0.0.1.nip.io/",
      "http://localhost.evil.example/",
      "http://[::ffff:7f00:1]/",
      "http://localhost./",
      "http://0.0.0.0/",
      "http://169.254.169.254/",
      "file:///etc/passwd",
    ])
      assert.equal(mayAsk(other, []), false, other);
  });

  it("may be at the port of its server on loopback with any certificate, and at no other", async () => {
    const read = (name: string) => readFileSync(join(root, "test/support/faults/certs", name));
    const tls = { cert: read("self-signed.pem"), key: read("self-signed.key.pem") };
    const secure = https.createServer(tls, (_, response) => response.end("secure")).listen(0, "127.0.0.1");
    await once(secure, "listening");
    const { port } = secure.address() as AddressInfo;
    const webhook = `https://localhost:${port}/hook`;
    try {
      const answers: object[] = [];
      for (const own of [port, port + 1, 0]) {
        sandbox().state.own = { hosts: [], port: own };
        answers.push(((await pressed("calls", { webhook })) as { answered: object }).answered);
      }
      const failed = answers[1];
      assert.equal(Object(failed).problem, "failed");
      assert.deepEqual(answers, [{ status: 200, type: "", text: "secure" }, failed, failed]);
    } finally {
      secure.close();
    }
  });

  const port = () => new URL(url).port;
  for (const [title, address, problem] of [
    ["on another host", () => "http://10.0.0.1/", "host"],
    ["that is none", () => "acme/answer", "address"],
    ["of another protocol", () => `ftp://127.0.0.1:${port()}/answer`, "address"],
    ["that has no host", () => "mailto:ada@acme.example.com", "address"],
    ["that is not absolute", () => `http:127.0.0.1:${port()}/answer`, "address"],
  ] as const)
    it(`are shown and not asked: one ${title}`, async () => {
      await place({ answer_url: address() });
      const now = await until((one) => fetched(one) !== undefined);
      const detail = problem === "host" ? "10.0.0.1" : address();
      assert.deepEqual([fetched(now), received], [{ problem, detail }, []]);
    });

  it("are not asked where the address is empty", async () => {
    await place({ actions: [{ action: "talk", text: "x", loop: "0" }], answer_url: "" });
    const now = await until(({ calls }) => calls[0]?.state === "ended");
    assert.equal(fetched(now), undefined);
  });

  it("get incoming calls in the builder's own words, which are kept", async () => {
    const incoming = {
      webhook: `${url}/hook`,
      body: '{"id": "{{callId}}", "caller": "{{from}}", "note": "my own"}',
      headers: [{ name: "x-secret", value: "s3cret" }],
      from: '0"12',
      to: "90",
    };
    const data = (await pressed("calls", incoming)) as { callId: string; answered: object };
    assert.deepEqual(data.answered, { status: 200, type: "text/xml", text: "<Say>Hello</Say>" });
    assert.deepEqual(JSON.parse(received[0]?.body ?? ""), { id: data.callId, caller: '0"12', note: "my own" });
    assert.equal(received[0]?.request.headers["x-secret"], "s3cret");
    const { calls, settings } = await view();
    assert.deepEqual([calls[0]?.callId, calls[0]?.direction], [data.callId, "inbound"]);
    assert.deepEqual(settings.incoming, incoming);
    const foreign = (await pressed("calls", { webhook: "http://10.0.0.1/hook" })) as { answered: object };
    assert.deepEqual(foreign.answered, { problem: "host", detail: "10.0.0.1" });
  });
});
