import { setTimeout as sleep } from "node:timers/promises";
import { announcedSeed } from "../faults/seed.js";
import { LiveTenant } from "../process/live-tenant";
import { messages } from "./any-message";
import { Counting } from "./counting";
import { Embedded } from "./embedded";
import { mishaps, part, share } from "./part";
import { callActions, soakFlow } from "./soak-flow";

const OPEN = [{ day: "mon", open: "08:00", close: "17:30" }];
const nodes = [
  ...callActions,
  ...["list", "get", "create", "delete"].map((what) => ({
    id: `business-hour-${what}`,
    type: `business-hour-${what}`,
  })),
  { id: "gate", type: "business-hour-gate", source: "value", schedule: OPEN, scheduleType: "list" },
];

part(async () => {
  const all = share(20_000);
  const tenant = await LiveTenant.start();
  const nodeRed = await Embedded.start();
  const counting = new Counting();
  nodeRed.sink = counting.sink;
  await nodeRed.deploy(soakFlow(tenant.url, nodes));
  const { next } = messages(announcedSeed());
  for (let index = 0; index < all; index += 1) {
    const name = `m${index}`;
    counting.sent(name);
    nodeRed.send(nodes[index % nodes.length]?.id ?? "", next(name));
    await counting.atMost(256);
  }
  await counting.atMost(0);
  // A little longer, for one too many.
  await sleep(500);
  if (counting.open > 0) console.error(counting.missing.slice(0, 10));
  const polluted = Object.hasOwn(Object.prototype, "polluted");
  return [
    {
      figure: `${all} fuzzed messages, ${nodes.length} nodes: crashes and unhandled rejections`,
      wanted: "0",
      found: `${mishaps.length} (${counting.once} ended once, ${counting.twice.length} twice, ${counting.open} never)`,
      holds: mishaps.length === 0 && counting.once === all && !polluted,
    },
  ];
});
