import { GOOD_PAYLOAD } from "../../interface/requests";
import { announcedSeed } from "../../support/faults/seed";
import { LiveTenant } from "../../support/live-tenant";
import { part, share } from "../part";
import { messages } from "../support/any-message";
import { counted, named, sendAll } from "../support/counting";
import { callActions, soakFlow } from "../support/soak-flow";

const MALFORMED = 0.3;

part(async () => {
  const all = share(100_000);
  const tenant = await LiveTenant.start();
  const { nodeRed, counting } = await counted(soakFlow(tenant.url, callActions));
  const { random, next } = messages(announcedSeed());
  await sendAll(nodeRed, counting, named("m", all), (name, index) => {
    const { id } = callActions[index % callActions.length] ?? { id: "" };
    if (index % 1000 === 0) tenant.received.length = 0;
    const good = () => ({ _msgid: name, payload: structuredClone(GOOD_PAYLOAD[id]) });
    return [id, random() < MALFORMED ? next(name) : good()];
  });
  const { out, caught, completed, logged } = counting.ways;
  const found = `${counting.once} once, ${counting.twice.length} twice, ${counting.open} never`;
  const ends = `${out} out, ${caught} caught, ${logged} logged, ${completed} completed`;
  return [
    {
      figure: `${all} messages, malformed ones among them, each settled once`,
      wanted: `${all} once`,
      found: `${found} (${ends})`,
      holds: counting.once === all && counting.twice.length === 0 && counting.open === 0,
    },
  ];
});
