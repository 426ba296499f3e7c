import { setTimeout as sleep } from "node:timers/promises";
import { RedisServer } from "../../support/backlog/redis-server";
import { announcedSeed, generator } from "../../support/faults/seed";
import { LiveTenant } from "../../support/live-tenant";
import { Campaign } from "../../support/process/campaign";
import { eventually } from "../../support/process/eventually";
import { calledNumbers, callList, listFlow, mistakesOf, numbersOf, tables } from "../../support/process/list-flow";
import { atMost, type Figure, none, part, share } from "../part";

/** So slow that all kills fall into a list. */
const DELAY_MS = 30;
const CONCURRENCY = 2;
/** From the moment at which enough rows were called to the kill, at most. */
const LONGEST_MS = 150;
/** For which the service stays in trouble behind a start. */
const TROUBLE_MS = 1000;
/** The lease of an instance has to run out before its rows are fed again. */
const LIMIT_MS = 120_000;
/** Rows whose line is in the file and whose message is not, a kill: what one instant may end. */
const UNTOLD = 0.5;

/** Brings the service into trouble before a kill, the last of three times none. Resolves to its end. */
const TROUBLE: readonly (((tenant: LiveTenant) => Promise<() => unknown>) | undefined)[] = [
  async (tenant) => {
    tenant.answers(() => ({ status: 503, body: "busy", headers: { "retry-after": "1" } }));
    return () => tenant.answers(() => ({}));
  },
  (tenant) => tenant.refuse(),
  undefined,
];

const random = generator(announcedSeed());

/** Kills Node-RED again and again while it calls a list. */
async function killed(rows: number, kills: number, settings: object, hasTrouble: boolean): Promise<Figure[]> {
  const tenant = await LiveTenant.start();
  const campaign = await Campaign.createWithRedis();
  tenant.delayMs = DELAY_MS;
  let nodeRed = await campaign.start();
  await nodeRed.deploy(listFlow({ url: tenant.url, concurrency: String(CONCURRENCY), ...settings }));
  await callList(nodeRed, numbersOf(rows));
  const called = () => calledNumbers(tenant).length;
  for (let kill = 0; kill < kills; kill += 1) {
    await eventually(() => called() >= (rows * (kill + 1)) / (kills + 2) || undefined, LIMIT_MS);
    const end = hasTrouble && (await TROUBLE[kill % TROUBLE.length]?.(tenant));
    await sleep(Math.floor(random() * LONGEST_MS));
    await nodeRed.stop("SIGKILL");
    nodeRed = await campaign.start();
    if (end) {
      await sleep(TROUBLE_MS);
      await end();
    }
  }
  const isInTime = called() < rows;
  const [table] = await tables(campaign);
  const { "told by no message": untold, ...mistakes } = mistakesOf(campaign, tenant, rows);
  console.log("     ", JSON.stringify({ called: called(), untold, ...table?.list }));
  await campaign.killAll();
  campaign.clear();
  tenant.stop();
  const { engine } = settings as { readonly engine: string };
  const what = `${engine}: a list of ${rows}, ${kills} SIGKILLs${hasTrouble ? ", with trouble in between" : ""}`;
  return [...none(what, mistakes, isInTime), atMost(`${what}: told by no message`, UNTOLD * kills, "rows", untold)];
}

part(async () => {
  const rows = share(1000);
  const server = await RedisServer.start();
  const redis = { engine: "redis", credentials: { token: "t", redisUrl: server.url } };
  const figures = [
    ...(await killed(rows, share(20), { engine: "file" }, false)),
    ...(await killed(rows, share(20), { engine: "file" }, true)),
    ...(await killed(rows, share(10), redis, true)),
  ];
  await server.kill();
  return figures;
});
