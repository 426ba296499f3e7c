import { setTimeout as sleep } from "node:timers/promises";
import { RedisServer } from "../../support/backlog/redis-server";
import { LiveTenant } from "../../support/live-tenant";
import { Campaign, campaignFlow, go, logged, placed } from "../../support/process/campaign";
import { troubleOf } from "../../support/process/kill-run";
import type { NodeRed } from "../../support/process/node-red";
import { none, part, share } from "../part";

const AT_ONCE = 25;
const BETWEEN_SENDS_MS = 100;
const BETWEEN_KILLS_MS = 2500;
/** A lease has to run out after the last kill, and the service is asked again a minute later at most. */
const END_MS = 150_000;

/** Counts the entries of all instances that were accepted, and whose end was not reported. */
const OPEN = `local open = 0
for _, key in ipairs(redis.call('KEYS', '*:entries:*')) do open = open + redis.call('HLEN', key) end
return open`;

/** Three Node-REDs share a Redis. One of them is killed again and again, and Redis once, with trouble of the tenant in between. */
part(async () => {
  const calls = share(20_000);
  const tenant = await LiveTenant.start();
  tenant.delayMs = 20;
  const server = await RedisServer.start();
  const campaign = await Campaign.createWithRedis();
  const all: NodeRed[] = [];
  const start = async () => {
    // A result reaches the flow's file before it is removed from Redis.
    const nodeRed = await campaign.start({ SYNC_DELIVERY: "1" });
    all.push(nodeRed);
    return nodeRed;
  };
  const first = await start();
  const credentials = { token: "token-of-the-campaign", redisUrl: server.url };
  await first.deploy(
    campaignFlow({ url: tenant.url, engine: "redis", concurrency: "32", waitAtMost: "0", credentials }),
  );
  const running = [first, await start(), await start()];

  let sent = 0;
  const sending: Promise<void>[] = [];
  const send = async () => {
    for (; sent < calls; sent += AT_ONCE) {
      const nodeRed = running[sent % running.length];
      const ids = Array.from({ length: AT_ONCE }, (_, index) => `call-${sent / AT_ONCE}-${index}`);
      if (nodeRed) sending.push(go(nodeRed, ...ids).catch(() => {}));
      await sleep(BETWEEN_SENDS_MS);
    }
  };
  let kills = 0;
  const kill = async () => {
    for (let isRedisKilled = false; sent < calls; ) {
      await sleep(BETWEEN_KILLS_MS);
      await running.shift()?.stop("SIGKILL");
      const reply = troubleOf(kills);
      tenant.answers(() => reply);
      kills += 1;
      if (!isRedisKilled && sent > calls / 2) {
        await server.kill();
        await server.restart();
        isRedisKilled = true;
      }
      running.push(await start());
    }
    tenant.answers(() => ({}));
  };
  await Promise.all([send(), kill()]);
  await Promise.all(sending);

  const unreported = () => all.flatMap((nodeRed) => logged(nodeRed, "[warn]", "call-out").flatMap(idsIn));
  const reported = () => campaign.results.filter(({ as }) => as !== "ERR_ENGINE").map(({ id }) => id);
  const known = () => new Set([...reported(), ...unreported()]);
  const open = async () => Number(await server.command("EVAL", OPEN, "0"));
  const isOver = async () => {
    const ids = known();
    return placed(tenant).every((id) => ids.has(id)) && (await open()) === 0;
  };
  for (const limit = Date.now() + END_MS; !(await isOver()) && Date.now() < limit; ) await sleep(500);

  const [ids, results, calling] = [known(), reported(), placed(tenant)];
  const left = await open();
  const accepted = ids.size + left;
  const unknown = campaign.results.filter(({ outcome }) => outcome === "unknown").length;
  console.log(
    "     ",
    JSON.stringify({ accepted, placed: calling.length, unknown, unreported: unreported().length, kills }),
  );
  const counts = {
    "placed twice": calling.length - new Set(calling).size,
    "reported twice": results.length - new Set(results).size,
    "placed and never reported": [...new Set(calling)].filter((id) => !ids.has(id)).length,
    "accepted and never reported": left,
  };
  await campaign.killAll();
  campaign.clear();
  await server.kill();
  tenant.stop();
  const what = `three Node-REDs, ${kills} SIGKILLs and one of Redis, ${accepted} of ${calls} accepted`;
  return none(what, counts, accepted > 0);
});

/** The ids of calls in a line of the log, which names those whose result may have been delivered before. */
function idsIn(line: string): readonly string[] {
  return /\bcall-\d+-\d+\b/.exec(line) ?? [];
}
