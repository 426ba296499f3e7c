import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { payloadsOf, REQUESTS } from "../interface/requests";
import { assertNoToken } from "../support/canary";
import { LiveTenant } from "../support/live-tenant";
import { end, listen } from "../support/loopback";
import { at, type FlowNode, hook, NodeRed } from "../support/process/node-red";
import { temporaryFolder, userFolder } from "../support/process/user-folder";

/** Spelled differently in an address, in JSON, in HTML and in base64. */
const TOKEN = 'token-of-the-echo/+"&<%';
const ECHO = [
  TOKEN,
  JSON.stringify(TOKEN).slice(1, -1),
  encodeURIComponent(TOKEN),
  TOKEN.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;"),
  Buffer.from(TOKEN).toString("base64"),
  Buffer.from(`user:${TOKEN}`).toString("base64url"),
].join(" ");
const BODIES = [
  JSON.stringify({ success: false, code: ECHO, message: ECHO }),
  `<html><pre>${ECHO}</pre></html>`,
  `{"success":"${ECHO}`,
];
const STATUSES = [200, 302, 400, 401, 403, 404, 422, 429, 500, 503];

/** A message for each node that sends requests. */
const MESSAGES: Readonly<Record<string, object>> = { ...payloadsOf(REQUESTS), "business-hour-gate": {} };

/** The nodes that send in log mode, too: reads and the gate. */
const READS = 1 + new Set(REQUESTS.filter(({ method }) => method === "GET").map(({ node }) => node["type"])).size;

/** A service that echoes the token in every encoding and in every part of its answer. */
async function echoingService(elsewhere: string) {
  let answered = 0;
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      const headers = { "x-echo": ECHO, location: `${elsewhere}/?token=${encodeURIComponent(TOKEN)}` };
      response.writeHead(service.status, headers).end(BODIES[answered++ % BODIES.length]);
    });
  });
  const service = { status: 200, url: `http://127.0.0.1:${await listen(server)}`, stop: () => end(server) };
  return service;
}

/** The flows: POST /<tenant>/<type> sends a message through that node. The answer is the whole message from its output or Catch. */
function flows(url: string): FlowNode[] {
  const tenant = { type: "telephony-tenant", url, timeout: "3", onTrouble: "fail", credentials: { token: TOKEN } };
  const tenants = [
    { id: "live", ...tenant },
    { id: "logging", ...tenant, mode: "log" },
    { id: "bad-address", ...tenant, url: "ftp://example.com" },
    { id: "bad-token", ...tenant, credentials: { token: `${TOKEN} and a blank` } },
  ];
  const named = (type: string) =>
    type === "business-hour-gate"
      ? { scheduleName: "Office", scheduleNameType: "str" }
      : { scheduleName: "payload.name", scheduleNameType: "msg" };
  const acting = tenants.flatMap(({ id: tenant }) =>
    Object.keys(MESSAGES).map((type) =>
      at(`${tenant} ${type}`, type, { tenant, ...named(type) }, ["whole"], ["whole"]),
    ),
  );
  const scope = acting.map(({ id }) => id);
  const without = "const { req, res, ...seen } = msg; return";
  const prints = { active: true, tosidebar: false, console: true, complete: "true" };
  return [
    { id: "tab", type: "tab", label: "Echo" },
    ...tenants,
    ...acting.flatMap((node) => [hook(`/${node.id.replace(" ", "/")}`, node.id), node]),
    at("catch", "catch", { scope, uncaught: false }, ["whole", "without"]),
    at("whole", "function", { func: `${without} { res, payload: seen };` }, ["answer"]),
    at("answer", "http response", {}),
    at("status", "status", { scope }, ["print"]),
    at("complete", "complete", { scope }, ["without"]),
    at("without", "function", { func: `${without} seen;` }, ["print"]),
    at("print", "debug", prints),
  ];
}

/** `NodeRed` asserts for every answer and for the log that they have no token. */
describe("a token that a service echoes in every encoding", () => {
  let elsewhere: LiveTenant;
  let service: Awaited<ReturnType<typeof echoingService>>;
  let nodeRed: NodeRed;
  let folder: string;

  before(async () => {
    elsewhere = await LiveTenant.start();
    service = await echoingService(elsewhere.url);
    const settings = join(temporaryFolder(), "settings.js");
    writeFileSync(
      settings,
      `module.exports = { uiHost: "127.0.0.1", flowFile: "echo.json", credentialSecret: "of the echo",
        logging: { console: { level: "trace", metrics: true, audit: true } },
        telemetry: { enabled: false, updateNotification: false } };`,
    );
    folder = await userFolder();
    nodeRed = await NodeRed.start(folder, {}, "--settings", settings);
    await nodeRed.deploy(flows(service.url));
  });
  after(async () => {
    nodeRed?.kill();
    await service?.stop();
    elsewhere?.stop();
  });

  const everyNode = (tenant: string) =>
    Promise.all(
      Object.entries(MESSAGES).map(async ([type, message]) => {
        const answer = await nodeRed.post(`/${tenant}/${type}`, message);
        const { error } = (await answer.json()) as { error?: { code?: string; message: string } };
        return error?.message.split(":")[0] ?? "ok";
      }),
    );

  it("is in no message, answer or log line, and is not sent to another server by a redirect", async () => {
    for (const status of STATUSES) {
      service.status = status;
      const codes = await everyNode("live");
      assert.ok(!codes.includes("ok"), codes.join());
    }
    assert.deepEqual(elsewhere.received, []);
  });

  it("is not shown in log mode or by an invalid tenant", async () => {
    service.status = 401;
    assert.deepEqual(
      (await everyNode("logging")).filter((code) => code === "ok").length,
      Object.keys(MESSAGES).length - READS,
    );
    for (const tenant of ["bad-address", "bad-token"])
      assert.deepEqual([...new Set(await everyNode(tenant))], ["ERR_CONFIG"]);
  });

  it("is in no answer of an admin route, and in no exported flow", async () => {
    const origin = { origin: nodeRed.url };
    for (const status of STATUSES) {
      service.status = status;
      await Promise.all([
        ...["live", "logging", "bad-address", "bad-token"].map(async (id) => {
          assert.equal((await nodeRed.post("/telephony/tenant/test", { id }, origin)).status, 200);
          await nodeRed.get(`/telephony/tenant/${id}/business-hours`);
        }),
        nodeRed.post("/telephony/tenant/test", { url: service.url, token: TOKEN }, origin),
      ]);
    }
    for (const path of ["/flows", "/nodes", "/settings", "/telephony/sandbox/live/log"]) await nodeRed.get(path);
    const credentials = (await (await nodeRed.get("/credentials/telephony-tenant/live")).json()) as object;
    assert.deepEqual(credentials, { has_token: true, has_redisUrl: false });
    assertNoToken("the flow file", readFileSync(join(folder, "echo.json"), "utf8"));
  });

  it("is in no line of a detailed log", async () => {
    assert.equal(await nodeRed.stop(), 0);
    for (const words of ["[trace]", "[metric]", "[audit]", "[warn]", "[error]", "check the token", "[token]"])
      assert.ok(nodeRed.log.includes(words), words);
  });
});
