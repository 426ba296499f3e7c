import { RedisServer } from "../backlog/redis-server";
import { LiveTenant } from "../live-tenant";
import { Campaign } from "./campaign";

/** Prepares a suite of Node-REDs that share a Redis: it, a tenant and two user folders, each test in a group of its own. */
export function sharing() {
  const held = { group: 0 } as {
    group: number;
    redis: RedisServer;
    tenant: LiveTenant;
    one: Campaign;
    other: Campaign;
  };
  before(async () => {
    held.redis = await RedisServer.start();
    held.tenant = await LiveTenant.start();
    [held.one, held.other] = await Promise.all([Campaign.createBeside(), Campaign.createBeside()]);
  });
  beforeEach(async () => {
    await held.redis.command("FLUSHALL");
    held.group += 1;
    held.tenant.reset();
    for (const campaign of [held.one, held.other]) campaign.clear();
  });
  afterEach(() => Promise.all([held.one, held.other].map((campaign) => campaign?.killAll())));
  after(async () => {
    await held.redis?.kill();
    held.tenant?.stop();
  });
  return held;
}
