import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import {
  campaignFlow,
  control,
  go,
  logged,
  loggedOnce,
  placed,
  placedAll,
  shown,
  withCampaign,
} from "../../support/process/campaign";
import { eventually } from "../../support/process/eventually";
import { journalsIn, keptIn, untilAccepted } from "../../support/process/journals";
import type { NodeRed } from "../../support/process/node-red";

describe("the file of waiting calls", () => {
  const held = withCampaign();

  const flow = (settings: object = {}) => campaignFlow({ url: held.tenant.url, concurrency: "1", ...settings });
  const warning = (nodeRed: NodeRed) => loggedOnce(nodeRed, "[warn]", held.campaign.telephonyFolder);

  it("in a folder that cannot be written is needed only by a tenant that has chosen it", async () => {
    // Not by its mode, which does not keep root out.
    writeFileSync(held.campaign.telephonyFolder, "");
    const nodeRed = await held.campaign.start();
    await nodeRed.deploy(flow());
    await go(nodeRed, "a", "b");
    await held.campaign.resultsOf(2);
    assert.match(await warning(nodeRed), /Acme/);
    await nodeRed.deploy(flow({ engine: "file" }));
    await go(nodeRed, "c");
    await held.campaign.resultsOf(3);
    assert.deepEqual(held.campaign.ends, { a: "ok", b: "ok", c: "ERR_CONFIG" });
    assert.deepEqual(placed(held.tenant), ["a", "b"]);
  });

  it("belongs to one Node-RED: a second one on the folder keeps its calls in memory, or fails, as it is set", async () => {
    const first = await held.campaign.start();
    const release = held.tenant.hold();
    await first.deploy(flow());
    await go(first, "a", "b");
    await placedAll(held.tenant, 1);
    await untilAccepted(held.campaign.telephonyFolder, "a", "b");
    const second = await held.campaign.start();
    assert.match(await warning(second), /Acme: another Node-RED uses /);
    await go(second, "c");
    await placedAll(held.tenant, 2);
    await second.deploy(flow({ engine: "file" }));
    await go(second, "d");
    await eventually(() => held.campaign.ends["d"]);
    release();
    await held.campaign.resultsOf(4);
    assert.deepEqual(held.campaign.ends, { a: "ok", b: "ok", c: "ok", d: "ERR_CONFIG" });
    assert.deepEqual([...placed(held.tenant)].sort(), ["a", "b", "c"]);
  });

  it("is taken over as soon as the other Node-RED has stopped, with what that one leaves, where it was chosen", async () => {
    const first = await held.campaign.start();
    const release = held.tenant.hold();
    await first.deploy(flow({ engine: "file" }));
    await go(first, "in flight", "a", "b");
    await placedAll(held.tenant, 1);
    await untilAccepted(held.campaign.telephonyFolder, "in flight", "a", "b");
    const second = await held.campaign.start();
    await eventually(async () => (await shown(second)).fill === "red" || undefined);
    await first.stop("SIGKILL");
    release();
    await held.campaign.resultsOf(3);
    await go(second, "new");
    await held.campaign.resultsOf(4);
    assert.deepEqual(held.campaign.ends, { "in flight": "ERR_CONNECTION_LOST", a: "ok", b: "ok", new: "ok" });
    assert.deepEqual(placed(held.tenant), ["in flight", "a", "b", "new"]);
    await eventually(async () => (await shown(second)).fill === "green" || undefined);
  });

  it("is kept by a deploy that only names what was the default", async () => {
    const release = held.tenant.hold();
    const nodeRed = await held.campaign.start();
    await nodeRed.deploy(flow());
    await go(nodeRed, "a", "b");
    await placedAll(held.tenant, 1);
    await nodeRed.deploy(flow({ engine: "file" }));
    await go(nodeRed, "c");
    await untilAccepted(held.campaign.telephonyFolder, "a", "b", "c");
    release();
    await held.campaign.resultsOf(3);
    assert.deepEqual(held.campaign.ends, { a: "ok", b: "ok", c: "ok" });
    assert.deepEqual(placed(held.tenant), ["a", "b", "c"]);
  });

  it("does not exist with another engine, in log mode or in the sandbox", async () => {
    const others = [{ mode: "log", engine: "file" }, { mode: "sandbox", engine: "file" }, { engine: "memory" }];
    const nodeRed = await held.campaign.start();
    for (const [index, settings] of others.entries()) {
      await nodeRed.deploy(flow(settings));
      await go(nodeRed, String(index));
      await held.campaign.resultsOf(index + 1);
      assert.equal(held.campaign.ends[index], "ok");
      assert.deepEqual(journalsIn(held.campaign.telephonyFolder), []);
    }
  });

  const ON_LINUX = process.platform === "linux" ? it : it.skip;
  ON_LINUX(
    "on a full disk: new calls fail with ERR_ENGINE, accepted ones go on, and it recovers by itself",
    async () => {
      const release = held.tenant.hold();
      const nodeRed = await held.campaign.startOnSmallDisk(512 * 1024);
      await nodeRed.deploy(flow());
      const ids = Array.from({ length: 20 }, (_, index) => `call ${index}`);
      for (const id of ids) {
        await go(nodeRed, { id, pad: "x".repeat(50_000) });
        // One is in flight before the disk is full.
        await placedAll(held.tenant, 1);
      }
      const refused = await eventually(() => {
        const ended = Object.keys(held.campaign.ends);
        const kept = journalsIn(held.campaign.telephonyFolder).flatMap(keptIn);
        return kept.length + ended.length === ids.length ? ended : undefined;
      });
      for (const { as, outcome, sent } of held.campaign.results)
        assert.deepEqual([as, outcome, sent], ["ERR_ENGINE", "not-applied", "no"]);
      assert.ok(refused.length > 5 && refused.length < 20, `${refused.length} refused`);
      await eventually(
        async () => (await control(nodeRed, "count")).waiting.callOut === 20 - refused.length - 1 || undefined,
      );
      await eventually(async () => {
        const { fill, text } = await shown(nodeRed);
        return (fill === "red" && text === "no backlog") || undefined;
      });
      release();
      await held.campaign.resultsOf(20);
      const accepted = ids.filter((id) => !refused.includes(id));
      assert.deepEqual(placed(held.tenant), accepted);
      for (const id of accepted) assert.equal(held.campaign.ends[id], "ok");
      await nodeRed.enlargeDisk();
      await go(nodeRed, { id: "later", pad: "x".repeat(50_000) });
      await eventually(() => held.campaign.ends["later"]);
      assert.equal(held.campaign.ends["later"], "ok");
      // A shorter batch may still have fitted in between.
      const lines = logged(nodeRed, "Acme", /EFBIG|works again/);
      assert.ok(lines.length >= 2 && lines.length < refused.length, nodeRed.log);
      assert.match(lines[0] ?? "", /\[warn\].*EFBIG/);
      assert.match(lines.at(-1) ?? "", /\[info\].*works again/);
    },
  );
});
