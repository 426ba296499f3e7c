import assert from "node:assert/strict";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LiveTenant } from "../support/live-tenant";
import { eventually } from "../support/process/eventually";
import { delivered, ledgerFlow } from "../support/process/ledger-flow";
import { at, type FlowNode, hook, NodeRed } from "../support/process/node-red";
import { userFolderOfItsOwn } from "../support/process/user-folder";

/** A handler of the log and a listener of statuses that throw at each output of our code, and print that they did. */
const SETTINGS = `
const rude = (what) => {
  if (!/node-red-call-actions/.test(new Error().stack)) return;
  process.stdout.write("thrown by " + what + "\\n");
  throw new Error("thrown by " + what);
};
module.exports.logging = { console: { level: "info" }, rude: { level: "trace", handler: () => () => rude("log") } };
require.main.require("@node-red/util").events.on("node-status", () => rude("status"));
`;

const CALL = { toNumber: "payload", toNumberType: "msg", answerUrl: "https://example.com", answerUrlType: "str" };

/** Node-RED calls listeners of others while our code runs, often from a timer or after a promise. */
describe("listeners of others that throw", () => {
  let folder: string;
  let tenant: LiveTenant;
  let nodeRed: NodeRed;

  before(async () => {
    folder = await userFolderOfItsOwn();
    appendFileSync(join(folder, "settings.js"), SETTINGS);
    tenant = await LiveTenant.start();
    nodeRed = await NodeRed.start(folder);
  });
  after(() => {
    nodeRed?.kill();
    tenant?.stop();
  });

  const flow = (): FlowNode[] => [
    ...ledgerFlow({ url: tenant.url, concurrency: 2 }),
    // Its first line comes after a promise, the starts of its calls from a timer.
    { id: "logged", type: "telephony-tenant", url: tenant.url, mode: "log", rate: 50, credentials: { token: "t" } },
    { id: "wrong", type: "telephony-tenant", url: "ftp://acme.example.com" },
    { id: "simulated", type: "telephony-tenant", mode: "sandbox" },
    hook("/calls", "split calls"),
    at("split calls", "split", { arraySplt: 1, arraySpltType: "len" }, ["log only", "no answer"]),
    at("log only", "call-out", { ...CALL, tenant: "logged", fromNumber: "1", fromNumberType: "str" }, ["ok"]),
    at("no answer", "call-stop", { tenant: "wrong" }, []),
    at("gate", "business-hour-gate", { tenant: "simulated", scheduleName: "Office" }, [], []),
  ];

  it("delay no message, and end neither Node-RED nor a deploy", async () => {
    await nodeRed.deploy(flow());
    const release = tenant.hold();
    await nodeRed.post("/go", ["a", "b", "c", "d"]);
    await eventually(() => tenant.received.length >= 2 || undefined);
    await nodeRed.deploy(flow());
    release();
    const ends = await eventually(async () => {
      const all = await delivered(nodeRed);
      return all.length >= 4 ? all : undefined;
    });
    assert.deepEqual(
      ends.map(({ as }) => as),
      ["ok", "ok", "ok", "ok"],
    );
    // Nobody answers this request: its flow has no node for it.
    void nodeRed.post("/calls", ["1", "2", "3", "4"]).catch(() => {});
    await eventually(async () => (await delivered(nodeRed)).length >= 8 || undefined);
  });

  it("leave the results of a deleted node, and those of a stop, in log and file", async () => {
    const release = tenant.hold();
    const before = tenant.received.length;
    await nodeRed.post("/go", ["e"]);
    await eventually(() => tenant.received.length > before || undefined);
    const stops = nodeRed.prints("Stopping flows");
    const stopped = nodeRed.stop();
    await stops;
    release();
    assert.equal(await stopped, 0);
    const lines = readFileSync(join(folder, "telephony", "unfinished.jsonl"), "utf8")
      .trim()
      .split("\n");
    assert.ok(lines.some((line) => line.includes('"callId":"e"')));
    for (const what of ["log", "status"]) assert.match(nodeRed.log, new RegExp(`thrown by ${what}`));
    assert.doesNotMatch(nodeRed.log, /Uncaught|unhandled/i);
  });
});
