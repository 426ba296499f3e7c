import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OffersAnswer } from "../../../src/workshop/admin/rehearsal/rehearsal-routes";
import type { RehearsalState } from "../../../src/workshop/admin/rehearsal/rehearsals";
import { eventually, LONG_MS } from "../../support/process/eventually";
import { type FlowNode, NodeRed } from "../../support/process/node-red";
import { userFolder } from "../../support/process/user-folder";

const TOKEN = "canary-token-of-the-tenant";
const TAB_SECRET = "canary-secret-of-the-tab";
const place = { z: "tab", x: 1, y: 1 };
const READING = `const process = Buffer.constructor("return process")();
  const read = ["NAMED", "TAB_SECRET", "tenant_token", "ALSO", "OF_TAB", "NODE_NAMED"].map((name) => env.get(name));
  void [env.get("NAMED"), env.get("TAB_SECRET"), env.get("tenant_token"), env.get("ALSO"), env.get("OF_TAB"), env.get("NODE_NAMED"), env.get("PART")];
  msg.payload = { read, env: process.env, headers: msg.req?.headers, query: msg.req?.query }; return msg;`;
const code = (func: string): FlowNode => ({
  ...place,
  id: "code",
  type: "function",
  func,
  outputs: 1,
  libs: [],
  wires: [["out"]],
});
const flows = (func: string): FlowNode[] => [
  {
    ...{ id: "tab", type: "tab", label: "Tab" },
    env: [
      { name: "TAB_SECRET", type: "cred", value: "" },
      { name: "OF_TAB", type: "str", value: "of the tab" },
    ],
  },
  { id: "tenant", type: "telephony-tenant", mode: "sandbox", fromNumber: "100" },
  { ...place, id: "in", type: "http in", url: "/in", method: "post", wires: [["code"]] },
  code(func),
  { ...place, id: "out", type: "http response", wires: [] },
];
/** The modules that Node-RED itself has loaded. */
const LOADED = `const { _cache } = Buffer.constructor("return process")().getBuiltinModule("module");
  msg.payload = Object.keys(_cache); return msg;`;
const NAMES = ["TAB_SECRET", "tenant_token", "ALSO", "NAMED", "OF_TAB", "UNNAMED"];
const DAY = { from: "2026-12-01T00:00", days: 1 };
const INPUT = {
  ...{ at: "09:00", post: `/in?q=\${TAB_SECRET}` },
  headers: Object.fromEntries(NAMES.map((name) => [`x-${name.toLowerCase()}`, `\${${name}}`])),
};

describe("a rehearsal from the tab", () => {
  let nodeRed: NodeRed;
  let folder: string;

  before(async () => {
    folder = await userFolder();
    const values = {
      NAMED: "named",
      UNNAMED: "unnamed",
      ALSO: TOKEN,
      PART: `Bearer ${TOKEN}`,
      NODE_NAMED: "x",
      PATH: "",
    };
    nodeRed = await NodeRed.start(folder, values);
    const [tab, tenant, ...others] = flows(LOADED);
    await nodeRed.deploy([
      { ...(tab as FlowNode), credentials: { map: { TAB_SECRET } } },
      { ...(tenant as FlowNode), credentials: { token: TOKEN } },
      ...others,
    ]);
  });
  after(() => nodeRed?.kill());

  const ask = async (what: string, body?: unknown): Promise<Record<string, never> & RehearsalState> => {
    const path = `/telephony/rehearsal${what}`;
    const answer = await (body ? nodeRed.post(path, body, { origin: nodeRed.url }) : nodeRed.get(path));
    return (await answer.json()) as never;
  };
  const run = async (body: unknown) => {
    await ask("", body);
    return eventually(async () => {
      const state = await ask("");
      return state.isRunning ? undefined : state;
    }, LONG_MS);
  };
  const page = async () => (await nodeRed.get("/telephony/rehearsal/report")).text();
  /** The first answer of the flow in the report. */
  const answered = async () => {
    const [, json = ""] = /<code>(\{.*?\})<\/code>/s.exec(await page()) ?? [];
    return JSON.parse(json.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&lt;", "<"));
  };

  it("takes the Node-RED that runs, and no credential of it", async () => {
    const { problem, notes, report } = await run({ ...DAY, flows: flows(READING), inputs: [INPUT] });
    assert.equal(problem, undefined);
    assert.equal(report?.brokenOff, null);
    assert.ok(notes?.some((note) => note.includes("NODE_NAMED")));
    assert.doesNotMatch(await page(), /canary/);
    const { read, env, headers, query } = await answered();
    assert.deepEqual([read[0], read[4], read[5]], ["named", "of the tab", null]);
    assert.equal(env.UNNAMED, undefined);
    // The same stand-in wherever the name occurs.
    assert.deepEqual([headers["x-tab_secret"], headers["x-tenant_token"], headers["x-also"]], read.slice(1, 4));
    assert.equal(query.q, read[1]);
    assert.ok(read.slice(1, 4).every((value: string) => value.length > 8));
    assert.deepEqual(
      [headers["x-named"], headers["x-of_tab"], headers["x-unnamed"]],
      ["named", "of the tab", `\${UNNAMED}`],
    );
    assert.equal(headers.host, "127.0.0.1:1880");
  });

  it("ends with Node-RED, also in an endless loop", async () => {
    const other = await NodeRed.start(await userFolder());
    const name = `pid-${process.pid}`;
    const looping = `const process = Buffer.constructor("return process")(); const fs = process.getBuiltinModule("fs");
      fs.writeFileSync("${name}", String(process.pid)); for (;;);`;
    const body = { ...DAY, flows: flows(looping), inputs: [{ at: "09:00", post: "/in" }] };
    await other.post("/telephony/rehearsal", body, { origin: other.url });
    const pid = await eventually(() => {
      const folders = readdirSync(tmpdir()).filter((each) => each.startsWith("telephony-rehearsal-"));
      const file = folders.map((each) => join(tmpdir(), each, "user", name)).find(existsSync);
      return Number(file && readFileSync(file, "utf8")) || undefined;
    }, LONG_MS);
    await other.stop();
    await eventually(() => {
      assert.throws(() => process.kill(pid, 0), { code: "ESRCH" });
      return true;
    }, LONG_MS);
  });

  it("makes the report in another thread than Node-RED's own", async () => {
    await run({ ...DAY, flows: flows("return msg;") });
    await page();
    const loaded = (await (await nodeRed.post("/in", {})).json()) as string[];
    assert.ok(loaded.some((file) => file.endsWith("rehearsals.js")));
    assert.deepEqual(
      loaded.filter((file) => /(rehearse|recording|make-report|html)\.js$/.test(file) && file.includes("call-actions")),
      [],
    );
  });

  it("breaks off, and its test is red, when a flow writes to the file of its events", async () => {
    const writing = flows(`${READING.split("\n")[0]} process.getBuiltinModule("fs").writeSync(3, "x\\n"); return msg;`);
    const { report } = await run({ ...DAY, flows: writing, inputs: [INPUT], language: "de" });
    assert.match(report?.brokenOff ?? "", /^Bis \S+ hatte der Flow in Dateideskriptor 3 geschrieben, /);
    assert.match(await page(), />Der Probelauf endete vorzeitig: Bis \S+ \S+ hatte der Flow in Dateideskriptor 3 /);
    const test = { ...DAY, name: "A test", when: [INPUT], then: [{ nobodyElse: true }] };
    const [result] = (await run({ flows: writing, tests: [test] })).tests ?? [];
    assert.equal(result?.isGreen, false);
    assert.match(result.problem ?? "", /^By \S+ the flow had written to file descriptor 3/);
  });

  it("does not run nodes that the settings exclude", async () => {
    const json: FlowNode = { ...place, id: "json", type: "json", wires: [[]] };
    const { notes = [] } = await run({ ...DAY, flows: [...flows("return msg;"), json] });
    assert.deepEqual(notes, ["Nodes of these types are not run: json."]);
  });

  const node = { id: "a", type: "debug" };
  /** Of what prepares a rehearsal, test/unit/rehearsal proves each sentence. */
  const odd: readonly unknown[] = [
    { flows: null },
    { flows: [] },
    { flows: [{ ...node, env: [null] }], days: "1" },
    { flows: [node], tests: [{ name: "A" }] },
    { flows: [node], inputs: 1 },
    { flows: [node], language: {} },
  ];
  for (const body of odd)
    it(`is refused in a sentence: ${JSON.stringify(body)}`, async () => {
      assert.match(
        (await run(body)).problem ?? "",
        /^(This is no flow file|The \S+ (field )?must |The \S+ field is required|It could not be rehearsed: its flows cannot be read)/,
      );
    });

  it("saves tests without following a link", async () => {
    const outside = join(folder, "outside");
    writeFileSync(outside, "as before");
    for (const name of ["flows.tests.json.new", "flows.tests.json"]) symlinkSync(outside, join(folder, name));
    const tests = [{ ...DAY, name: "Saved", then: [{ nobodyElse: true }] }];
    assert.deepEqual((await ask("/tests", { tests })).tests?.length, 1);
    assert.equal(readFileSync(outside, "utf8"), "as before");
    assert.ok(lstatSync(join(folder, "flows.tests.json")).isFile());
  });

  it("offers what came in, without any of the secrets that were planted in it", async () => {
    const secret = "canary-secret-of-a-webhook";
    const [tab, tenant] = flows("");
    const webhook = (id: string, more: object): FlowNode => ({
      ...{
        ...place,
        id,
        type: "telephony-webhook",
        path: id,
        answer: "taken",
        credentials: { secret },
        wires: [["read"]],
      },
      ...more,
    });
    const names = [
      "x-shop",
      "x-api-key",
      "x-forwarded-for",
      "authorization",
      "cookie",
      "x-call-secret",
      "idempotency-key",
    ];
    const read = code(`${names.map((name) => `msg.req.headers["${name}"]`).join()}, msg.requestId, msg.payload.phone`);
    const asked: FlowNode = { ...place, id: "asked", type: "http in", url: "/asked", method: "post", wires: [["out"]] };
    const out: FlowNode = { ...place, id: "out", type: "http response", wires: [] };
    const press: FlowNode = { ...place, id: "press", type: "inject", crontab: "30 08 * * 1", wires: [["read"]] };
    const deployed: FlowNode[] = [
      { ...(tab as FlowNode), label: "1 Hello", credentials: { TAB_SECRET } },
      { ...(tenant as FlowNode), credentials: { token: TOKEN } },
      { ...read, id: "read" },
      ...[asked, out, press],
      webhook("plain", {}),
      webhook("header", { header: "x-shop-key" }),
      webhook("signed", { sign: "x-signature" }),
      webhook("idle", {}),
    ];
    await nodeRed.deploy(deployed);
    const planted = Array.from({ length: 4 }, (_, index) => `canary-of-a-login-${index}`);
    const about = {
      ...{ authorization: `Bearer ${secret}`, "proxy-authorization": planted[0], cookie: `id=${planted[1]}` },
      ...{ "x-api-key": TOKEN, "x-shop": "An", "x-unnamed": planted[2], "idempotency-key": "order-17" },
    } as Record<string, string>;
    const body = {
      ...{ phone: "0900000001", token: TOKEN, said: `The token is ${TOKEN}.`, deep: [{ at: [TAB_SECRET, secret] }] },
      ...{ [TOKEN]: 1, named: "named" },
    };
    const send = async (path: string, headers: Record<string, string>) =>
      (await nodeRed.post(path, body, { ...about, ...headers })).status;
    const signature = createHmac("sha256", secret).update(JSON.stringify(body)).digest("hex");
    const query = `?secret=${secret}&key=${encodeURIComponent(TOKEN)}&of=shop`;
    assert.deepEqual(
      [
        ...[await send(`/plain${query}`, {}), await send("/plain", { authorization: "Bearer wrong" })],
        await send(`/header${query}`, { "x-shop-key": secret }),
        await send(`/signed${query}`, { "x-signature": signature }),
      ],
      [202, 401, 202, 202],
    );
    for (let count = 0; count < 4; count += 1) await nodeRed.post("/plain", { count }, { "x-call-secret": secret });
    const form = { "x-call-secret": secret, "content-type": "application/x-www-form-urlencoded" };
    await fetch(`${nodeRed.url}/idle`, { method: "POST", headers: form, body: "phone=0901" });
    await nodeRed.post("/plain", { long: "x".repeat(17_000) }, { "x-call-secret": secret });
    const given = deployed.map((node) => ({ ...node, credentials: undefined }));
    const waited = ask("/wait", { flows: given, node: "asked" });
    await eventually(async () => {
      const answer = await Promise.race([waited, send(`/asked${query}`, { authorization: "Basic eDp5" })]);
      return typeof answer === "object" || undefined;
    });
    const offers = (await ask("/inputs", { flows: given })) as unknown as OffersAnswer;
    const all = JSON.stringify([offers, await waited]);
    assert.doesNotMatch(all, new RegExp(["canary", "eDp5", signature, ...planted].join("|")));
    const ofNode = (id: string) =>
      offers.inputs.find(({ nodeId }) => nodeId === id)?.inputs.map(({ input }) => input) ?? [];
    const masked = {
      ...{ phone: "0900000001", token: "${tenant_token}", said: "The token is ${tenant_token}." },
      ...{ deep: [{ at: ["${TAB_SECRET}", "${plain_secret}"] }], "${tenant_token}": 1, named: "${NAMED}" },
    };
    const headers = { "content-type": "application/json", "x-api-key": "${tenant_token}", "x-shop": "An" };
    for (const [, input] of [
      ["header", ofNode("header")[0]],
      ["asked", (await waited)["received"]?.["input"]],
    ] as const) {
      const { post, headers: own, body: sent } = input as unknown as Record<"post" | "headers" | "body", object>;
      assert.match(String(post), /^\/\w+\?.*key=\$\{tenant_token\}&of=shop$/);
      assert.deepEqual(own, { ...headers, "idempotency-key": "order-17" });
      assert.deepEqual(JSON.parse(JSON.stringify(sent).replaceAll(/\{\w+_secret\}/g, "{plain_secret}")), masked);
    }
    // The last three, without what is too long, then what is made up of the fields that are read.
    assert.deepEqual(
      ofNode("plain").map((input) => ("post" in input ? input.body : undefined)),
      [{ count: 3 }, { count: 2 }, { count: 1 }, { phone: "0900000001" }],
    );
    // A form is sent as JSON.
    const madeUp = { post: "/idle", body: { phone: "0900000001" } };
    assert.deepEqual(ofNode("idle"), [{ post: "/idle", body: { phone: "0901" } }, madeUp]);
    assert.equal(offers.inputs.find(({ nodeId }) => nodeId === "press")?.byItself, "08:30");
    assert.deepEqual(
      offers.examples.map(({ flow, tests }) => [flow, tests.length]),
      [["tab", 1]],
    );
  });
});
