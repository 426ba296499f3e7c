import { setTimeout as sleep } from "node:timers/promises";
import { LiveTenant } from "../../support/live-tenant";
import type { Counting } from "./counting";
import type { Embedded } from "./embedded";
import { soakFlow } from "./soak-flow";

const APART_MS = 50;
/** So that requests are in flight when the deploy begins. */
const HEAD_START_MS = 10;

interface Redeploying {
  readonly deploys: number;
  /** Messages sent before each deploy. */
  readonly each: number;
  readonly url: string;
  /** Prefix of the call ids, unique to a run. */
  readonly name: string;
}

/** Deploys with requests in flight. Resolves to the number of those, for all deploys together. */
export async function redeploying(
  nodeRed: Embedded,
  counting: Counting,
  { deploys, each, url, name }: Redeploying,
): Promise<number> {
  const node = { id: "transfer", type: "call-transfer" };
  const payload = { to: { type: "internal", number: "7" } };
  await nodeRed.deploy(soakFlow(url, [node]));
  let inFlight = 0;
  for (let round = 1; round <= deploys; round += 1) {
    const began = performance.now();
    for (let index = 0; index < each; index += 1) {
      const callId = `${name}-${round}-${index}`;
      counting.sent(callId);
      nodeRed.send("transfer", { _msgid: callId, payload: { ...payload, callId } });
    }
    await sleep(HEAD_START_MS);
    inFlight += counting.open;
    await nodeRed.deploy(soakFlow(url, [{ ...node, name: `Round ${round}` }], `Round ${round}`));
    await sleep(Math.max(0, APART_MS - (performance.now() - began)));
  }
  await counting.atMost(0);
  // A message that comes out twice would do so now.
  await sleep(500);
  return inFlight;
}

/** A tenant that answers after 30 to 130 ms, so that answers arrive in another order than requests. */
export async function slowTenant(): Promise<LiveTenant> {
  const tenant = await LiveTenant.start();
  return Object.defineProperty(tenant, "delayMs", { get: () => 30 + Math.random() * 100 });
}
