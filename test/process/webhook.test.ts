import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { LiveTenant } from "../support/live-tenant";
import { eventually } from "../support/process/eventually";
import { type FlowNode, NodeRed } from "../support/process/node-red";
import { userFolder } from "../support/process/user-folder";

const SECRET = "a secret of the webhook's test";
const TOKEN = "token-of-the-webhook-test";
const NUMBER = "84901234567";
const PLACE = { z: "tab", x: 100, y: 100 };

interface Sent {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
}

/** docs/contract: "Webhook". */
describe("The webhook node, in a process", () => {
  let folder: string;
  let tenant: LiveTenant;
  let nodeRed: NodeRed;

  before(async () => {
    tenant = await LiveTenant.start();
    folder = await userFolder();
    nodeRed = await NodeRed.start(folder, { CALL_SECRET: SECRET });
  });
  beforeEach(() => tenant.reset());
  after(() => {
    nodeRed?.kill();
    tenant?.stop();
  });

  const flow = (webhook: object = {}, call: object = {}, more: readonly FlowNode[] = []): FlowNode[] => [
    { id: "tab", type: "tab", label: "Orders" },
    {
      id: "tenant",
      type: "telephony-tenant",
      credentials: { token: TOKEN },
      ...{ url: tenant.url, mode: "live", engine: "memory", fromNumber: "0000000000", onTrouble: "fail" },
    },
    {
      ...{ ...PLACE, id: "hook", type: "telephony-webhook", path: "orders", wires: [["call", "seen"]] },
      ...{ credentials: { secret: SECRET }, ...webhook },
    },
    {
      ...{ ...PLACE, id: "call", type: "call-out", tenant: "tenant", wires: [[]] },
      ...{ toNumber: "payload.phone", toNumberType: "msg", fromNumber: "", toKind: "external", toKindType: "str" },
      ...{ actions: [{ action: "talk", text: "Hello", textType: "str" }], actionsType: "list", answerUrl: "" },
      ...{ target: "-", ...call },
    },
    {
      ...{ ...PLACE, id: "seen", type: "change", wires: [[]] },
      rules: [{ t: "set", p: "seen", pt: "global", to: '$append($globalContext("seen"), [$$])', tot: "jsonata" }],
    },
    { ...PLACE, id: "look", type: "http in", method: "get", url: "/seen", wires: [["show"]] },
    {
      ...{ ...PLACE, id: "show", type: "change", wires: [["shown"]] },
      rules: [{ t: "set", p: "payload", pt: "msg", to: '$append([], $globalContext("seen"))', tot: "jsonata" }],
    },
    { ...PLACE, id: "shown", type: "http response", headers: { "content-type": "application/json" }, wires: [] },
    ...more,
  ];
  const deploy = async (...parts: Parameters<typeof flow>) => {
    await nodeRed.renew();
    await nodeRed.deploy(flow(...parts));
  };
  const seen = async () => (await (await nodeRed.get("/seen")).json()) as Readonly<Record<string, unknown>>[];

  const send = async (
    body: unknown,
    headers: Record<string, string> = { "x-call-secret": SECRET },
    path = "/orders",
    method = "POST",
  ): Promise<Sent> => {
    const isRaw = typeof body === "string" || Buffer.isBuffer(body);
    const answer = await fetch(nodeRed.url + path, {
      method,
      headers: { ...(isRaw ? {} : { "content-type": "application/json" }), ...headers },
      ...(method === "POST" && { body: isRaw ? (body as string) : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text.startsWith("{") ? JSON.parse(text) : {}, headers: answer.headers };
  };
  const ORDER = { phone: NUMBER };

  it("places one call for a request with the secret, and refuses the others before the flow", async () => {
    await deploy();
    const bringing: [Record<string, string>, string?][] = [
      [{ "x-call-secret": SECRET }],
      [{ authorization: `Bearer ${SECRET}` }],
      [{}, `/Orders/?secret=${encodeURIComponent(SECRET)}`],
    ];
    for (const [headers, path] of bringing) {
      tenant.reset();
      assert.deepEqual((await send(ORDER, headers, path)).body, { accepted: true });
      assert.equal(tenant.received.length, 1);
      assert.equal(JSON.parse(tenant.received[0]?.text ?? "")["to.number"], NUMBER);
    }
    const before = nodeRed.log.length;
    tenant.reset();
    for (let n = 0; n < 1000; n += 1) {
      const { status, body } = await send(ORDER, n % 2 ? { "x-call-secret": `${SECRET}${n}` } : {});
      assert.deepEqual([status, body["accepted"]], [401, false]);
    }
    assert.equal(tenant.received.length, 0);
    assert.equal((await seen()).length, bringing.length);
    assert.ok(nodeRed.log.slice(before).split("\n").length <= 20, nodeRed.log.slice(before));
  });

  it("emits the payload, what the request was, and the Idempotency-Key; the secret nowhere", async () => {
    await deploy();
    await send(ORDER, { "x-call-secret": SECRET, "idempotency-key": "order-1" });
    const [message] = await seen();
    const { payload, webhook, requestId, ...rest } = message ?? {};
    assert.deepEqual({ payload, requestId }, { payload: ORDER, requestId: "order-1" });
    const { id, path, at } = webhook as Readonly<Record<string, string>>;
    assert.deepEqual([typeof id, path, new Date(at ?? "").toISOString()], ["string", "orders", at]);
    assert.deepEqual(Object.keys(rest), ["_msgid"]);
    assert.ok(!JSON.stringify(message).includes(SECRET));
    assert.equal((await send(ORDER, { "x-call-secret": SECRET, "idempotency-key": "a b" })).status, 400);
  });

  it("reads JSON, forms as core does, and text; refuses what it cannot read, and emits nothing for it", async () => {
    await deploy({ answer: "taken" });
    const key = { "x-call-secret": SECRET };
    const type = (name: string, more = {}) => ({ ...key, "content-type": name, ...more });
    const good: [unknown, Record<string, string>, unknown][] = [
      ['{"a":1}', type("application/json"), { a: 1 }],
      ["[1]", type("application/cloudevents+json; charset=UTF-8"), [1]],
      ["a[b]=1&c=d", type("application/x-www-form-urlencoded"), { a: { b: "1" }, c: "d" }],
      ["hello", type("text/plain"), "hello"],
      ["", key, {}],
      [gzipSync('{"z":1}'), type("application/json", { "content-encoding": "gzip" }), { z: 1 }],
    ];
    for (const [body, headers] of good) assert.equal((await send(body, headers)).status, 202, String(body));
    assert.deepEqual(
      (await seen()).map(({ payload }) => payload),
      good.map(([, , payload]) => payload),
    );
    const bomb = gzipSync(Buffer.alloc(64 * 2 ** 20));
    const bad: [unknown, Record<string, string>, number][] = [
      ["x".repeat(2 ** 20 + 1), type("text/plain"), 413],
      [bomb, type("application/json", { "content-encoding": "gzip" }), 413],
      ['{"__proto__":{"a":1}}', type("application/json"), 400],
      ["{", type("application/json"), 400],
      ["1", type("application/json"), 400],
      [Buffer.from([0xff, 0xfe]), type("application/json"), 400],
      ["{}", type("application/json; charset=utf-16"), 415],
      ["{}", type("application/json", { "content-encoding": "zstd" }), 415],
      ["a", type("multipart/form-data; boundary=x"), 415],
      ["a", type("image/png"), 415],
    ];
    for (const [body, headers, status] of bad)
      assert.equal((await send(body, headers)).status, status, String(body).slice(0, 40));
    assert.equal((await seen()).length, good.length);
  });

  it("answers 408 for a body that does not come, and emits nothing for one that ends early", async () => {
    await deploy();
    const { port } = new URL(nodeRed.url);
    const raw = (ends: boolean) =>
      new Promise<string>((resolve) => {
        let text = "";
        const socket = connect(Number(port), "127.0.0.1", () => {
          const head = `POST /orders HTTP/1.1\r\nhost: a\r\nx-call-secret: ${SECRET}\r\ncontent-type: application/json\r\ncontent-length: 20\r\n\r\n{"phone"`;
          socket.write(head, () => ends && socket.destroy());
        });
        socket.on("data", (chunk) => {
          text += chunk;
          socket.end();
        });
        socket.on("close", () => resolve(text));
      });
    await raw(true);
    assert.match(await raw(false), /^HTTP\/1\.1 408 /);
    assert.equal((await seen()).length, 0);
  });

  it("verifies a signature of the raw body, in hex or base64, and nothing else", async () => {
    const secret = "It's a Secret to Everybody";
    const body = "Hello, World!";
    // GitHub's published example.
    const hex = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    await deploy({ sign: "X-Hub-Signature-256", answer: "taken", credentials: { secret } });
    const signed = (signature: string) => ({ "x-hub-signature-256": signature, "content-type": "text/plain" });
    const base64 = createHmac("sha256", secret).update(body).digest("base64");
    for (const signature of [`sha256=${hex}`, hex.toUpperCase(), base64, base64.replace("=", "")])
      assert.equal((await send(body, signed(signature))).status, 202, signature);
    assert.equal((await send("Hello, World?", signed(`sha256=${hex}`))).status, 401);
    assert.equal((await send(body, { "x-call-secret": secret, "content-type": "text/plain" })).status, 401);
    const zipped = gzipSync(body);
    const ofZipped = createHmac("sha256", secret).update(zipped).digest("hex");
    assert.equal((await send(zipped, { ...signed(ofZipped), "content-encoding": "gzip" })).status, 202);
    assert.equal((await seen()).length, 5);
  });

  it("answers 405 to other methods, and 503 without a secret; ${NAME} is no secret if it is not set", async () => {
    await deploy();
    for (const method of ["GET", "HEAD", "PUT"]) {
      const { status, headers } = await send("", {}, "/orders", method);
      assert.deepEqual([status, headers.get("allow")], [405, "POST"], method);
    }
    // Another node answers it.
    assert.equal((await nodeRed.get("/seen")).status, 200);
    await deploy({ credentials: { secret: "${CALL_SECRET}" } });
    assert.equal((await send(ORDER)).status, 200);
    const before = nodeRed.log.length;
    await deploy({ credentials: { secret: "${NOT_SET}" } });
    for (const secret of ["${NOT_SET}", "", SECRET])
      assert.equal((await send(ORDER, { "x-call-secret": secret })).status, 503, secret);
    assert.ok(nodeRed.log.slice(before).includes("NOT_SET") || nodeRed.log.includes("NOT_SET"));
  });

  const once = { onceKey: "payload.phone", onceKeyType: "msg", onceFor: "60" };

  it("answers what became of the call", async () => {
    await deploy();
    assert.equal((await send({})).body["code"], "ERR_INPUT");
    assert.equal((await send({})).status, 400);
    tenant.answers(() => ({ status: 422, body: { success: false, code: 422, message: "number 84999 of Erika" } }));
    const refused = await send(ORDER);
    assert.deepEqual(
      [refused.status, refused.body["code"], refused.body["outcome"]],
      [502, "ERR_REJECTED", "rejected"],
    );
    assert.ok(!JSON.stringify(refused.body).includes("Erika"));
    tenant.answers(() => ({ status: 401, body: { success: false, code: 401, message: "" } }));
    assert.equal((await send(ORDER)).status, 500);
    tenant.answers(() => ({ status: 500, body: "" }));
    assert.deepEqual([(await send(ORDER)).status, (await send(ORDER)).body["outcome"]], [504, "unknown"]);
  });

  it("answers a dated call at once, with until when it waits", async () => {
    const at = new Date(Date.now() + 3_600_000).toISOString();
    await deploy({}, { notBefore: at, notBeforeType: "str" });
    assert.deepEqual(await send(ORDER).then(({ status, body }) => ({ status, body })), {
      status: 202,
      body: { accepted: true, waitsFor: "date", until: at },
    });
  });

  it("answers a call that waits for its turn, or for the end of a pause, within seconds", async () => {
    const release = tenant.hold();
    await deploy({}, {}, []);
    const [first, second] = [send(ORDER), send(ORDER)];
    await eventually(() => tenant.received.length === 2 || undefined);
    release();
    assert.deepEqual([(await first).status, (await second).status], [200, 200]);
  });

  it("gives the same key one call and the same answer, once with `repeated`", async () => {
    await deploy({}, once);
    const release = tenant.hold();
    const both = [send(ORDER), send(ORDER)];
    await eventually(() => tenant.received.length === 1 || undefined);
    release();
    const answers = await Promise.all(both);
    assert.equal(tenant.received.length, 1);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    );
    assert.deepEqual(answers.filter(({ body }) => body["repeated"] === true).length, 1);
    assert.deepEqual((await send(ORDER)).body, { accepted: true, repeated: true });
  });

  it("tells both when the first is refused, and calls at the third", async () => {
    await deploy({}, once);
    const release = tenant.hold();
    tenant.answers(() => ({ status: 422, body: { success: false, code: 422, message: "no" } }));
    const order = { phone: "84901234999" };
    const both = [send(order), send(order)];
    await eventually(() => tenant.received.length === 1 || undefined);
    release();
    for (const { status, body } of await Promise.all(both)) assert.deepEqual([status, body["accepted"]], [502, false]);
    tenant.answers(() => ({}));
    assert.equal((await send(order)).status, 200);
    assert.equal(tenant.received.length, 2);
  });

  it("answers the same client across a deploy", async () => {
    await deploy();
    const release = tenant.hold();
    const answer = send(ORDER);
    await eventually(() => tenant.received.length === 1 || undefined);
    await nodeRed.deploy(flow({}, { name: "Renamed" }));
    release();
    assert.equal((await answer).status, 200);
  });

  it("is answered by a gate whose output leads nowhere, and 202 where nothing of ours ends it", async () => {
    const gate = (id: string, enabled: object) => ({
      ...{ ...PLACE, id, type: "business-hour-gate", tenant: "", source: "value", timezone: "UTC", wires: [[], []] },
      ...{ schedule: { days: [] }, scheduleType: "json", ...enabled },
    });
    await deploy({ wires: [["gate"]] }, {}, [gate("gate", {})]);
    assert.deepEqual((await send(ORDER)).body, { accepted: false, reason: "closed" });
    await deploy({ wires: [["seen"]] });
    assert.deepEqual((await send(ORDER)).body, { accepted: true, waitsFor: "flow" });
  });

  it("lets the flow answer, with the secret removed", async () => {
    const reply = { ...PLACE, id: "reply", type: "http response", statusCode: "201", headers: {}, wires: [] };
    const what = {
      ...{ ...PLACE, id: "what", type: "function", wires: [["reply"]] },
      func: "msg.payload = [msg.req.url, msg.req.query, msg.req.headers, msg.req.rawHeaders, msg.payload]; return msg;",
    };
    await deploy({ answer: "flow", wires: [["what"]] }, {}, [what, reply]);
    const answer = await fetch(`${nodeRed.url}/orders?a=1&secret=${encodeURIComponent(SECRET)}`, {
      method: "POST",
      headers: { "x-call-secret": SECRET, authorization: `Bearer ${SECRET}`, "content-type": "text/plain" },
      body: "hello",
    });
    const text = await answer.text();
    assert.equal(answer.status, 201);
    assert.match(text, /"\/orders\?a=1"/);
    assert.ok(!text.includes(SECRET) && !text.includes(encodeURIComponent(SECRET)), text);
  });

  it("gives a path to one node: the one that runs, else the first; an HTTP In node of the path keeps it", async () => {
    const other = {
      ...{ ...PLACE, id: "other", type: "telephony-webhook", path: "/ORDERS/", wires: [["seen"]] },
      ...{ answer: "taken", credentials: { secret: SECRET } },
    };
    await deploy({}, {}, [other]);
    assert.equal((await send(ORDER)).status, 200);
    const before = nodeRed.log.length;
    await nodeRed.deploy([...flow().filter(({ id }) => id !== "hook"), other]);
    assert.equal((await send(ORDER)).status, 202);
    // The one that runs keeps it.
    await nodeRed.deploy([...flow(), other]);
    assert.equal((await send(ORDER)).status, 202);
    assert.match(nodeRed.log.slice(before), /\/orders/);
    const core = { ...PLACE, id: "core", type: "http in", method: "post", url: "/orders", wires: [["done"]] };
    const done = { ...PLACE, id: "done", type: "http response", statusCode: "299", headers: {}, wires: [] };
    await nodeRed.deploy([...flow(), other, core, done]);
    assert.equal((await send(ORDER)).status, 299);
  });

  for (const engine of ["memory", "file"])
    it(`answers at a stop, engine ${engine}: what is told 503 never rings, what is told 202 goes on`, async () => {
      await nodeRed.renew();
      const [tab, own, ...rest] = flow();
      await nodeRed.deploy([tab, { ...own, engine }, ...rest] as FlowNode[]);
      const release = tenant.hold();
      const numbers = Array.from({ length: 20 }, (_, n) => `8490123${1000 + n}`);
      const answers = numbers.map((phone) => send({ phone }));
      // Of eight places, two are kept for calls that are under way.
      await eventually(async () => (tenant.received.length === 6 && (await seen()).length === 20) || undefined);
      const stops = nodeRed.prints("Stopping flows");
      const exit = nodeRed.stop();
      await stops;
      release();
      await exit;
      const told = await Promise.all(answers);
      nodeRed = await NodeRed.start(folder, { CALL_SECRET: SECRET });
      const rung = () => tenant.received.map(({ text }) => String(JSON.parse(text)["to.number"]));
      if (engine === "file") await eventually(() => rung().length === 20 || undefined);
      assert.equal(new Set(rung()).size, rung().length);
      for (const [n, { status, body }] of told.entries()) {
        const hasRung = rung().includes(numbers[n] ?? "");
        // On a slow machine, its turn had not come within two seconds.
        const isInMemory = engine === "memory" && body["waitsFor"] === "turn";
        if (!isInMemory) assert.equal(hasRung, [200, 202].includes(status), `${numbers[n]}: ${status}`);
        assert.ok([200, 202, 503].includes(status));
      }
      assert.equal(told.filter(({ status }) => status === 200).length, 6);
    });
});
