import { Sandbox } from "../../../src/sandbox";
import { announcedSeed } from "../../support/faults/seed";
import { mishaps, part, share } from "../part";
import { messages } from "../support/any-message";
import { counted, named, sendAll } from "../support/counting";
import { fuzzedNodes } from "../support/fuzzed-nodes";
import { soakFlow, TOKEN } from "../support/soak-flow";

part(async () => {
  const all = share(20_000);
  const tenant = await Sandbox.start({ token: TOKEN });
  const { nodeRed, counting } = await counted(soakFlow(tenant.url, fuzzedNodes));
  const { next } = messages(announcedSeed());
  await sendAll(nodeRed, counting, named("m", all), (name, index) => [
    fuzzedNodes[index % fuzzedNodes.length]?.id ?? "",
    next(name),
  ]);
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
