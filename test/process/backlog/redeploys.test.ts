import assert from "node:assert/strict";
import { join } from "node:path";
import {
  Campaign,
  campaignFlow,
  control,
  go,
  logged,
  loggedOnce,
  placed,
  placedAll,
} from "../../support/process/campaign";
import { eventually } from "../../support/process/eventually";
import { journalIn, keptIn, untilAccepted } from "../../support/process/journals";
import { LiveTenant } from "../../support/process/live-tenant";
import type { NodeRed } from "../../support/process/node-red";
import { unfinishedLines } from "../../support/process/unfinished-lines";

/** docs/contract/restarts.md#redeploys, for calls that wait in a backlog. */
describe("a deploy while calls wait", () => {
  let tenant: LiveTenant;
  let campaign: Campaign;
  let nodeRed: NodeRed;

  before(async () => {
    tenant = await LiveTenant.start();
    campaign = await Campaign.create();
    nodeRed = await campaign.start();
  });
  beforeEach(async () => {
    tenant.reset();
    await nodeRed.deploy([]);
  });
  after(() => {
    campaign?.killAll();
    campaign?.clear();
    tenant?.stop();
  });

  let removals = 0;
  const flow = (settings: object = {}, more: Parameters<typeof campaignFlow>[1] = {}) =>
    campaignFlow({ url: tenant.url, concurrency: "1", ...settings }, more);
  const ended = (name: string) =>
    Object.fromEntries(
      Object.entries(campaign.ends).flatMap(([id, as]) => (id.startsWith(name) ? [[id.slice(name.length), as]] : [])),
    );

  for (const engine of ["memory", "file"]) {
    describe(`with the engine ${engine}`, () => {
      const names = (name: string, ...rest: string[]) => rest.map((one) => `${engine} ${name} ${one}`);

      it("answers a webhook whose call was placed meanwhile", async () => {
        const release = tenant.hold();
        await nodeRed.deploy(flow({ engine }));
        const [a = "", b = ""] = names("webhook", "a", "b");
        const first = nodeRed.post("/hook", { id: a });
        await placedAll(tenant, 1);
        const second = nodeRed.post("/hook", { id: b });
        await eventually(async () => (await control(nodeRed, "count")).waiting.callOut === 1 || undefined);
        for (const name of ["Second", "Third"]) await nodeRed.deploy(flow({ engine, name }));
        release();
        for (const answer of [await first, await second]) assert.equal(await answer.text(), "ok");
        assert.deepEqual(placed(tenant), [a, b]);
        assert.deepEqual(ended(`${engine} webhook `), { a: "ok", b: "ok" });
      });

      it("accounts for each call exactly once, over deploys in a chain", async () => {
        tenant.delayMs = 40;
        const deploy = (count: number) =>
          nodeRed.deploy(flow({ engine, concurrency: "4", timeout: String(20 + count) }), "full");
        await deploy(0);
        const ids: string[] = [];
        for (let count = 1; count <= 8; count += 1) {
          const more = Array.from({ length: 15 }, (_, index) => `${engine} chain ${count}-${index}`);
          ids.push(...more);
          // Node-RED itself loses messages that are between two nodes when a deploy stops them: none is on its way then.
          const release = tenant.hold();
          await go(nodeRed, ...more);
          await eventually(async () => {
            const { waiting, underWay } = await control(nodeRed, "count");
            const ends = ids.filter((id) => id in campaign.ends).length;
            return waiting.callOut + Number(underWay) + ends >= ids.length || undefined;
          });
          const stops = nodeRed.prints("Stopping flows");
          const deployed = deploy(count);
          await stops;
          release();
          await deployed;
        }
        await eventually(() => ids.every((id) => id in campaign.ends) || undefined);
        assert.deepEqual(new Set(Object.values(ended(`${engine} chain `))), new Set(["ok"]));
        assert.deepEqual([...placed(tenant)].sort(), [...ids].sort());
        assert.equal(logged(nodeRed, "[warn]", `${engine} chain`).length, 0);
      });

      for (const [what, more] of [
        ["deletes", undefined],
        ["disables", { node: { d: true } }],
        ["disables the flow of", { tab: { disabled: true } }],
      ] as const) {
        it(`that ${what} their node drops them, with one warning for those that wait`, async () => {
          const release = tenant.hold();
          await nodeRed.deploy(flow({ engine }));
          const [a = "", b = "", c = ""] = names(what, "a", "b", "c");
          await go(nodeRed, a, b, c);
          await placedAll(tenant, 1);
          const next = flow({ engine }, more);
          await nodeRed.deploy(more ? next : next.filter(({ id }) => id !== "call"));
          release();
          assert.match(await loggedOnce(nodeRed, "[warn]", a), /\bapplied/);
          removals += 1;
          await eventually(() => logged(nodeRed, "[warn]", "waiting: 2").length === removals || undefined);
          assert.deepEqual(placed(tenant), [a]);
          assert.deepEqual(ended(`${engine} ${what} `), {});
        });
      }
    });
  }

  it("ends once, with its whole message, what waits for a date in the journal alone; with a warning if the node is gone", async () => {
    const dated = { node: { notBefore: "payload.when", notBeforeType: "msg" } };
    await nodeRed.deploy(flow({ engine: "file" }, dated));
    const [soon, late] = [Date.now() + 10_000, Date.now() + 3_600_000];
    const text = { nested: { list: [1, "ổ"] } };
    await go(nodeRed, { id: "dated a", when: soon, text }, { id: "dated late", when: late });
    // This message has to stay in memory: only its own connection can be answered.
    const webhook = nodeRed.post("/hook", { id: "dated b", when: soon });
    await untilAccepted(campaign.telephonyFolder, "dated a", "dated b", "dated late");
    await nodeRed.deploy(flow({ engine: "file", timeout: "25" }, dated));
    assert.ok(Date.now() < soon, "the date came before the deploy");
    assert.equal(await (await webhook).text(), "ok");
    await eventually(() => campaign.ends["dated a"]);
    const result = campaign.results.find(({ id }) => id === "dated a");
    assert.deepEqual([result?.as, result?.restored], ["ok", undefined]);
    assert.deepEqual(result?.message["payload"], { id: "dated a", when: soon, text });
    assert.deepEqual(ended("dated "), { a: "ok", b: "ok" });
    await nodeRed.deploy(flow({ engine: "file" }, dated).filter(({ id }) => id !== "call"));
    await eventually(() => logged(nodeRed, "[warn]", "dated late").length > 0 || undefined);
    assert.equal(logged(nodeRed, "[warn]", "dated late", "not-applied").length, 1, nodeRed.log);
    assert.deepEqual(unfinishedLines(join(campaign.telephonyFolder, "unfinished.jsonl")), []);
    assert.deepEqual([...placed(tenant)].sort(), ["dated a", "dated b"]);
  });

  it("leaves no waiting call in a journal", async () => {
    const release = tenant.hold();
    await nodeRed.deploy(flow({ engine: "file" }));
    await go(nodeRed, "kept a", "kept b");
    await untilAccepted(campaign.telephonyFolder, "kept a", "kept b");
    await nodeRed.deploy(flow({ engine: "file", timeout: "20" }));
    release();
    await eventually(() => campaign.ends["kept b"]);
    await nodeRed.stop();
    assert.deepEqual(keptIn(journalIn(campaign.telephonyFolder)), []);
    nodeRed = await campaign.start();
    assert.equal(logged(nodeRed, "[warn]", /call-out|Acme/).length, 0, nodeRed.log);
  });
});
