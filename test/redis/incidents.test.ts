import assert from "node:assert/strict";
import { RedisServer } from "../support/backlog/redis-server";
import { LiveTenant } from "../support/live-tenant";
import { Campaign, go } from "../support/process/campaign";
import { eventually } from "../support/process/eventually";
import {
  acknowledge,
  dialled,
  end,
  incident,
  incidentFlow,
  reportOf,
  untilDialled,
} from "../support/process/incident-flow";

/** docs/contract/escalate.md, with several instances. */
describe("Node-REDs that share an incident", () => {
  let redis: RedisServer;
  let tenant: LiveTenant;
  let one: Campaign;
  let other: Campaign;
  let group = 0;

  before(async () => {
    redis = await RedisServer.start();
    tenant = await LiveTenant.start();
    [one, other] = await Promise.all([Campaign.createBeside(), Campaign.createBeside()]);
  });
  beforeEach(() => {
    group += 1;
    tenant.reset();
    for (const campaign of [one, other]) campaign.clear();
  });
  afterEach(() => {
    for (const campaign of [one, other]) campaign?.killAll();
  });
  after(async () => {
    await redis?.kill();
    tenant?.stop();
  });

  const start = async (campaign: Campaign, node: Record<string, unknown>) => {
    const credentials = { token: "token-of-the-incidents", redisUrl: redis.url };
    const nodeRed = await campaign.start();
    await nodeRed.deploy(
      incidentFlow({ url: tenant.url, engine: "redis", group: `incidents ${group}`, credentials }, node),
    );
    return nodeRed;
  };
  const startBoth = (node: Record<string, unknown>) => Promise.all([start(one, node), start(other, node)]);

  it("run it once, and each takes its acknowledgement", async () => {
    const [first, second] = await startBoth({ ringFor: "3600" });
    await go(first, incident("i"));
    await untilDialled(tenant, 1);
    await go(second, incident("i"));
    await acknowledge(second, "i", "Jane");
    const { as, acknowledgedBy, calls } = await reportOf(one, "i");
    assert.deepEqual([as, acknowledgedBy, calls], ["ok", "Jane", ["1 A applied"]]);
    await go(second, incident("j"));
    await untilDialled(tenant, 2);
    await acknowledge(second, "j");
    await reportOf(other, "j");
    assert.deepEqual([dialled(tenant), Object.keys(one.ends), Object.keys(other.ends)], ["AA", ["i"], ["j"]]);
    // Both are quiet about each, until one of them hears that it is over.
    await go(second, incident("i"));
    await go(first, incident("j"));
    await end(first, "j");
    await eventually(async () => {
      await go(second, incident("j"));
      return dialled(tenant).length === 3 || undefined;
    });
    await end(first, "j");
    await eventually(() => other.results.filter(({ id }) => id === "j").length === 2 || undefined);
    assert.equal(dialled(tenant), "AAA");
  });

  it("go on with it when the one that runs it is killed", async () => {
    const [first] = await startBoth({ ringFor: "4" });
    await go(first, incident("i"));
    await untilDialled(tenant, 1);
    await first.stop("SIGKILL");
    const { as, calls, restored } = await reportOf(other, "i");
    assert.equal(as, "ok");
    assert.deepEqual(
      calls?.map((call) => call.slice(0, 3)),
      ["1 A", "1 B", "1 C"],
    );
    assert.deepEqual(restored?.left, []);
    assert.equal(dialled(tenant), "ABC");
    await eventually(() => one.results.length === 0 || undefined);
  });
});
