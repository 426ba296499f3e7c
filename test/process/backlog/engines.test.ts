import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { Campaign, campaignFlow, control, go, logged, placed, placedAll, shown } from "../../support/process/campaign";
import { eventually } from "../../support/process/eventually";
import { journalsIn, keptIn, untilAccepted } from "../../support/process/journals";
import { LiveTenant } from "../../support/process/live-tenant";
import type { NodeRed } from "../../support/process/node-red";

describe("the file of waiting calls", function () {
  this.timeout(60_000);
  let tenant: LiveTenant;
  let campaign: Campaign;

  before(async () => {
    tenant = await LiveTenant.start();
    campaign = await Campaign.create();
  });
  beforeEach(() => {
    tenant.reset();
    campaign.clear();
  });
  afterEach(() => campaign?.killAll());
  after(() => {
    campaign?.clear();
    tenant?.stop();
  });

  const flow = (settings: object = {}) => campaignFlow({ url: tenant.url, concurrency: "1", ...settings });
  const warnings = (nodeRed: NodeRed) => logged(nodeRed, "[warn]", campaign.telephonyFolder);

  describe("in a folder that cannot be written", () => {
    // Not by its mode, which does not keep root out.
    beforeEach(() => writeFileSync(campaign.telephonyFolder, ""));

    it("is not needed by default: calls wait in memory, with one warning", async () => {
      const nodeRed = await campaign.start();
      await nodeRed.deploy(flow());
      await go(nodeRed, "a", "b");
      await campaign.toldAll(2);
      assert.deepEqual(campaign.ends, { a: "ok", b: "ok" });
      assert.equal(warnings(nodeRed).length, 1, nodeRed.log);
      assert.match(warnings(nodeRed)[0] ?? "", /Acme/);
    });

    it("is needed by a tenant that has chosen it: ERR_CONFIG, and nothing is sent", async () => {
      const nodeRed = await campaign.start();
      await nodeRed.deploy(flow({ engine: "file" }));
      await go(nodeRed, "a");
      await campaign.toldAll(1);
      assert.deepEqual(campaign.ends, { a: "ERR_CONFIG" });
      assert.deepEqual(placed(tenant), []);
    });
  });

  it("belongs to one Node-RED: a second one on the folder keeps its calls in memory, or fails, as it was told", async () => {
    const first = await campaign.start();
    const release = tenant.hold();
    await first.deploy(flow());
    await go(first, "a", "b");
    await placedAll(tenant, 1);
    await untilAccepted(campaign.telephonyFolder, "a", "b");
    const second = await campaign.start();
    await eventually(() => warnings(second).length > 0 || undefined);
    assert.equal(warnings(second).length, 1, second.log);
    await go(second, "c");
    await placedAll(tenant, 2);
    await second.deploy(flow({ engine: "file" }));
    await go(second, "d");
    await eventually(() => campaign.ends["d"]);
    release();
    await campaign.toldAll(4);
    assert.deepEqual(campaign.ends, { a: "ok", b: "ok", c: "ok", d: "ERR_CONFIG" });
    assert.deepEqual([...placed(tenant)].sort(), ["a", "b", "c"]);
  });

  it("is taken by a deploy once the other Node-RED has ended", async () => {
    const first = await campaign.start();
    await first.deploy(flow({ engine: "file" }));
    await go(first, "a");
    await campaign.toldAll(1);
    const second = await campaign.start();
    await go(second, "b");
    await eventually(() => campaign.ends["b"]);
    await first.stop();
    await second.deploy(flow({ engine: "file", timeout: "20" }));
    await go(second, "c");
    await eventually(() => campaign.ends["c"]);
    assert.deepEqual(campaign.ends, { a: "ok", b: "ERR_CONFIG", c: "ok" });
  });

  it("is kept by a deploy that only names what was the default", async () => {
    const release = tenant.hold();
    const nodeRed = await campaign.start();
    await nodeRed.deploy(flow());
    await go(nodeRed, "a", "b");
    await placedAll(tenant, 1);
    await nodeRed.deploy(flow({ engine: "file" }));
    await go(nodeRed, "c");
    await untilAccepted(campaign.telephonyFolder, "a", "b", "c");
    release();
    await campaign.toldAll(3);
    assert.deepEqual(campaign.ends, { a: "ok", b: "ok", c: "ok" });
    assert.deepEqual(placed(tenant), ["a", "b", "c"]);
  });

  for (const settings of [{ mode: "log", engine: "file" }, { mode: "sandbox", engine: "file" }, { engine: "memory" }]) {
    it(`does not exist with ${JSON.stringify(settings)}`, async () => {
      const nodeRed = await campaign.start();
      await nodeRed.deploy(flow(settings));
      await go(nodeRed, "a");
      await campaign.toldAll(1);
      assert.deepEqual(campaign.ends, { a: "ok" });
      assert.deepEqual(journalsIn(campaign.telephonyFolder), []);
    });
  }

  const ON_LINUX = process.platform === "linux" ? it : it.skip;
  ON_LINUX(
    "on a full disk: new calls fail with ERR_ENGINE, accepted ones go on, and it recovers by itself",
    async () => {
      const release = tenant.hold();
      const nodeRed = await campaign.startOnSmallDisk(512 * 1024);
      await nodeRed.deploy(flow());
      const ids = Array.from({ length: 20 }, (_, index) => `call ${index}`);
      for (const id of ids) await go(nodeRed, { id, pad: "x".repeat(50_000) });
      const refused = await eventually(() => {
        const ended = Object.keys(campaign.ends);
        const kept = journalsIn(campaign.telephonyFolder).flatMap(keptIn);
        return kept.length + ended.length === ids.length ? ended : undefined;
      });
      for (const { as, outcome, sent } of campaign.told)
        assert.deepEqual([as, outcome, sent], ["ERR_ENGINE", "not-applied", "no"]);
      assert.ok(refused.length > 5 && refused.length < 20, `${refused.length} refused`);
      assert.equal((await control(nodeRed, "count")).waiting.callOut, 20 - refused.length - 1);
      await eventually(async () => {
        const { fill, text } = await shown(nodeRed);
        return (fill === "red" && text === "no backlog") || undefined;
      });
      release();
      await campaign.toldAll(20);
      const accepted = ids.filter((id) => !refused.includes(id));
      assert.deepEqual(placed(tenant), accepted);
      for (const id of accepted) assert.equal(campaign.ends[id], "ok");
      await nodeRed.enlargeDisk();
      await go(nodeRed, { id: "later", pad: "x".repeat(50_000) });
      await eventually(() => campaign.ends["later"]);
      assert.equal(campaign.ends["later"], "ok");
      // A shorter batch may still have fitted in between.
      const lines = logged(nodeRed, "Acme", /EFBIG|works again/);
      assert.ok(lines.length >= 2 && lines.length < refused.length, nodeRed.log);
      assert.match(lines[0] ?? "", /\[warn\].*EFBIG/);
      assert.match(lines.at(-1) ?? "", /\[info\].*works again/);
    },
  );
});
