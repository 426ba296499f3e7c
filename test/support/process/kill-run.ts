import { setTimeout as sleep } from "node:timers/promises";
import { LiveTenant, type Reply } from "../live-tenant";
import { Campaign, campaignFlow, go, logged, placed } from "./campaign";
import { eventually, LONG_MS } from "./eventually";
import { acceptedIn, journalsIn } from "./journals";
import type { NodeRed } from "./node-red";

/** The results of the calls of a run, by the ids of their messages. */
export interface KillRun {
  /** As the journal says. */
  readonly accepted: ReadonlySet<string>;
  /** As the tenant says, in order. */
  readonly placed: readonly string[];
  /** The end of each call in the flow; throws if one has two results. */
  readonly ends: Readonly<Record<string, string>>;
  /** Calls whose result is in the log, because it was being delivered at a kill. */
  readonly named: ReadonlySet<string>;
}

const CALLS_BETWEEN_KILLS = 60;
/** Calls that are accepted before the next kill, however busy the machine. */
const AT_LEAST = 10;

/** The answers of a tenant from one kill to the next. */
const TROUBLE: readonly Reply[] = [{ status: 503, body: "down" }, (response) => response.destroy(), {}];
export const troubleOf = (kill: number): Reply => TROUBLE[kill % TROUBLE.length] ?? {};

/**
 * Kills Node-RED again and again while it accepts and places calls, until all calls have ended.
 * @param hasTrouble the tenant is down for two of three kills
 */
export async function killRun(kills: number, hasTrouble = false): Promise<KillRun> {
  const tenant = await LiveTenant.start();
  const campaign = await Campaign.create();
  try {
    tenant.delayMs = 25;
    const accepted = new Set<string>();
    const named = new Set<string>();
    // A result reaches the flow's file before the backlog removes it.
    const start = () => campaign.start({ SYNC_DELIVERY: "1" });
    let nodeRed = await start();
    await nodeRed.deploy(campaignFlow({ url: tenant.url, rate: "100", waitAtMost: "0" }));
    for (let kill = 0; kill < kills; kill += 1) {
      tenant.answers(() => (hasTrouble ? troubleOf(kill) : {}));
      const sending = sendSome(nodeRed, kill);
      const before = accepted.size;
      // A journal forgets what has ended.
      const note = () => {
        for (const file of journalsIn(campaign.telephonyFolder))
          for (const id of acceptedIn(file).values()) accepted.add(id);
      };
      await eventually(() => {
        note();
        return accepted.size >= before + AT_LEAST || undefined;
      });
      // Some are still being accepted.
      await sleep(70 * (kill % 4));
      await nodeRed.stop("SIGKILL");
      await sending;
      for (const id of namedIn(nodeRed)) named.add(id);
      note();
      nodeRed = await start();
    }
    tenant.answers(() => ({}));
    await eventually(() => {
      for (const id of namedIn(nodeRed)) named.add(id);
      const { ends } = campaign;
      return [...accepted].every((id) => id in ends || named.has(id)) || undefined;
    }, LONG_MS);
    return { accepted, placed: placed(tenant), ends: campaign.ends, named };
  } finally {
    await campaign.killAll();
    campaign.clear();
    tenant.stop();
  }
}

async function sendSome(nodeRed: NodeRed, kill: number): Promise<void> {
  const send = async (index: number) => {
    await sleep(5 * index);
    await go(nodeRed, `call-${kill}-${index}`).catch(() => {});
  };
  await Promise.all(Array.from({ length: CALLS_BETWEEN_KILLS }, (_, index) => send(index)));
}

function namedIn(nodeRed: NodeRed): readonly string[] {
  return logged(nodeRed, "[warn]", "call-out").flatMap((line) => /\bcall-\d+-\d+\b/.exec(line)?.[0] ?? []);
}
