import { setTimeout as sleep } from "node:timers/promises";
import { Sandbox } from "../../../src/sandbox";
import { announcedSeed } from "../../support/faults/seed";
import { mishaps, part, share } from "../part";
import { messages } from "../support/any-message";
import { Counting } from "../support/counting";
import { Embedded } from "../support/embedded";
import { fuzzedNodes } from "../support/fuzzed-nodes";
import { soakFlow, TOKEN } from "../support/soak-flow";

part(async () => {
  const all = share(20_000);
  const tenant = await Sandbox.start({ token: TOKEN });
  const nodeRed = await Embedded.start();
  const counting = new Counting();
  nodeRed.sink = counting.sink;
  await nodeRed.deploy(soakFlow(tenant.url, fuzzedNodes));
  const { next } = messages(announcedSeed());
  for (let index = 0; index < all; index += 1) {
    const name = `m${index}`;
    counting.sent(name);
    nodeRed.send(fuzzedNodes[index % fuzzedNodes.length]?.id ?? "", next(name));
    await counting.atMost(256);
  }
  await counting.atMost(0);
  // A message that comes out twice would do so now.
  await sleep(500);
  if (counting.open > 0) console.error(counting.missing.slice(0, 10));
  const polluted = Object.hasOwn(Object.prototype, "polluted");
  return [
    {
      figure: `${all} fuzzed messages, ${fuzzedNodes.length} nodes: crashes and unhandled rejections`,
      wanted: "0",
      found: `${mishaps.length} (${counting.once} ended once, ${counting.twice.length} twice, ${counting.open} never)`,
      holds: mishaps.length === 0 && counting.once === all && !polluted,
    },
  ];
});
