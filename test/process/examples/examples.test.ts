import assert from "node:assert/strict";
import { util } from "@node-red/util";
import { eventually } from "../../support/process/eventually";
import { type Deployable, deployable, example, exampleNames } from "../../support/process/examples";
import { type FlowNode, NodeRed } from "../../support/process/node-red";
import { userFolder } from "../../support/process/user-folder";

const SECRET = "a secret of the tests";
const KNOWS = { "x-call-secret": SECRET };
const ADA = { name: "Ada", number: "0000000000" };

/** What no rehearsal shows: HTTP, Debug nodes, and a tab without a secret. Each example has tests of its own, in `<name>.tests`. */
describe("the examples, in a real Node-RED", () => {
  let nodeRed: NodeRed;
  let shown: Deployable;
  before(async () => {
    nodeRed = await NodeRed.start(await userFolder(), { CALL_SECRET: undefined });
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

  it("2 Call a customer: serves its form, which uses no other origin, and calls by it", async () => {
    await show("2 Call a customer", SECRET);
    const page = await nodeRed.get("/call-a-customer");
    assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
    assert.match(page.headers.get("content-security-policy") ?? "", /default-src 'none'.*form-action 'self'/);
    assert.ok(!(await page.text()).includes(SECRET));
    const body = new URLSearchParams({ ...ADA, secret: SECRET });
    assert.equal((await fetch(`${nodeRed.url}/call-a-customer`, { method: "POST", body })).status, 200);
    const [call, ...others] = await calls();
    assert.deepEqual([call?.to, others], [{ type: "external", number: "0000000000", alias: "Ada" }, []]);
    assert.match(call?.actions[0]?.text ?? "", /^Hello Ada,/);
  });

  it("2 Call a customer: does not report a waiting call as accepted, and shows no internals", async () => {
    await show("2 Call a customer", SECRET, { rate: "0.01" });
    assert.equal((await post(ADA, KNOWS)).status, 200);
    // One of them waits throughout this test; the other is answered.
    const both = [1, 2].map(() => post({ ...ADA, requestId: "one" }, KNOWS));
    void Promise.allSettled(both);
    const { accepted, code, message, first, ...more } = (await (await Promise.race(both)).json()) as Record<
      string,
      unknown
    >;
    assert.deepEqual([accepted, code, Object(first).outcome, more], [null, "ERR_DUPLICATE", "pending", {}]);
    assert.match(String(message), /is being placed/);
    assert.equal((await calls()).length, 1);
  });

  for (const secret of [undefined, ""])
    it(`2 Call a customer: refuses every request while CALL_SECRET is ${secret === undefined ? "not set" : "empty"}`, async () => {
      await show("2 Call a customer", secret);
      for (const said of ["", "undefined", "null", "CALL_SECRET", null])
        assert.equal(
          (await post({ ...ADA, secret: said }, said === null ? {} : { "x-call-secret": said })).status,
          503,
        );
      assert.equal((await post(ADA)).status, 503);
      assert.deepEqual(await calls(), []);
    });

  it("Call a list from a CSV file: calls each number as it is in the file, and ends with a table", async () => {
    await show("Call a list from a CSV file", undefined, { rate: "50" });
    const fault = { times: 1, status: 503, path: "/api/v1/call/call-out" };
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(fault) };
    assert.equal((await fetch(`${shown.sandboxes[0]}/faults`, init)).status, 200);
    const printed = await shows("Call the list", /\[debug:The table\].*\r\n/s);
    for (const row of [
      "name,number,result,code",
      "Ada,0000000000,unknown,ERR_SERVER",
      "Ben,+0000000000,accepted,",
      "Chi,,failed,ERR_INPUT",
      '"Dan, who has a comma",0000000000,accepted,',
    ])
      assert.ok(printed.includes(`${row}\r\n`), `"${row}" is not in ${printed}`);
    assert.match(printed, /4 of 4: 2 accepted, 1 failed, 1 unknown/);
    assert.deepEqual(
      (await calls()).map(({ to }) => to),
      [
        { type: "external", number: "+0000000000", alias: "Ben" },
        { type: "external", number: "0000000000", alias: "Dan, who has a comma" },
      ],
    );
  });

  it("Try again when that is safe: its buttons tell the sandbox how to fail", async () => {
    await show("Try again when that is safe");
    await shows("Broken once", /\[debug:What it said\][^[]*success:\s+true/);
    await shows("Call Ada", /\[debug:Given up\][^[]*ERR_SERVER/);
  });

  it("Node-RED is the answer address: shows what the phone of a call requested, without its secret", async () => {
    await show("Node-RED is the answer address", SECRET);
    const before = nodeRed.log.length;
    await nodeRed.post(`/call-answer?name=Ada&secret=${encodeURIComponent(SECRET)}`, { call_id: "asked" });
    const printed = () => nodeRed.log.slice(before);
    await eventually(() => /\[debug:What was asked\][^[]*call_id: 'asked'/.test(printed()) || undefined);
    assert.ok(!printed().includes(SECRET));
  });
});

describe("the answers of the examples", () => {
  /** Evaluates a Change node's JSONata for a message. */
  const evaluated = (expression: string, message: object) =>
    new Promise((resolve, reject) => {
      const prepared = util.prepareJSONataExpression(expression, { _flow: null } as never);
      util.evaluateJSONataExpression(prepared, { payload: 1, ...message } as never, (problem, value) =>
        problem ? reject(problem) : resolve(value),
      );
    });
  const read = (expression: string, error: object) => evaluated(expression, { error });
  const rulesOf = (node?: FlowNode) =>
    node?.type === "change" ? (node["rules"] as { to?: string; tot?: string }[]) : [];
  const rules = exampleNames.flatMap(example).flatMap(rulesOf);
  const answering = rules.filter(({ to, tot }) => tot === "jsonata" && to?.includes("error.code"));

  it("name the code of an error", async () => {
    assert.ok(answering.length >= 10);
    const [code, message, cause] = ["ERR_DUPLICATE", "ERR_DUPLICATE: …", { outcome: "not-applied" }];
    for (const { to = "" } of answering) {
      const now = await read(to, { code, message, cause });
      assert.ok(now === 200 || (now as { code: string }).code === code, to);
      // The error of another node has no code.
      assert.notEqual(await read(to, { message }), undefined);
    }
  });

  it("give a repeated request the outcome of the first", async () => {
    const answers = answering.filter(({ to }) => to?.includes('"accepted":'));
    assert.ok(answers.length >= 5);
    for (const { to = "" } of answers)
      for (const [outcome, accepted, words] of [
        ["applied", true, / once\.$/],
        ["pending", null, / is being /],
        ["unknown", null, / may have .*: look before you /],
      ] as const) {
        const error = { code: "ERR_DUPLICATE", message: "", cause: { outcome: "not-applied", first: { outcome } } };
        const answer = (await read(to, error)) as { accepted: unknown; message: string; first: unknown };
        assert.deepEqual([answer.accepted, answer.first], [accepted, { outcome }], to);
        assert.match(answer.message, words);
      }
  });

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
