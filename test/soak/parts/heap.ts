import type { LiveTenant } from "../../support/live-tenant";
import { type Figure, part, share } from "../part";
import { atRest, more } from "../support/at-rest";
import { Counting, named, sendAll } from "../support/counting";
import { Embedded } from "../support/embedded";
import { redeploying, slowTenant } from "../support/redeploying";

const MB = 2 ** 20;
const ALLOWED_MB = 3;

/** Deploys, then sends messages through the last deploy. */
async function work(nodeRed: Embedded, tenant: LiveTenant, name: string, deploys: number, messages: number) {
  const counting = new Counting();
  nodeRed.sink = counting.sink;
  await redeploying(nodeRed, counting, { deploys, each: 5, url: tenant.url, name });
  await sendAll(nodeRed, counting, named(name, messages), (callId) => [
    "transfer",
    { _msgid: callId, payload: { callId, to: { type: "internal", number: "7" } } },
  ]);
  tenant.received.length = 0;
  nodeRed.sink = () => {};
}

const nothingMore = (figure: string, left: string): Figure => ({
  figure,
  wanted: "none more",
  found: left || "none more",
  holds: left === "",
});

part(async () => {
  const [deploys, messages] = [share(200), share(50_000)];
  const tenant = await slowTenant();
  const nodeRed = await Embedded.start();
  const measure = () => atRest([nodeRed.events, process]);
  // Compiled code and caches exist before the first measurement.
  await work(nodeRed, tenant, "v", 20, 5000);
  const first = await measure();
  // About 4 MB of the start are freed only now (measured) and would hide as much growth.
  await work(nodeRed, tenant, "w", 20, 5000);
  const before = await measure();
  const lowest = Math.min(first.heap, before.heap);
  await work(nodeRed, tenant, "m", deploys, messages);
  const after = await measure();
  const grown = (after.heap - lowest) / MB;
  const heaps = [first, before, after].map(({ heap }) => (heap / MB).toFixed(1));
  const when = `after ${deploys} redeploys and ${messages} messages`;
  return [
    {
      figure: `heap ${when}`,
      wanted: `+${ALLOWED_MB} MB at most`,
      found: `${grown >= 0 ? "+" : ""}${grown.toFixed(2)} MB (${heaps.join(", then ")} MB)`,
      holds: grown <= ALLOWED_MB,
    },
    nothingMore(`sockets and timers ${when}`, more(before.resources, after.resources)),
    nothingMore(`listeners ${when}`, more(before.listeners, after.listeners)),
  ];
});
