import { setTimeout as sleep } from "node:timers/promises";
import type { Counting } from "./counting";
import type { Embedded } from "./embedded";
import { soakFlow } from "./soak-flow";

const APART_MS = 50;
/** For the requests to be on their way when the deploy begins. */
const HEAD_START_MS = 10;

interface Redeploying {
  readonly deploys: number;
  /** Messages sent before each. */
  readonly each: number;
  readonly url: string;
  /** What makes one run's messages others than another's. */
  readonly name: string;
}

/** Full deploys with requests under way; how many of them were, all deploys together. */
export async function redeploying(
  nodeRed: Embedded,
  counting: Counting,
  { deploys, each, url, name }: Redeploying,
): Promise<number> {
  const node = { id: "transfer", type: "call-transfer" };
  const payload = { to: { type: "internal", number: "7" } };
  await nodeRed.deploy(soakFlow(url, [node]));
  let underWay = 0;
  for (let round = 1; round <= deploys; round += 1) {
    const began = performance.now();
    for (let index = 0; index < each; index += 1) {
      const callId = `${name}-${round}-${index}`;
      counting.sent(callId);
      nodeRed.send("transfer", { _msgid: callId, payload: { ...payload, callId } });
    }
    await sleep(HEAD_START_MS);
    underWay += counting.open;
    await nodeRed.deploy(soakFlow(url, [{ ...node, name: `Round ${round}` }], `Round ${round}`));
    await sleep(Math.max(0, APART_MS - (performance.now() - began)));
  }
  await counting.atMost(0);
  // A little longer, for one too many.
  await sleep(500);
  return underWay;
}
