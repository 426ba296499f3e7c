import assert from "node:assert/strict";
import { nodeReds, redisCommand } from "../../support/backlog/compose";
import { RedisServer } from "../../support/backlog/redis-server";
import { LiveTenant } from "../../support/live-tenant";
import { Campaign, campaignFlow, control, go, placed, placedAll } from "../../support/process/campaign";
import { eventually, LONG_MS } from "../../support/process/eventually";
import type { NodeRed } from "../../support/process/node-red";

const PASSWORD = "secret-of-redis";

/** The processes of docs/compose.yaml, with the options that they have there. */
describe("three Node-REDs that share a Redis", () => {
  let tenant: LiveTenant;
  let server: RedisServer;
  let campaign: Campaign;
  const instances: NodeRed[] = [];

  before(async () => {
    tenant = await LiveTenant.start();
    server = await RedisServer.start(...redisCommand(PASSWORD).slice(1));
    campaign = await Campaign.createWithRedis();
    const known: Record<string, string> = {
      TENANT_TOKEN: "token-of-the-campaign",
      REDIS_URL: `redis://:${PASSWORD}@127.0.0.1:${server.port}`,
    };
    for (const [, { environment = {} }] of nodeReds) {
      const names = Object.keys(environment).filter((name) => name in known);
      const nodeRed = await campaign.start(Object.fromEntries(names.map((name) => [name, known[name]])));
      instances.push(nodeRed);
      if (instances.length > 1) continue;
      const credentials = { token: "${TENANT_TOKEN}", redisUrl: "${REDIS_URL}" };
      // The others find these flows when they start.
      await nodeRed.deploy(campaignFlow({ url: tenant.url, engine: "redis", rate: "100", credentials }));
    }
  });
  after(async () => {
    await campaign?.killAll();
    campaign?.clear();
    await server?.kill();
    tenant?.stop();
  });

  it("answer each webhook where it came in, and place its call once", async () => {
    const ids = Array.from({ length: 30 }, (_, index) => `webhook-${index}`);
    const answers = await Promise.all(
      ids.map(async (id, index) => {
        const answer = await instances[index % instances.length]?.post("/hook", { id });
        return answer?.text();
      }),
    );
    assert.deepEqual(
      answers,
      ids.map(() => "ok"),
    );
    assert.deepEqual([...placed(tenant)].sort(), [...ids].sort());
  });

  it("share a pause, and the count of what waits", async () => {
    const [first, second, third] = instances as [NodeRed, NodeRed, NodeRed];
    await control(first, "pause");
    await eventually(async () => (await control(third, "count")).paused || undefined);
    await go(second, "waiting-1", "waiting-2");
    await eventually(async () => (await control(third, "count")).waiting.callOut === 2 || undefined);
  });

  it("go on with the calls of one that is gone", async () => {
    const [first, second, third] = instances as [NodeRed, NodeRed, NodeRed];
    tenant.reset();
    await second.stop("SIGKILL");
    await control(third, "resume");
    assert.deepEqual([...(await placedAll(tenant, 2, LONG_MS))].sort(), ["waiting-1", "waiting-2"]);
    // Its lease has to run out before another one tells the flow.
    await eventually(() => (campaign.ends["waiting-2"] === "ok" && campaign.ends["waiting-1"]) || undefined, LONG_MS);
    assert.equal(placed(tenant).length, 2);
    await go(first, "after");
    await eventually(() => campaign.ends["after"] === "ok" || undefined);
  });
});
