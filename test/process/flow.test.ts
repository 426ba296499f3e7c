import assert from "node:assert/strict";
import { LiveTenant } from "../support/live-tenant";
import { eventually } from "../support/process/eventually";
import { at, change, type FlowNode, hook, NodeRed } from "../support/process/node-red";
import { userFolder } from "../support/process/user-folder";

const TOKEN = "token-of-the-process-test";
const LIVE = {
  type: "telephony-tenant",
  fromNumber: "0000000001",
  fromAlias: "Hotline",
  credentials: { token: TOKEN },
};

const answering = (id: string, type: string, more: object): FlowNode[] => [
  hook(`/${id}`, id),
  at(id, type, more, ["sent"], ["sent"]),
];

/** A flow: POST /call, /log, /simulate call by a tenant of each mode, POST /gate asks a gate. The answer is the request, or the error. */
const flow = (url: string): FlowNode[] => [
  { id: "tab", type: "tab", label: "Process test" },
  { ...LIVE, id: "tenant", url },
  { ...LIVE, id: "logging", mode: "log", url: "http://127.0.0.1:9" },
  { ...LIVE, id: "simulated", mode: "sandbox" },
  ...answering("call", "call-out", { tenant: "tenant" }),
  ...answering("simulate", "call-out", { tenant: "simulated" }),
  ...answering("log", "call-out", { tenant: "logging" }),
  ...answering("gate", "business-hour-gate", { source: "value", at: "payload.at", atType: "msg" }),
  // Its errors end in the log.
  ...answering("uncaught", "business-hour-gate", { source: "value", at: "payload.at", atType: "msg" }),
  change("sent", "telephony.request", ["respond"]),
  at("catch", "catch", { scope: ["call", "log", "simulate", "gate"] }, ["failed"]),
  change("failed", '$merge([error.cause.request, {"error": error}])', ["respond"]),
  at("respond", "http response", {}),
];

describe("the packed package in a real Node-RED", () => {
  let tenant: LiveTenant;
  let nodeRed: NodeRed;

  before(async () => {
    tenant = await LiveTenant.start();
    nodeRed = await NodeRed.start(await userFolder());
    await nodeRed.deploy(flow(tenant.url));
  });
  beforeEach(() => tenant.reset());
  after(() => {
    nodeRed?.kill();
    tenant?.stop();
  });

  const lines = (...words: string[]) =>
    nodeRed.log.split("\n").filter((line) => words.every((word) => line.includes(word)));
  const call = async (path: string, number: unknown, voice?: string) => {
    const actions = [{ action: "talk", text: "Hello", voice }];
    return (await (await nodeRed.post(path, { to: { number }, actions })).json()) as Record<string, unknown>;
  };

  it("loads every node without errors in the log", async () => {
    const answer = await fetch(`${nodeRed.url}/nodes`, { headers: { accept: "application/json" } });
    const sets = (await answer.json()) as { module: string; types: string[]; enabled: boolean; err?: string }[];
    const ours = sets.filter(({ module }) => module === "@cloud-telephony/node-red-call-actions");
    assert.deepEqual([ours.length > 0, ours.filter(({ enabled, err }) => !enabled || err)], [true, []]);
    assert.ok(ours.flatMap(({ types }) => types).includes("call-out"));
    assert.doesNotMatch(nodeRed.log, /\[error\]/);
  });

  it("turns a webhook into the interface's call-out request, and the service's answer into the webhook response", async () => {
    const actions = [{ action: "talk", text: "Xin chào, Ada!", voice: "banmai", speed: 0, loop: "3" }];
    const answer = await nodeRed.post("/call", { to: { number: "0000000000", alias: "Ada" }, actions });
    assert.equal(answer.status, 200);
    const [request, ...others] = tenant.received;
    assert.deepEqual([request?.method, request?.url, others], ["POST", "/api/v1/call/call-out", []]);
    assert.deepEqual(
      ["authentication", "authorization", "accept", "content-type"].map((name) => request?.headers[name]),
      [`Bearer ${TOKEN}`, undefined, "application/json", "application/json"],
    );
    assert.deepEqual(JSON.parse(request?.text ?? ""), {
      "from.type": "internal",
      "from.number": "0000000001",
      "from.alias": "Hotline",
      "to.type": "external",
      "to.number": "0000000000",
      "to.alias": "Ada",
      actions,
    });
  });

  it("warns once of numbers that may have lost their zero, and of each voice that the interface does not list", async () => {
    for (const number of ["0901234567", 84901234567, 101, 901234567, 908765432])
      assert.equal((await call("/simulate", number))["to.number"], String(number));
    for (const voice of ["robot", "robot", "female", "last"]) await call("/simulate", "0000000000", voice);
    await eventually(() => lines(":simulate]", '"last"')[0]);
    const [zero = "", ...more] = lines(":simulate]", "zero");
    assert.match(zero, /\[warn\].*\(to\.number\) is the number ••••••567.*send the number as text/);
    const [robot = "", ...again] = lines(":simulate]", '"robot"');
    assert.match(robot, /\[warn\].*does not list the voice "robot" \(.*\(actions\[0\]\.voice\)\)/);
    assert.deepEqual([more, again, lines(":simulate]", "female")], [[], [], []]);
  });

  it("shows no more than three digits of a number: in an error, in its line, and in that of log mode", async () => {
    const error = await (await nodeRed.post("/gate", { at: "+84 901 234 567" })).text();
    // Nobody answers this request: its flow has no node for its error.
    void nodeRed.post("/uncaught", { at: "+84 901 234 567" }).catch(() => {});
    const logged = await eventually(() => lines(":uncaught]")[0]);
    for (const text of [error, logged]) assert.match(text, /\+•• ••• ••• 567/);
    await nodeRed.post("/log", { to: { number: "+84*901*234*567" }, answer_url: "https://a.example" });
    const request = await eventually(() => lines("to.number", "https://a.example")[0]);
    assert.match(request, /\+••\*•••\*•••\*567/);
    for (const text of [error, logged, request]) assert.doesNotMatch(text, /901|234/);
  });
});
