import assert from "node:assert/strict";
import { envelope, hour, pageOf } from "../support/business-hours";
import { LiveTenant } from "../support/live-tenant";
import { eventually } from "../support/process/eventually";
import { delivered, deliveredAll, ledgerFlow } from "../support/process/ledger-flow";
import { at, change, type FlowNode, hook, NodeRed } from "../support/process/node-red";
import { installSlowNode, letClose, SLOW_NODE } from "../support/process/slow-node";
import { userFolder } from "../support/process/user-folder";

const IDS = ["1", "2", "3", "4", "5"];
const LATER = { status: 503, body: envelope(null, { success: false, code: 503 }) };
const ITEMS = pageOf(
  IDS.map((id) => hour(Number(id), "Office")),
  1,
  15,
);

type Change = (flows: readonly FlowNode[]) => FlowNode[];
const same: Change = (flows) => [...flows];
/** Another node in the place of ours, and the id of what it sends. */
const other =
  (node: Omit<FlowNode, "id">, id: string): Change =>
  (flows) =>
    flows.map((each) => {
      const to = `$append($globalContext("delivered"), [{"id": ${id}, "as": "ok"}])`;
      if (each.id === "ok") return change("ok", to, [], "delivered", "global");
      return each.id === "transfer" ? { ...at("transfer", "", { tenant: "tenant" }), ...node } : each;
    });
const behindLink: Change = (flows) => [
  ...flows.map((node) => {
    if (node.id === "transfer") return { ...node, wires: [["out"]] };
    return ["ok", "slow"].includes(node.id) ? { ...node, z: "behind" } : node;
  }),
  at("out", "link out", { mode: "link", links: ["in"] }),
  { id: "behind", type: "tab", label: "Behind" },
  at("in", "link in", { z: "behind", links: ["out"] }, ["ok"]),
];
const GATE = { type: "business-hour-gate", scheduleId: "payload", scheduleIdType: "msg", wires: [["ok"], ["ok"]] };
const LIST = { type: "business-hour-list", output: "each", wires: [["ok"]] };

/** What a deploy replaces while answers are under way. */
const DEPLOYS: readonly {
  readonly what: string;
  readonly type: "full" | "flows" | "nodes";
  readonly replaced: readonly string[];
  readonly flow?: Change;
  readonly answer?: { readonly status?: number; readonly body: object };
  readonly sent?: readonly string[];
  readonly as?: string;
}[] = [
  { what: "all flows", type: "full", replaced: ["transfer"] },
  { what: "the flow of our node", type: "flows", replaced: ["slow", "transfer"] },
  { what: "our node and those behind it", type: "nodes", replaced: ["slow", "transfer", "ok"] },
  { what: "only the nodes behind ours", type: "nodes", replaced: ["slow", "ok"] },
  {
    what: "only the Catch node",
    type: "nodes",
    replaced: ["slow", "catch", "failed"],
    answer: LATER,
    as: "ERR_SERVER",
  },
  { what: "the flow behind a link", type: "flows", replaced: ["slow", "ok"], flow: behindLink },
  {
    ...{ what: "only the nodes behind a gate that waits for schedules", type: "nodes", replaced: ["slow", "ok"] },
    ...{ flow: other(GATE, "payload"), answer: { body: envelope(hour(1, "Office")) } },
  },
  {
    ...{ what: "only the nodes behind a list with pages under way", type: "nodes", replaced: ["slow", "ok"] },
    ...{ flow: other(LIST, "$string(payload.id)"), answer: { body: envelope(ITEMS) }, sent: ["once"] },
  },
];

/** Rows 20 and 20b of docs/faults.md; docs/contract/restarts.md#redeploys. Node-RED stops other nodes first, and starts their successors later. */
describe("a deploy with requests in flight", () => {
  let tenant: LiveTenant;
  let nodeRed: NodeRed;

  before(async () => {
    tenant = await LiveTenant.start();
    const folder = await userFolder();
    installSlowNode(folder);
    nodeRed = await NodeRed.start(folder);
  });
  beforeEach(async () => {
    let isRenewed: true | undefined;
    const renewed = nodeRed.renew().then(() => {
      isRenewed = true;
    });
    await eventually(async () => {
      await letClose(nodeRed);
      return isRenewed;
    });
    await renewed;
    tenant.reset();
  });
  after(() => {
    nodeRed?.kill();
    tenant?.stop();
  });

  const received = (count: number) => eventually(() => tenant.received.length >= count || undefined);
  const go = async (...ids: string[]) => assert.equal((await nodeRed.post("/go", ids)).status, 200);
  const ledger = (more: Parameters<typeof ledgerFlow>[1] = {}, settings = {}) =>
    ledgerFlow({ url: tenant.url, ...settings }, more);
  /** As the editor deploys: without credentials, or the tenant counts as changed and replaces all nodes that use it. */
  const renamed = (flows: readonly FlowNode[], ids: readonly string[]) =>
    flows.map((node) => ({ ...node, credentials: undefined, ...(ids.includes(node.id) && { name: "renamed" }) }));

  for (const { what, type, replaced, flow = same, answer, sent = IDS, as = "ok" } of DEPLOYS)
    it(`that replaces ${what}: outcomes wait until it has ended, and come once`, async () => {
      if (answer) tenant.answers(() => answer);
      const flows = flow([...ledger(), SLOW_NODE]);
      await nodeRed.deploy(flows);
      const release = tenant.hold();
      await go(...sent);
      await received(sent.length);
      const before = nodeRed.log.length;
      const stops = nodeRed.prints("Stopping");
      const deployed = nodeRed.deploy(renamed(flows, replaced), type);
      await stops;
      release();
      await eventually(() => tenant.answered === sent.length || undefined);
      // After two more requests to Node-RED, it has read the answers.
      for (const _ of [1, 2]) await nodeRed.get("/settings");
      assert.doesNotMatch(nodeRed.log.slice(before), /Stopped/);
      await letClose(nodeRed);
      await deployed;
      await eventually(async () => (await delivered(nodeRed)).length >= IDS.length || undefined);
      const ends = (await deliveredAll(nodeRed, IDS.length)).map((end) => `${end.id} ${end.as}`);
      assert.deepEqual(
        ends.sort(),
        IDS.map((id) => `${id} ${as}`),
      );
      assert.equal(tenant.received.length, sent.length);
    });

  it("and three more after it: the answer reaches the webhook, a failure the Catch node of the last flows", async () => {
    const webhookNodes = [hook("/hook", "named"), change("named", "payload.id", ["transfer"])];
    const flow = (label: string) => [...ledger({ label, node: { wires: [["ok", "answer"]] } }), ...webhookNodes];
    const release = tenant.hold();
    await nodeRed.deploy(flow("First"));
    const webhook = nodeRed.post("/hook", { id: "answered" });
    await received(1);
    const later = tenant.hold();
    tenant.answers(() => LATER);
    await go("lost");
    await received(2);
    for (const label of ["Second", "Third", "Fourth"]) await nodeRed.deploy(flow(label));
    release();
    assert.equal((await webhook).status, 200);
    later();
    assert.deepEqual(await deliveredAll(nodeRed, 2), [
      { id: "answered", as: "ok" },
      { id: "lost", as: "ERR_SERVER", outcome: "unknown" },
    ]);
    assert.equal(tenant.received.length, 2);
  });

  for (const [what, more] of [
    ["deleted", undefined],
    ["disabled", { node: { d: true } }],
    ["disabled with its flow", { tab: { disabled: true } }],
  ] as const)
    it(`logs each message of a node that was ${what} once, and sends no waiting request`, async () => {
      const release = tenant.hold();
      await nodeRed.deploy(ledger({}, { concurrency: "1" }));
      await go("in flight", "waiting");
      await received(1);
      const flow = ledger(more, { concurrency: "1" });
      await nodeRed.deploy(more ? flow : flow.filter(({ id }) => id !== "transfer"));
      release();
      const lines = await eventually(() => {
        const found = nodeRed.log.split("\n").filter((line) => line.includes("call-transfer") && /\[warn\]/.test(line));
        return found.length >= 2 ? found : undefined;
      });
      assert.equal(lines.filter((line) => line.includes("not-applied")).length, 1, lines.join("\n"));
      assert.equal(lines.filter((line) => line.includes("applied") && !line.includes("not-applied")).length, 1);
      assert.equal(tenant.received.length, 1);
    });
});
