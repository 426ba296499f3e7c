import assert from "node:assert/strict";
import { envelope } from "../support/business-hours";
import { LiveTenant } from "../support/live-tenant";
import { eventually } from "../support/process/eventually";
import { deliveredAll, ledgerFlow } from "../support/process/ledger-flow";
import { change, hook, NodeRed } from "../support/process/node-red";
import { userFolder } from "../support/process/user-folder";

const LATER = { status: 503, body: envelope(null, { success: false, code: 503 }) };

/** A sample of test/nodes/delivery/deploys.test.ts with the command of Node-RED, its editor API and flows that answer requests. */
describe("four deploys with requests in flight", () => {
  let tenant: LiveTenant;
  let nodeRed: NodeRed;

  before(async () => {
    tenant = await LiveTenant.start();
    nodeRed = await NodeRed.start(await userFolder());
  });
  after(() => {
    nodeRed?.kill();
    tenant?.stop();
  });

  const received = (count: number) => eventually(() => tenant.received.length >= count || undefined);
  const go = async (...ids: string[]) => assert.equal((await nodeRed.post("/go", ids)).status, 200);

  it("an answer reaches the webhook, and a failure the Catch node of the last flows", async () => {
    const webhookNodes = [hook("/hook", "named"), change("named", "payload.id", ["transfer"])];
    const flow = (label: string) => [
      ...ledgerFlow({ url: tenant.url }, { label, node: { wires: [["ok", "answer"]] } }),
      ...webhookNodes,
    ];
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
    assert.equal((await deliveredAll(nodeRed, 2)).length, 2);
    // One of them that came twice would come before this one.
    await go("last");
    assert.deepEqual(await deliveredAll(nodeRed, 3), [
      { id: "answered", as: "ok" },
      { id: "lost", as: "ERR_SERVER", outcome: "unknown" },
      { id: "last", as: "ERR_SERVER", outcome: "unknown" },
    ]);
    assert.equal(tenant.received.length, 3);
  });
});
