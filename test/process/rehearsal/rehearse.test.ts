import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { runTest } from "../../../src/workshop/rehearsal/run-test";
import type { World } from "../../../src/workshop/rehearsal/world";
import { callOut, code, days, hostile, inject, inTab, LIMIT, office, tab } from "./flows";

describe("a rehearsal", () => {
  it("reports what calls say and how, all other requests, and what nodes outside were given", async () => {
    const about = { tenant: "office", target: "-" };
    const internal = { toKind: "internal", toKindType: "str" };
    const flows = [
      { ...tab, env: ["PASS", "PIN"].map((name) => ({ name, type: "cred" })) },
      { ...office, callingHours: "Office" },
      inTab("in", "http in", ["transfer", "make", "call", "out"], { url: "/in", method: "post" }),
      inTab("transfer", "call-transfer", [], { ...about, toNumber: "12", toNumberType: "str", ...internal }),
      inTab("make", "business-hour-create", [], about),
      callOut("call", {
        toNumber: "payload.number",
        actions: [{ action: "talk", text: "Hello", voice: "banmai", speed: 1, loop: 9 }],
      }),
      code(
        "out",
        'return { ...msg, topic: `a"${env.get("PASS")}`, payload: { of: "é".repeat(9000) }, filename: { pin: 4711 }, url: ["b"] };',
        "post",
      ),
      inTab("post", "http request", [], { name: "Shop" }),
    ];
    const days_ = [{ day: "mon", open: "08:00", close: "17:00" }];
    const body = { callId: "c1", number: "0911000009", name: "Tet", days: days_ };
    const inputs = [{ at: "09:00", post: "/in", body }];
    const { report } = await days(flows, { world: { env: { PASS: 'a"b', PIN: "4711" }, inputs } });
    assert.deepEqual(report.errors, []);
    assert.deepEqual(report.calls[0]?.actions, [{ text: "Hello", voice: "banmai", loop: "9", speed: 1 }]);
    assert.deepEqual(
      report.requests.map((each) => Object.values(each).slice(1)),
      [
        ["transfer", "transfer to user 12", "Office", "call-transfer", "12", "applied"],
        ["make", "create hours", "Office", "business-hour-create", "Tet", "applied"],
      ],
    );
    const { given } = report.outside[0] ?? { given: {} as Readonly<Record<string, unknown>> };
    const others = { topic: 'a"${PASS}', filename: '{"pin":${PIN}}', url: ["b"] };
    assert.deepEqual({ ...given, payload: "" }, { payload: "", ...others });
    assert.match(String(given["payload"]), /^\{"of":"é+$/);
    assert.equal(Buffer.byteLength(String(given["payload"])), 2047);
  });

  it("has no error for a repeated request that a webhook has answered", async () => {
    const flows = [
      ...[tab, office],
      inTab("hook", "telephony-webhook", ["call"], { path: "order" }),
      callOut("call", { toNumber: "payload.number", onceKey: "payload.id", onceKeyType: "msg" }),
    ];
    const body = { id: "1", number: "0911000009" };
    const inputs = ["09:00", "09:05"].map((at) => ({ at, post: "/order", body }));
    const { report } = await days(flows, { world: { inputs } });
    assert.deepEqual([report.errors, report.calls.length], [[], 1]);
    assert.deepEqual(
      report.notPlaced.map(({ code }) => code),
      ["ERR_DUPLICATE"],
    );
    assert.match(JSON.stringify(report.inputs[1]), /"status":200,"body":\{"accepted":true,"repeated":true\}/);
  });

  it("gives the same bytes twice: calls, errors, and what would have happened outside", async () => {
    const flows = [
      tab,
      { ...office, callingHours: "Office" },
      inject("hourly", "0 * * * *", "number"),
      code("number", 'msg.payload = "09000000" + (10 + Math.floor(Math.random() * 90)); return msg;', "ask", "once"),
      inTab("ask", "http request", ["change"], { name: "Ask", method: "GET", url: "https://crm.example.com" }),
      inTab("change", "subflow:sub", ["anytime"]),
      { id: "sub", type: "subflow", in: [{ wires: [{ id: "inner" }] }], out: [{ wires: [{ id: "inner", port: 0 }] }] },
      { ...code("inner", 'if (msg.payload === "0911000005") throw new Error("five"); return msg;'), z: "sub" },
      callOut("once", { name: "Once", onceKey: "x", onceKeyType: "str", onceFor: "36000" }),
      callOut("anytime", { anytime: true }),
      inTab("in", "http in", ["answer", "anytime"], { url: "/order", method: "post" }),
      code("answer", "return { ...msg, payload: { taken: msg.payload, at: msg.req.url } };", "out"),
      inTab("out", "http response", [], { statusCode: "202" }),
      inTab("queue", "mqtt in", ["anytime"], { name: "Queue", broker: "broker" }),
      { id: "broker", type: "mqtt-broker", name: "" },
    ];
    const world: World = {
      phones: { "*9": "declines", "*2": { status: 422 } },
      answers: { Ask: { payload: "0911000005", statusCode: 200 } },
      faults: [{ at: "15:00", until: "16:00", lost: true }],
      inputs: [
        { at: "08:30", post: `/order?of=\${NOWHERE}, Zoë`, body: "0911000009" },
        { at: "+9h", post: "/order", body: "0911000002" },
        { at: "15:00", get: "/gone" },
        { at: "15:30", node: "Queue", msg: { payload: "0911000001" } },
      ],
    };
    const [one, two] = await Promise.all([days(flows, { world }), days(flows, { world })]);
    const { report } = one;
    assert.equal(JSON.stringify(report), JSON.stringify(two.report));
    assert.equal(report.brokenOff, null);

    const of = (nodeId: string) => report.calls.filter((call) => call.nodeId === nodeId);
    assert.deepEqual(
      of("anytime").map(({ at, number, phone, outcome }) => [at, number, phone, outcome]),
      [
        ["2026-11-30T08:30:00+07:00", "0911000009", "declined", "applied"],
        ["2026-11-30T09:00:00+07:00", "0911000002", null, "rejected"],
        ["2026-11-30T15:30:00+07:00", "0911000001", "answered", "unknown"],
      ],
    );
    // The key is free again after ten hours, when the office is closed.
    assert.deepEqual(
      of("once").map(({ at, node, tenant, says }) => [at, node, tenant, says]),
      [["2026-11-30T08:00:00+07:00", "Once", "Office", ["Hello"]]],
    );
    assert.equal(report.outside.filter(({ node, answered }) => node === "Ask" && answered).length, 24);
    assert.equal(report.errors.filter(({ nodeId, message }) => nodeId === "inner" && /five/.test(message)).length, 24);
    assert.deepEqual(report.inputs[0], {
      at: "2026-11-30T08:30:00+07:00",
      kind: "post",
      target: `/order?of=\${NOWHERE}, Zoë`,
      status: 202,
      body: { taken: "0911000009", at: `/order?of=\${NOWHERE},%20Zo%c3%ab` },
    });
    assert.deepEqual(
      { ...report.inputs[2], body: "" },
      { at: "2026-11-30T15:00:00+07:00", kind: "get", target: "/gone", status: 404, body: "" },
    );
    const ended = report.notPlaced.filter(({ code: given }) => given === "ERR_DUPLICATE");
    assert.ok(ended.length > 10 && ended.every(({ number }) => /^09000000\d\d$/.test(number)));
    assert.deepEqual(
      report.notPlaced.filter(({ code: given }) => given === null).map(({ node, reason }) => [node, reason]),
      [["Once", "hours"]],
    );
  });

  it("gives each webhook a secret, sends it or signs with it, and leaves what brings its own to be checked", async () => {
    const webhook = (id: string, path: string, ...more: object[]) =>
      inTab(id, "telephony-webhook", ["call"], Object.assign({ path }, ...more));
    const flows = [
      ...[tab, office, callOut("call", { toNumber: "payload.n" })],
      webhook("hook", "Orders/", { credentials: { secret: "as the file has it" } }),
      webhook("named", "named", { credentials: { secret: `\${SHOP_SECRET}` } }),
      webhook("signed", "signed", { sign: "X-Hub-Signature-256", answer: "taken" }),
      inTab("own", "telephony-webhook", ["out"], { path: "own", answer: "flow" }),
      inTab("out", "http response", [], { statusCode: "201" }),
      webhook("off", "off", { d: true }),
      // The first one receives.
      webhook("second", "orders", { sign: "x-other" }),
    ];
    const given: readonly [path: string, headers: Readonly<Record<string, string>>, status: number][] = [
      ["/orders", {}, 200],
      ["/orders", { "X-Call-Secret": "as the file has it" }, 401],
      ["/orders?secret=", {}, 401],
      ["/ORDERS/", { Authorization: `Bearer \${hook_secret}` }, 200],
      ["/named", {}, 200],
      ["/named", { "x-call-secret": `\${SHOP_SECRET}` }, 200],
      ["/named", { "x-call-secret": `\${GONE}` }, 401],
      ["/signed", { "content-type": "application/json; charset=utf-8" }, 202],
      ["/signed", { "X-HUB-Signature-256": "0".repeat(64) }, 401],
      ["/signed", { "x-call-secret": `\${signed_secret}` }, 401],
      ["/own", { authorization: "Basic b3duOm93bg==" }, 201],
      ["/off", {}, 404],
    ];
    const inputs = given.map(([post, headers], index) => {
      const number = `09000000${10 + index}`;
      return { at: `09:${10 + index}`, post, headers, body: { n: number, name: "Zoë" } };
    });
    const { report } = await days(flows, { world: { env: { SHOP_SECRET: "of the shop" }, inputs } });
    assert.deepEqual(
      report.inputs.map(({ target, status }) => [target, status]),
      given.map(([path, , status]) => [path, status]),
    );
    const called = given.flatMap(([path, , status], index) =>
      status < 300 && path !== "/own" ? [`09000000${10 + index}`] : [],
    );
    assert.deepEqual(
      report.calls.map(({ number }) => number),
      called,
    );
    const when = [{ at: "09:00", post: "/orders", body: { n: "0900000001" } }];
    const then = [{ call: "0900000001" }, { response: 1, status: 200 }];
    const { result } = await runTest(
      { name: "A test", from: "2026-11-30", days: 1, when, then },
      { flows, limit: LIMIT },
    );
    assert.equal(result.isGreen, true);
  });

  it("goes through more days than a timer has, of a gate that shows its hours each minute", async () => {
    const week = ["mon", "tue", "wed"].map((day) => ({ day, open: "08:00", close: "17:00" }));
    const own = { source: "value", schedule: week, scheduleType: "list", timezone: "America/New_York" };
    const { report } = await days([tab, inTab("gate", "business-hour-gate", [], own)], { until: 26 });
    assert.equal(report.brokenOff, null);
  });

  it("knows the gate that was closed, and until when", async () => {
    const week = [{ day: "tue", open: "08:00", close: "17:00" }];
    const own = { source: "value", schedule: week, scheduleType: "list", timezone: "Asia/Ho_Chi_Minh" };
    const gate = inTab("gate", "business-hour-gate", ["call"], { ...own, name: "Office" });
    const flows = [
      tab,
      office,
      inTab("in", "http in", ["gate"], { url: "/in", method: "post" }),
      gate,
      callOut("call"),
    ];
    const { closed } = await days(flows, { world: { inputs: [{ at: "09:00", post: "/in" }] } });
    assert.deepEqual(closed, { nodeId: "gate", node: "Office", opensAt: "2026-12-01T08:00:00+07:00" });
  });

  it("gives the same bytes on another day: Intl in a function node, and the host of a request", async () => {
    const format = "new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' }).format()";
    const flows = [
      ...[tab, inTab("in", "http in", ["answer"], { url: "/in", method: "get" })],
      ...[code("answer", `msg.payload = ${format} + ' ' + msg.req.headers.host; return msg;`, "out")],
      inTab("out", "http response", []),
    ];
    const { report } = await days(flows, { world: { inputs: [{ at: "09:00", post: "/in", method: "GET" }] } });
    assert.equal(report.inputs[0]?.body, "Monday, November 30, 2026 127.0.0.1:1880");
  });

  it("gives the same random bytes and stamps twice", async () => {
    const text = `const crypto = require("node:crypto"); const { performance } = require("node:perf_hooks");
      const hex = (array) => Buffer.from(array.buffer).toString("hex");
      crypto.randomFill(new Uint8Array(8), (_, filled) => {
        const { startTime } = performance.mark("a");
        const event = Buffer.constructor("return new Event('x')")();
        const stamps = [startTime, event.timeStamp, performance.measure("b").duration].map((at) => at + performance.timeOrigin);
        const global = Buffer.constructor("return performance")();
        const same = [global.timeOrigin - performance.timeOrigin, performance.measure("c", "a").duration, Date.now() - performance.now() - performance.timeOrigin];
        const part = hex(crypto.randomFillSync(new Uint16Array(4), 1, 2));
        node.error(JSON.stringify({ stamps, same, part, other: [hex(filled), crypto.pseudoRandomBytes(8).toString("hex")] }));
      });`;
    const [one, two] = await Promise.all([hostile(text), hostile(text)]);
    assert.deepEqual(one.report.errors, two.report.errors);
    const { stamps, same, part } = JSON.parse(one.report.errors[0]?.message ?? "");
    const at = Date.parse("2026-11-30T09:00");
    assert.deepEqual(
      [stamps, same],
      [
        [at, at, at],
        [0, 0, 0],
      ],
    );
    assert.match(part, /^0000(?!0{8})[\da-f]{8}0000$/);
  });

  it("knows nothing of the machine", async () => {
    const { report } = await hostile(`const os = require("os"); const { uptime } = os;
      node.error(JSON.stringify([os.hostname(), os.uptime(), uptime() / 1, os.freemem(), os.loadavg()]));`);
    assert.equal(report.errors[0]?.message, '["rehearsal",86400,86400,1073741824,[0,0,0]]');
  });

  it("gives the same bytes on another machine: its folders, and a home", async () => {
    const home = JSON.stringify(join(homedir(), "x"));
    const { report } = await hostile(`node.error([process.cwd(), process.env.TMPDIR, ${home}].join(" "));`);
    assert.equal(report.errors[0]?.message, "/rehearsal/user /rehearsal/user ~/x");
  });

  for (const [home, shown] of [
    ["/", "https://a.example/data/x /data/x"],
    ["/data", "https://a.example/data/x ~/x"],
  ] as const)
    it(`shows addresses as they are, if the home is ${home}`, async () => {
      const { HOME } = process.env;
      process.env["HOME"] = home;
      try {
        const { report } = await hostile(`node.error("https://a.example/data/x /data/x");`);
        assert.equal(report.errors[0]?.message, shown);
      } finally {
        process.env["HOME"] = HOME;
      }
    });

  it("has the variables of its world once it is confined, and no others", async () => {
    const started: string[] = [];
    const read = (file: string) => {
      try {
        return readFileSync(file, "utf8");
      } catch {
        return "";
      }
    };
    const children = () => readFileSync("/proc/thread-self/children", "utf8").match(/\d+/g) ?? [];
    const wait = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000);";
    // Twice: the first progress may be read before the start of the flows is.
    const text = `node.error(Object.keys(process.env).sort().join(" ")); ${wait} setTimeout(() => { ${wait} }, 60_000);`;
    const { report, notes } = await hostile(text, {
      world: { env: { NAMED: "canary", OPENSSL_CONF: "/canary", Node_Options: "canary" } },
      // Of this process, and of others that it has started; one that has ended has none.
      onProgress: () => started.push(...children().map((id) => read(`/proc/${id}/environ`))),
    });
    assert.equal(report.errors[0]?.message, "HOME NAMED TMPDIR TZ UV_THREADPOOL_SIZE");
    assert.ok(started.some((text) => text.includes("UV_THREADPOOL_SIZE=1")));
    assert.deepEqual(
      started.filter((text) => text.includes("canary")),
      [],
    );
    assert.match(notes.join("\n"), /^Left out: OPENSSL_CONF, Node_Options\./m);
  });

  it("does not begin with a node set that cannot be loaded", async () => {
    const userDir = mkdtempSync(join(tmpdir(), "telephony-"));
    const folder = join(userDir, "node_modules", "node-red-contrib-moment");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "moment.html"), '<script type="text/html" data-template-name="moment"></script>');
    writeFileSync(join(folder, "moment.js"), 'throw new Error("broken");');
    const manifest = { name: "node-red-contrib-moment", version: "1.0.0", "node-red": { nodes: { m: "moment.js" } } };
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    try {
      await assert.rejects(days([tab, inTab("a", "moment", []), inTab("b", "of a stranger", [])], { userDir }), {
        message: 'Node-RED could not be started: Error: missing-types: ["moment"]',
      });
    } finally {
      rmSync(userDir, { recursive: true });
    }
  });

  it("is no test when a node could not start", async () => {
    const test = { name: "A test", from: "2026-11-30T00:00", days: 1, then: [{ nobodyElse: true as const }] };
    const flows = [tab, { ...code("run", ""), libs: [{ var: "os", module: "os" }] }];
    const running = { folder: undefined, nodesExcludes: [], functionExternalModules: false, env: {}, credentials: [] };
    await assert.rejects(runTest(test, { flows, running, limit: LIMIT }), /"function" could not start: /);
  });
});
