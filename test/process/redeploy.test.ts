import assert from "node:assert/strict";
import { eventually } from "../support/process/eventually";
import { delivered, deliveredAll, ledgerFlow } from "../support/process/ledger-flow";
import { LiveTenant } from "../support/process/live-tenant";
import { NodeRed } from "../support/process/node-red";
import { userFolder } from "../support/process/user-folder";

/** Row 20 of docs/faults.md; docs/contract/restarts.md#redeploys. */
describe("a redeploy in a real Node-RED", () => {
  let tenant: LiveTenant;
  let nodeRed: NodeRed;

  before(async () => {
    tenant = await LiveTenant.start();
    nodeRed = await NodeRed.start(await userFolder());
  });
  beforeEach(async () => {
    await nodeRed.renew();
    tenant.reset();
  });
  after(() => {
    nodeRed?.kill();
    tenant?.stop();
  });

  const go = async (...ids: string[]) => assert.equal((await nodeRed.post("/go", ids)).status, 200);
  const received = (count: number) => eventually(() => (tenant.received.length >= count ? true : undefined));

  for (const type of ["full", "flows", "nodes"] as const) {
    it(`of type ${type} loses no outcome of requests in flight, and delivers none twice`, async () => {
      let deploys = 0;
      const deploy = () => {
        deploys += 1;
        const name = `Deploy ${deploys}`;
        return nodeRed.deploy(ledgerFlow({ url: tenant.url }, { label: name, node: { name } }), type);
      };
      await deploy();
      const ids: string[] = [];
      for (let round = 1; round <= 8; round += 1) {
        const release = tenant.hold();
        const five = Array.from({ length: 5 }, (_, index) => `${round}-${index}`);
        ids.push(...five);
        await go(...five);
        await received(ids.length);
        for (let more = round % 3; more > 0; more -= 1) await deploy();
        const stops = nodeRed.prints("Stopping");
        const deploying = deploy();
        // Not before the nodes are closed: Node-RED may lose messages that they sent before.
        await stops;
        release();
        await deploying;
        await eventually(async () => ((await delivered(nodeRed)).length >= ids.length ? true : undefined));
      }
      const ends = await deliveredAll(nodeRed, ids.length);
      assert.deepEqual(ends.map(({ id }) => id).sort(), [...ids].sort());
      assert.deepEqual([...new Set(ends.map(({ as }) => as))], ["ok"]);
      assert.equal(tenant.received.length, ids.length);
    });
  }

  it("sends a failure to the Catch node of the new flows, even three deploys later", async () => {
    const release = tenant.hold();
    tenant.answer = {
      status: 503,
      envelope: { success: false, code: 503, locale: "en", message: "Later", data: null },
    };
    await nodeRed.deploy(ledgerFlow({ url: tenant.url }));
    await go("lost");
    await received(1);
    for (const label of ["Second", "Third", "Fourth"]) await nodeRed.deploy(ledgerFlow({ url: tenant.url }, { label }));
    release();
    assert.deepEqual(await deliveredAll(nodeRed, 1), [{ id: "lost", as: "ERR_SERVER", outcome: "unknown" }]);
    assert.equal(tenant.received.length, 1);
  });

  for (const [what, more] of [
    ["deleted", undefined],
    ["disabled with its flow", { tab: { disabled: true } }],
  ] as const) {
    it(`logs each message of a node that was ${what} once, and sends no waiting request`, async () => {
      const release = tenant.hold();
      await nodeRed.deploy(ledgerFlow({ url: tenant.url, concurrency: "1" }));
      await go("in flight", "waiting");
      await received(1);
      const flow = ledgerFlow({ url: tenant.url, concurrency: "1" }, more);
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
  }
});
