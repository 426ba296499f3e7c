import assert from "node:assert/strict";
import { envelope } from "../support/business-hours";
import { LiveTenant } from "../support/live-tenant";
import { eventually } from "../support/process/eventually";
import { deliveredAll, ledgerFlow } from "../support/process/ledger-flow";
import { change, type FlowNode, hook, NodeRed } from "../support/process/node-red";
import { installSlowNode, letClose, SLOW_NODE } from "../support/process/slow-node";
import { userFolder } from "../support/process/user-folder";

const IDS = ["1", "2", "3", "4", "5"];
const LATER = { status: 503, body: envelope(null, { success: false, code: 503 }) };

/** Samples of test/nodes/delivery/deploys.test.ts with the command of Node-RED, its editor API and flows that answer requests. */
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
  const ledger = (more: Parameters<typeof ledgerFlow>[1] = {}) => ledgerFlow({ url: tenant.url }, more);

  it("that replaces only the nodes behind ours: outcomes wait until it has ended, and come once", async () => {
    const flows = [...ledger(), SLOW_NODE];
    await nodeRed.deploy(flows);
    const release = tenant.hold();
    await go(...IDS);
    await received(IDS.length);
    const before = nodeRed.log.length;
    const stops = nodeRed.prints("Stopping");
    // As the editor deploys: without credentials, or the tenant counts as changed and replaces all nodes that use it.
    const isBehind = ({ id }: FlowNode) => id === "slow" || id === "ok";
    const renamed = flows.map((node) => ({ ...node, credentials: undefined, ...(isBehind(node) && { name: "new" }) }));
    const deployed = nodeRed.deploy(renamed, "nodes");
    await stops;
    release();
    await eventually(() => tenant.answered === IDS.length || undefined);
    // After two more requests to Node-RED, it has read the answers.
    for (const _ of [1, 2]) await nodeRed.get("/settings");
    assert.doesNotMatch(nodeRed.log.slice(before), /Stopped/);
    await letClose(nodeRed);
    await deployed;
    const ends = await deliveredAll(nodeRed, IDS.length);
    assert.deepEqual(
      ends.sort((a, b) => a.id.localeCompare(b.id)),
      IDS.map((id) => ({ id, as: "ok" })),
    );
    assert.equal(tenant.received.length, IDS.length);
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
});
