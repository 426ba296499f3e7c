import { setTimeout as sleep } from "node:timers/promises";
import { GOOD_PAYLOAD } from "../../interface/requests";
import { announcedSeed } from "../../support/faults/seed";
import { LiveTenant } from "../../support/process/live-tenant";
import { part, share } from "../part";
import { messages } from "../support/any-message";
import { Counting } from "../support/counting";
import { Embedded } from "../support/embedded";
import { callActions, soakFlow } from "../support/soak-flow";

/** Messages open at once: enough that they overtake each other, too few to fill the tenant's backlog. */
const MAX_OPEN = 256;
const MALFORMED = 0.3;

part(async () => {
  const all = share(100_000);
  const tenant = await LiveTenant.start();
  const nodeRed = await Embedded.start();
  const counting = new Counting();
  nodeRed.sink = counting.sink;
  await nodeRed.deploy(soakFlow(tenant.url, callActions));
  const { random, next } = messages(announcedSeed());
  for (let index = 0; index < all; index += 1) {
    const { id } = callActions[index % callActions.length] ?? { id: "" };
    const name = `m${index}`;
    const good = () => ({ _msgid: name, payload: structuredClone(GOOD_PAYLOAD[id]) });
    counting.sent(name);
    nodeRed.send(id, random() < MALFORMED ? next(name) : good());
    await counting.atMost(MAX_OPEN);
    if (index % 1000 === 0) tenant.received.length = 0;
  }
  await counting.atMost(0);
  // A message that comes out twice would do so now.
  await sleep(500);
  const { out, caught, completed, logged } = counting.ways;
  const found = `${counting.once} once, ${counting.twice.length} twice, ${counting.open} never`;
  const ends = `${out} out, ${caught} caught, ${logged} logged, ${completed} completed`;
  if (counting.open > 0) console.error(counting.missing.slice(0, 10));
  return [
    {
      figure: `${all} messages, malformed ones among them, each settled once`,
      wanted: `${all} once`,
      found: `${found} (${ends})`,
      holds: counting.once === all && counting.twice.length === 0 && counting.open === 0,
    },
  ];
});
