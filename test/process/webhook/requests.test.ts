import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { at, hook } from "../../support/process/node-red";
import { BY_SECRET, NUMBER, ORDER, SECRET, WebhookStage } from "../../support/process/webhook-stage";

const NOT_APPLIED = /^HTTP\/1\.1 503 .*{"accepted":false,"outcome":"not-applied"}$/s;

/** docs/contract/webhook.md, "Who may send" and "The message". */
describe("The requests of a webhook, in a process", () => {
  let stage: WebhookStage;
  const { send, seen, deploy }: Pick<WebhookStage, "send" | "seen" | "deploy"> = {
    send: (...args) => stage.send(...args),
    seen: () => stage.seen(),
    deploy: (...args) => stage.deploy(...args),
  };

  before(async () => {
    stage = await WebhookStage.start();
  });
  beforeEach(() => stage.tenant.reset());
  after(() => stage?.end());

  it("places one call for a request with the secret, and refuses the others before the flow", async () => {
    await deploy();
    const bringing: [Record<string, string>, string?][] = [
      [BY_SECRET],
      [{ authorization: `Bearer ${SECRET}` }],
      [{}, `/Orders/?secret=${encodeURIComponent(SECRET)}`],
    ];
    for (const [headers, path] of bringing) {
      stage.tenant.reset();
      assert.deepEqual((await send(ORDER, headers, path)).body, { accepted: true });
      assert.equal(stage.tenant.received.length, 1);
      assert.equal(JSON.parse(stage.tenant.received[0]?.text ?? "")["to.number"], NUMBER);
    }
    const before = stage.nodeRed.log.length;
    stage.tenant.reset();
    for (let n = 0; n < 1000; n += 1) {
      const { status, body } = await send(ORDER, n % 2 ? { "x-call-secret": `${SECRET}${n}` } : {});
      assert.deepEqual([status, body["accepted"]], [401, false]);
    }
    assert.equal(stage.tenant.received.length, 0);
    assert.equal((await seen()).length, bringing.length);
    assert.ok(stage.nodeRed.log.slice(before).split("\n").length <= 20, stage.nodeRed.log.slice(before));
  });

  it("emits the payload, what the request was, and the Idempotency-Key; the secret nowhere", async () => {
    await deploy();
    await send(ORDER, { ...BY_SECRET, "idempotency-key": "order-1" });
    const [message] = await seen();
    const { payload, webhook, requestId, ...rest } = message ?? {};
    assert.deepEqual({ payload, requestId }, { payload: ORDER, requestId: "order-1" });
    const { id, path, at } = webhook as Readonly<Record<string, string>>;
    assert.deepEqual([typeof id, path, new Date(at ?? "").toISOString()], ["string", "orders", at]);
    assert.deepEqual(Object.keys(rest), ["_msgid"]);
    assert.ok(!JSON.stringify(message).includes(SECRET));
    assert.equal((await send(ORDER, { ...BY_SECRET, "idempotency-key": "a b" })).status, 400);
  });

  it("reads JSON, forms as core does, and text, whatever type JSON has; refuses what it cannot read, and emits nothing for it", async () => {
    await deploy({ answer: "taken" });
    const key = BY_SECRET;
    const type = (name: string, more = {}) => ({ ...key, "content-type": name, ...more });
    const good: [unknown, Record<string, string>, unknown][] = [
      ['{"a":1}', type("application/json"), { a: 1 }],
      ["[1]", type("application/cloudevents+json; charset=UTF-8"), [1]],
      ["a[b]=1&c=d", type("application/x-www-form-urlencoded"), { a: { b: "1" }, c: "d" }],
      ["hello", type("text/plain"), "hello"],
      ["", key, {}],
      ["", type("image/png"), {}],
      // As templates write it.
      [
        '{"text": "PING\n3 packets lost,\tno answer"}\n',
        type("application/json"),
        { text: "PING 3 packets lost, no answer" },
      ],
      ['{"a":2}', type("application/x-www-form-urlencoded"), { a: 2 }],
      ["{a=1", type("application/x-www-form-urlencoded"), { "{a": "1" }],
      ['\ufeff \r\n{"a":3}', type("text/plain; charset=iso-8859-1"), { a: 3 }],
      [Buffer.from('{"a":4}'), type("application/octet-stream"), { a: 4 }],
      ['{"a":6}', type("application/json; charset=us-ascii"), { a: 6 }],
      [Buffer.from("[5]"), key, [5]],
      [Buffer.from("{orders}"), key, "{orders}"],
      [gzipSync('{"z":1}'), type("application/json", { "content-encoding": "gzip" }), { z: 1 }],
    ];
    for (const [body, headers] of good) assert.equal((await send(body, headers)).status, 202, String(body));
    assert.deepEqual(
      (await seen()).map(({ payload }) => payload),
      good.map(([, , payload]) => payload),
    );
    const logged = stage.nodeRed.prints("line 2");
    const { body } = await send('{"secretWord": 1,\n "b": }', type("application/json"));
    assert.match(String(body["message"]), /line 2\D+column 7/);
    assert.doesNotMatch(String(body["message"]), /secretWord/);
    await logged;
    for (const broken of ['{"a": "b\tc",\n "b": }', Buffer.from('{"a": 1,\n"e": "\u00e9"}', "latin1")])
      assert.match(String((await send(broken, type("application/json"))).body["message"]), /line 2\D+column 7/);
    const bomb = gzipSync(Buffer.alloc(64 * 2 ** 20));
    const bad: [unknown, Record<string, string>, number][] = [
      ["x".repeat(2 ** 20 + 1), type("text/plain"), 413],
      [bomb, type("application/json", { "content-encoding": "gzip" }), 413],
      ['{"__proto__":{"a":1}}', type("application/json"), 400],
      ["a[__proto__][b]=1", type("application/x-www-form-urlencoded"), 400],
      ["{", type("application/json"), 400],
      ["1", type("application/json"), 400],
      [Buffer.from([0xff, 0xfe]), type("application/json"), 400],
      ["{}", type("application/json; charset=utf-16"), 415],
      ["{}", type("application/json", { "content-encoding": "zstd" }), 415],
      ["a", type("multipart/form-data; boundary=x"), 400],
      ["a", type("image/png"), 415],
    ];
    for (const [body, headers, status] of bad)
      assert.equal((await send(body, headers)).status, status, String(body).slice(0, 40));
    assert.equal((await seen()).length, good.length);
  });

  /** Sends the head of a request. Resolves once Node-RED has it, and waits for the body. */
  const begin = async () => {
    const socket = connect(Number(new URL(stage.nodeRed.url).port), "127.0.0.1");
    let text = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    const told = once(socket, "close").then(() => text.replace(/^HTTP\/1\.1 100 .*\s+/, ""));
    const head = ["host: a", "connection: close", "expect: 100-continue", `x-call-secret: ${SECRET}`];
    const ofBody = ["content-type: application/json", "content-length: 2"];
    socket.write(`POST /orders HTTP/1.1\r\n${[...head, ...ofBody].join("\r\n")}\r\n\r\n`);
    await once(socket, "data");
    return { socket, told };
  };

  it("answers 408 for a body that does not come, and emits nothing for one that ends early", async () => {
    await deploy();
    const [early, late] = [await begin(), await begin()];
    early.socket.destroy();
    late.socket.write("{");
    assert.match(await late.told, /^HTTP\/1\.1 408 /);
    assert.equal((await seen()).length, 0);
  });

  it("closes the connection of a refused request that goes on", async () => {
    await deploy();
    const strangers = [{ "x-call-secret": "wrong" }, BY_SECRET, BY_SECRET].map((secret, index) => {
      const socket = connect(Number(new URL(stage.nodeRed.url).port), "127.0.0.1").resume();
      const head = {
        host: "a",
        ...secret,
        "content-type": "text/plain",
        "content-length": index === 1 ? 2 ** 21 : 2 ** 20,
      };
      const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
      socket.write(`POST /orders HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
      const drip = setInterval(() => socket.write("x"), 500);
      return new Promise((resolve) => socket.on("error", () => {}).on("close", resolve)).then(() =>
        clearInterval(drip),
      );
    });
    await Promise.all(strangers);
    // A request that has come as a whole keeps its connection.
    for (const secret of ["wrong", SECRET])
      assert.equal((await send(ORDER, { "x-call-secret": secret })).status, secret === SECRET ? 200 : 401);
  });

  it("says that nothing was done where the webhook is deleted, or Node-RED stops, before the body has come", async () => {
    for (const answer of ["outcome", "taken", "flow"]) {
      await deploy({ answer });
      const { socket, told } = await begin();
      await stage.nodeRed.deploy(stage.flow().filter(({ id }) => id !== "hook"));
      socket.write("{}");
      assert.match(await told, NOT_APPLIED, answer);
    }
    await deploy();
    const { told } = await begin();
    await stage.nodeRed.stop();
    assert.match(await told, NOT_APPLIED);
    await stage.restart();
  });

  it("verifies a signature of the raw body, in hex or base64, and nothing else", async () => {
    const secret = "It's a Secret to Everybody";
    const body = "Hello, World!";
    // GitHub's published example.
    const hex = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    // The editor reads bodies of addresses that begin as its own do.
    await deploy({ path: "telephony/x", sign: "X-Hub-Signature-256", answer: "taken", credentials: { secret } });
    const send: WebhookStage["send"] = (given, headers) => stage.send(given, headers, "/telephony/x");
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
    const headers = {
      "x-hub-signature-256": createHmac("sha256", secret).update("{}").digest("hex"),
      "content-type": "application/json",
    };
    // As a proxy writes it, too: the whole address.
    for (const path of ["/telephony/x", "http://a/Telephony/x"]) {
      const [answer] = await once(request(stage.nodeRed.url, { method: "POST", path, headers }).end("{}"), "response");
      assert.equal(answer.statusCode, 202, path);
    }
  });

  it("answers 405 to other methods, and 503 without a secret; ${NAME} is no secret if it is not set", async () => {
    await deploy();
    for (const method of ["GET", "HEAD", "PUT", "OPTIONS"]) {
      const { status, headers } = await send("", {}, "/orders", method);
      assert.deepEqual([status, headers.get("allow")], [405, "POST"], method);
    }
    // Another node answers it.
    assert.equal((await stage.nodeRed.get("/seen")).status, 200);
    const put = { ...hook("/orders", "echo"), method: "put" };
    await stage.nodeRed.deploy(stage.flow({}, {}, [put, at("echo", "http response", { headers: {} })]));
    const headers = { "content-type": "application/json" };
    const echo = await fetch(`${stage.nodeRed.url}/orders`, { method: "PUT", headers, body: '{"orderNo":7}' });
    assert.deepEqual([echo.status, await echo.text()], [200, '{"orderNo":7}']);
    await deploy({ credentials: { secret: "${CALL_SECRET}" } });
    assert.equal((await send(ORDER)).status, 200);
    await deploy({ credentials: { secret: "${NOT_SET}" } });
    for (const secret of ["${NOT_SET}", "", SECRET])
      assert.equal((await send(ORDER, { "x-call-secret": secret })).status, 503, secret);
    assert.equal(stage.nodeRed.log.match(/NOT_SET/g)?.length, 1);
  });

  it("lets the flow answer, with the secret removed", async () => {
    const reply = at("reply", "http response", { statusCode: "201", headers: {} });
    // All that a flow could find in it.
    const func = "msg.payload = util.inspect(msg.req, { depth: 6, showHidden: true }) + msg.payload; return msg;";
    const what = at("what", "function", { func }, ["reply"]);
    await deploy({ answer: "flow", wires: [["what"]] }, {}, [what, reply]);
    const answer = await fetch(`${stage.nodeRed.url}/orders?a=1&secret=${encodeURIComponent(SECRET)}`, {
      method: "POST",
      headers: { ...BY_SECRET, authorization: `Bearer ${SECRET}`, "content-type": "text/plain" },
      body: "hello",
    });
    const text = await answer.text();
    assert.equal(answer.status, 201);
    assert.match(text, / url: '\/orders\?a=1'/);
    assert.ok(!text.includes(SECRET) && !text.includes(encodeURIComponent(SECRET)), text);
    // Names of lists, under which it would stay in the address.
    assert.equal((await send(ORDER, {}, `/orders?secret[]=${encodeURIComponent(SECRET)}`)).status, 401);
  });

  it("gives a path to one node: the one that runs, else the first; an HTTP In node of the path keeps it", async () => {
    const second = { path: "/ORDERS/", answer: "taken", credentials: { secret: SECRET } };
    const other = at("other", "telephony-webhook", second, ["seen"]);
    const flow = () => stage.flow();
    await deploy({}, {}, [other]);
    assert.equal((await send(ORDER)).status, 200);
    const before = stage.nodeRed.log.length;
    await stage.nodeRed.deploy([...flow().filter(({ id }) => id !== "hook"), other]);
    assert.equal((await send(ORDER)).status, 202);
    // The one that runs keeps it.
    await stage.nodeRed.deploy([...flow(), other]);
    assert.equal((await send(ORDER)).status, 202);
    assert.match(stage.nodeRed.log.slice(before), /\/orders/);
    const done = at("done", "http response", { statusCode: "299", headers: {} });
    const inSubflow = { ...other, id: "inner", z: "sub", wires: [] };
    const subflow = [{ id: "sub", type: "subflow", name: "", in: [], out: [] }, at("instance", "subflow:sub", {})];
    await deploy({}, {}, [inSubflow, ...subflow]);
    assert.equal((await send(ORDER)).status, 200);
    for (const core of [hook("${CORE_PATH}", "done"), { ...hook("/orders", "done"), z: "sub" }]) {
      const answers = { ...done, z: core["z"] };
      await deploy({}, {}, [{ ...core, id: "core" }, answers, ...subflow]);
      assert.equal((await send(ORDER)).status, 299);
    }
    // The editor's address remains the editor's.
    const taken = stage.nodeRed.prints("Path taken");
    await stage.nodeRed.deploy(stage.flow({ path: "flows" }));
    await taken;
    // It has none at this one, only below.
    await deploy({ path: "debug" });
    assert.equal((await send(ORDER, BY_SECRET, "/debug")).status, 200);
  });
});
