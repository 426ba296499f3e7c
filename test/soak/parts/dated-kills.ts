import { setTimeout as sleep } from "node:timers/promises";
import { RedisServer } from "../../support/backlog/redis-server";
import { LiveTenant } from "../../support/live-tenant";
import { Campaign, campaignFlow, control, go, placed } from "../../support/process/campaign";
import { eventually } from "../../support/process/eventually";
import { type Figure, none, part } from "../part";

const KILLS = 10;
/** Ten starts of Node-RED, and the lease of the last that was killed. */
const AHEAD_MS = 60_000;
const BETWEEN_MS = 300;

/** A SIGKILL after the acceptance of each of ten calls, and before the date of the first. */
async function killed(engine: "file" | "redis", credentials: object): Promise<Figure[]> {
  const tenant = await LiveTenant.start();
  const campaign = await Campaign.createWithRedis();
  let nodeRed = await campaign.start();
  const settings = { url: tenant.url, engine, credentials: { token: "token-of-the-campaign", ...credentials } };
  await nodeRed.deploy(campaignFlow(settings, { node: { notBefore: "payload.at", notBeforeType: "msg" } }));
  const first = Date.now() + AHEAD_MS;
  const dates = new Map(Array.from({ length: KILLS }, (_, n) => [`call-${n}`, first + n * BETWEEN_MS]));
  let accepted = 0;
  for (const [id, at] of dates) {
    await go(nodeRed, { id, at });
    accepted += 1;
    await eventually(async () => Number((await control(nodeRed, "count"))["dated"]) === accepted || undefined);
    await nodeRed.stop("SIGKILL");
    nodeRed = await campaign.start();
  }
  const isInTime = Date.now() < first;
  const placedAt: number[] = [];
  const note = () => {
    while (placedAt.length < placed(tenant).length) placedAt.push(Date.now());
  };
  for (const end = first + 2 * AHEAD_MS; Date.now() < end && placedAt.length < KILLS; await sleep(1)) note();
  // Nothing may follow.
  await sleep(5000);
  note();
  const ids = placed(tenant);
  const counts = {
    twice: ids.length - new Set(ids).size,
    never: KILLS - new Set(ids).size,
    missing: KILLS - Object.values(campaign.ends).filter((as) => as === "ok").length,
    early: ids.filter((id, index) => (placedAt[index] ?? 0) < (dates.get(id) ?? Number.POSITIVE_INFINITY)).length,
    "over a second late": ids.filter((id, index) => (placedAt[index] ?? 0) > (dates.get(id) ?? 0) + 1000).length,
  };
  await campaign.killAll();
  campaign.clear();
  tenant.stop();
  return none(`${engine}: ${KILLS} dated calls, a SIGKILL after each`, counts, isInTime);
}

part(async () => {
  const server = await RedisServer.start("--appendonly", "yes", "--appendfsync", "always");
  const figures = [...(await killed("file", {})), ...(await killed("redis", { redisUrl: server.url }))];
  await server.kill();
  return figures;
});
