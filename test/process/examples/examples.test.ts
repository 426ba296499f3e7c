import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { util } from "@node-red/util";
import { eventually } from "../../support/process/eventually";
import { type Deployable, deployable, example, exampleNames } from "../../support/process/examples";
import { type FlowNode, NodeRed } from "../../support/process/node-red";
import { userFolder } from "../../support/process/user-folder";

const SECRET = "a secret of the tests";
const KNOWS = { "x-call-secret": SECRET };
const ADA = { orderNo: "17", name: "Ada", number: "0000000000" };

/**
 * The parts that no rehearsal shows: HTTP, Debug nodes, files, and a webhook without a secret. Each example has tests of its own, in
 * `<name>.tests`.
 */
describe("the examples, in a real Node-RED", () => {
  let nodeRed: NodeRed;
  let shown: Deployable;
  let folder: string;
  before(async () => {
    folder = await userFolder();
    nodeRed = await NodeRed.start(folder, { CALL_SECRET: undefined, ALL_NODES: "1" });
  });
  after(() => nodeRed?.kill());

  /** @param more properties of its tenants, for this test */
  const show = async (name: string, secret?: string, more: object = {}) => {
    shown = await deployable(name, secret);
    const flows = shown.flows.map((node) => (node.type === "telephony-tenant" ? { ...node, ...more } : node));
    // A sandbox keeps its calls over a redeploy; only without its tenant it ends.
    await nodeRed.deploy([]);
    await nodeRed.deploy(flows);
    await eventually(async () => (await fetch(`${shown.sandboxes[0]}/calls`)).ok || undefined);
  };
  const calls = async () =>
    (await (await fetch(`${shown.sandboxes[0]}/calls`)).json()) as { to: object; actions: { text: string }[] }[];
  /** Presses a button and waits for what a Debug node then shows; returns all that was printed meanwhile. */
  const shows = async (button: string, text: RegExp) => {
    const before = nodeRed.log.length;
    await nodeRed.inject(shown.id(button));
    return eventually(() => (text.test(nodeRed.log.slice(before)) ? nodeRed.log.slice(before) : undefined));
  };
  const post = (body: unknown, headers = {}) => nodeRed.post("/call-a-customer", body, headers);

  it("are found by the editor's Import menu, and can be deployed all together", async () => {
    const library = await nodeRed.get("/library/examples/flows/@cloud-telephony/node-red-call-actions");
    const listed = await library.text();
    for (const name of exampleNames) assert.ok(listed.includes(name), name);
    const all = await Promise.all(exampleNames.map((name) => deployable(name, SECRET)));
    await nodeRed.deploy(all.flatMap(({ flows }) => flows));
  });

  it("2 Call a customer: calls for an order that brings the secret, once", async () => {
    await show("2 Call a customer", SECRET);
    const body = new URLSearchParams(ADA);
    for (const told of [{ accepted: true }, { accepted: true, repeated: true }]) {
      const answer = await fetch(`${nodeRed.url}/call-a-customer`, { method: "POST", headers: KNOWS, body });
      assert.deepEqual([answer.status, await answer.json()], [200, told]);
    }
    const [call, ...others] = await calls();
    assert.deepEqual([call?.to, others], [{ type: "external", number: "0000000000", alias: "Ada" }, []]);
    assert.match(call?.actions[0]?.text ?? "", /^Hello Ada,/);
  });

  it("2 Call a customer: refuses every request while CALL_SECRET is not set, and its button works", async () => {
    await show("2 Call a customer");
    for (const said of ["", "undefined", "CALL_SECRET", "${CALL_SECRET}"])
      assert.equal((await post(ADA, { "x-call-secret": said })).status, 503);
    assert.equal((await post(ADA)).status, 503);
    assert.deepEqual(await calls(), []);
    await shows("Try it: Ada orders", /\[debug:Result\][^[]*outcome: 'applied'/);
    assert.equal((await calls()).length, 1);
  });

  it("Call a list from a CSV file: calls each number as it is in the file, and writes a file of results", async () => {
    await show("Call a list from a CSV file", undefined, { rate: "50" });
    const fault = { times: 1, status: 503, path: "/api/v1/call/call-out" };
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(fault) };
    assert.equal((await fetch(`${shown.sandboxes[0]}/faults`, init)).status, 200);
    await nodeRed.inject(shown.id("Call the list"));
    const table = await eventually(async () => {
      const [written] = (await readdir(folder)).filter((name) =>
        /^called \d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.csv$/.test(name),
      );
      return (written && (await readFile(join(folder, written), "utf8"))) || undefined;
    });
    assert.ok(table.startsWith("\uFEFF"));
    const rows = table.slice(1).trimEnd().split("\r\n");
    // Without the reason and the time.
    assert.deepEqual(
      rows.map((row) => row.replace(/,(?:"[^"]*"|[^,"]*),[^,]+$/, "")),
      [
        "name,number,outcome,code",
        "Ada,0000000000,unknown,ERR_SERVER",
        "Ben,00000000000,applied,",
        "Chi,,not-applied,ERR_INPUT",
        '"Dan, who has a comma",000000000000,applied,',
        "Eva,000 000 0000,not-applied,ERR_DUPLICATE",
      ],
    );
    assert.deepEqual(
      (await calls()).map(({ to }) => to),
      [
        { type: "external", number: "00000000000", alias: "Ben" },
        { type: "external", number: "000000000000", alias: "Dan, who has a comma" },
      ],
    );
  });

  it("Try again when that is safe: its buttons tell the sandbox how to fail", async () => {
    await show("Try again when that is safe");
    await shows("Broken once", /\[debug:What it said\][^[]*success:\s+true/);
    await shows("Call Ada", /\[debug:Given up\][^[]*ERR_SERVER/);
  });
});

describe("the texts of the examples", () => {
  /** Evaluates a Change node's JSONata for a message. */
  const evaluated = (expression: string, message: object) =>
    new Promise((resolve, reject) => {
      const prepared = util.prepareJSONataExpression(expression, { _flow: null } as never);
      util.evaluateJSONataExpression(prepared, { payload: 1, ...message } as never, (problem, value) =>
        problem ? reject(problem) : resolve(value),
      );
    });
  const rulesOf = (node?: FlowNode) =>
    node?.type === "change" ? (node["rules"] as { to?: string; tot?: string }[]) : [];

  it("report paused calls, and have a remedy for every error code of a read", async () => {
    const named = (wanted: string) => example("Check the tenant every night").find(({ name }) => name === wanted);
    const [{ to = "" } = {}] = rulesOf(named("Say how it is"));
    const state = await evaluated(to, { count: { paused: true, waiting: { callOut: 2, other: 1 } } });
    assert.match(JSON.stringify(state), /"ok":false.*calls are paused, and 3 wait/);

    // The codes of the table in docs/calls.md without those that only calls, schedules or gates have.
    const codes = ["CONFIG", "AUTH", "DNS", "CONNECT", "CONNECT_TIMEOUT", "TLS", "RATE_LIMITED", "REDIRECT"];
    const more = ["REJECTED", "BAD_RESPONSE", "SERVER", "TIMEOUT", "CONNECTION_LOST", "RESPONSE_TOO_LARGE"];
    const node = JSON.stringify(named("Say what to do"));
    for (const code of [...codes, ...more]) assert.ok(node.includes(`ERR_${code}\\`), code);
  });
});
