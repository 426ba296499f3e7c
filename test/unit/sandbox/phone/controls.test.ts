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
import { until as untilHolds } from "../../../support/until";
import { ask, PARTIES, press as pressIn, sandboxForEach, token, visit } from "../visit";

const HOURS = "/api/v1/setting/business-hour";
const TALK = [{ action: "talk", text: "Hello", voice: "banmai", loop: "1" }];

interface Asked {
  readonly request: IncomingMessage;
  readonly body: string;
}

describe("sandbox: controls", () => {
  const sandbox = sandboxForEach();
  const press = (name: string, body?: unknown, headers?: Record<string, string>) =>
    pressIn(sandbox(), name, body, headers);
  const pressed = async (name: string, body?: unknown) => {
    const { json } = await press(name, body);
    assert.equal(json["success"], true, String(json["message"]));
    return json["data"];
  };
  const view = async (since = 0) =>
    (await visit(`${sandbox().url}/sandbox/view?since=${since}`)).json as unknown as SandboxView;
  const until = async (holds: (view: SandboxView) => boolean) => {
    let now = await view();
    await untilHolds(async () => {
      now = await view();
      return holds(now);
    }, String(holds));
    return now;
  };
  const place = (more: object = { actions: TALK }) =>
    ask(sandbox(), "POST", "/api/v1/call/call-out", { ...PARTIES, ...more });

  it("answer, decline and hang up, each where that is possible", async () => {
    await pressed("settings", { answers: "ask" });
    await place();
    const [call] = (await view()).calls;
    const body = { callId: call?.callId };
    assert.equal(call?.phone?.state, "ringing");
    assert.deepEqual(call?.phone?.spoken, [{ text: "Hello", voice: "banmai", times: 1 }]);
    assert.equal((await press("hang-up", body)).status, 422);
    await pressed("answer", body);
    assert.equal((await press("decline", body)).status, 422);
    await pressed("hang-up", body);
    assert.equal((await view()).calls[0]?.state, "ended");
    assert.equal((await press("answer", {})).status, 422);
    assert.equal((await press("answer", { callId: "nobody" })).status, 422);
  });

  it("are refused to other pages, and to what is no JSON", async () => {
    const { epoch } = await view();
    for (const headers of [{ origin: "http://evil.example" }, { "content-type": "text/plain" }])
      for (const name of ["settings", "faults", "calls", "clear", "reset", "again", "answer", "decline", "hang-up"])
        assert.ok([403, 415].includes((await press(name, {}, headers as Record<string, string>)).status), name);
    assert.equal((await view()).epoch, epoch);
  });

  it("show what has changed since a revision, and tell when there is more", async () => {
    await place();
    const first = await view();
    assert.deepEqual([first.calls.length, first.requests.length, first.counts.calls], [1, 1, 1]);
    assert.deepEqual((await view(first.revision)).requests, []);
    const waiting = visit(`${sandbox().url}/sandbox/changes?since=${(await view()).revision}`);
    await place();
    assert.ok(Number((await waiting).json["revision"]) > first.revision);
    const second = await view(first.revision);
    assert.deepEqual(
      second.requests.map(({ number }) => number),
      [2],
    );
    assert.ok(second.calls.some(({ callId }) => callId === "sandbox-2"));
  });

  it("show everything to a page that knows an earlier sandbox", async () => {
    await place();
    const { revision, calls, requests } = await view(1_000_000);
    assert.deepEqual([calls.length, requests.length], [1, 1]);
    const { json } = await visit(`${sandbox().url}/sandbox/changes?since=1000000`);
    assert.ok(Number(json["revision"]) >= revision && Number(json["revision"]) < 1_000_000);
  });

  it("clear what was shown, and reset everything", async () => {
    await pressed("settings", { answers: "nobody", ringSeconds: 1 });
    await ask(sandbox(), "DELETE", `${HOURS}/1`);
    await place();
    const { epoch } = await view();
    await pressed("clear");
    const cleared = await view();
    assert.deepEqual([cleared.calls, cleared.requests], [[], []]);
    assert.notEqual(cleared.epoch, epoch);
    assert.deepEqual([cleared.settings.answers, cleared.schedules.length], ["nobody", 1]);
    await pressed("faults", { times: 5, status: 503 });
    await pressed("reset");
    assert.equal((await ask(sandbox(), "GET", HOURS)).status, 200);
    const reset = await view();
    assert.deepEqual([reset.settings.answers, reset.settings.ringSeconds], ["everybody", 30]);
    assert.deepEqual(
      reset.schedules.map(({ name }) => name),
      ["Office", "Support 24/7"],
    );
  });

  it("refuse settings that make no sense, with a sentence that names the field, and keep nothing of them", async () => {
    const before = (await view()).settings;
    for (const [body, field] of [
      [{ answers: "sometimes" }, "answers"],
      [{ hosts: ["http://a"] }, "hosts.0"],
      [{ hosts: "a" }, "hosts"],
      [{ incoming: { headers: [{ name: "a b", value: "" }] } }, "incoming.headers.0.name"],
      [{ incoming: { headers: [{ name: "a", value: "x\r\ny" }] } }, "incoming.headers.0.value"],
      [{ incoming: { headers: [{}] } }, "incoming.headers.0.name"],
      [{ incoming: { headers: [{ name: "a" }] } }, "incoming.headers.0.value"],
      [{ incoming: { headers: [null] } }, "incoming.headers.0"],
      [{ incoming: { headers: [{ name: "a", value: "", more: 1 }] } }, "incoming.headers.0.more"],
      [{ incoming: { headers: Array(51).fill({ name: "a", value: "" }) } }, "incoming.headers"],
      [{ incoming: { webhook: "x".repeat(2001) } }, "incoming.webhook"],
      [{ incoming: { from: { number: "1" } } }, "incoming.from"],
      [{ incoming: { note: "x" } }, "incoming.note"],
      [{ incoming: null }, "incoming"],
      [{ phones: [] }, "phones"],
      [{ phones: { "*02": "explodes" } }, "phones.\\*02"],
      [{ phones: { "*02": null } }, "phones.\\*02"],
      [{ phones: { "*41": { status: 99 } } }, "phones.\\*41.status"],
      [{ phones: { "*41": { status: 401, note: "x" } } }, "phones.\\*41.note"],
      [{ phones: { "0*": "answers" } }, "phones.0\\*"],
      [{ phones: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`*${n}`, "answers"])) }, "phones"],
      [{ mix: { answers: 1.5 } }, "mix.answers"],
      [{ mix: { answers: 0.7, declines: 0.4 } }, "mix"],
      [{ mix: { explodes: 0.1 } }, "mix.explodes"],
      [{ seed: -1 }, "seed"],
      [{ answers: "ask", more: "x".repeat(1_000_000) }, "more"],
    ] as const) {
      const { status, json } = await press("settings", body);
      assert.equal(status, 422, JSON.stringify(body));
      assert.match(String(json["message"]), new RegExp(`The ${field} `), JSON.stringify(body));
    }
    for (const name of ["calls", "faults"]) {
      const { status, json } = await press(name, { times: 1, note: { deep: "x" } });
      assert.equal(status, 422, name);
      assert.match(String(json["message"]), /The (incoming\.)?note field is not known here\./);
    }
    assert.deepEqual([(await view()).settings, (await view()).calls], [before, []]);
  });

  it("refuse calls to numbers whose phone is a status", async () => {
    const phones = { "*41": { status: 401 }, "*29": { status: 429, retryAfter: 30 } };
    await pressed("settings", { phones });
    const refused = await place({ "to.number": "090 41", actions: TALK });
    assert.equal(refused.status, 401);
    const nested = { from: { type: "internal", number: "9" }, to: { type: "external", number: "0129" }, actions: TALK };
    const limited = await ask(sandbox(), "POST", "/api/v1/call/call-out", nested);
    assert.deepEqual([limited.status, limited.headers["retry-after"]], [429, "30"]);
    assert.deepEqual((await view()).calls, []);
    assert.deepEqual((await view()).settings.phones, phones);
    await pressed("settings", { phones: {} });
    assert.equal((await place({ "to.number": "41", actions: TALK })).status, 200);
  });

  it("give the same calls again when the seed is given again", async () => {
    const settings = { answers: "ask", mix: { declines: 0.5, "never answers": 0.5 }, seed: 7 };
    const run = async () => {
      await pressed("settings", settings);
      for (let count = 0; count < 12; count++) await place();
      return sandbox()
        .calls(12)
        .map(({ callId }) => sandbox().state.phones.of(callId)?.behaviour);
    };
    const behaviours = await run();
    assert.deepEqual(new Set(behaviours), new Set(["declines", "never answers"]));
    await pressed("clear");
    assert.deepEqual(await run(), behaviours);
    assert.deepEqual(await run(), behaviours);
  });

  describe("addresses outside", () => {
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
      for (const other of [
        "http://10.0.0.1/",
        "http://10.0.0.1:1881/",
        "http://10.0.0.10:1880/",
        "ftp://10.0.0.1:1880/",
      ])
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

  it("name the node that asks", async () => {
    const headers = { Authentication: `Bearer ${token}`, "x-telephony-node": "abc.1" };
    await visit(sandbox().url + HOURS, { headers });
    await visit(sandbox().url + HOURS, { headers: { ...headers, "x-telephony-node": "<script>" } });
    assert.deepEqual(
      (await view()).requests.map(({ node }) => node),
      ["abc.1", undefined],
    );
  });
});
