import { action, loop, tab, tenant } from "../flows";
import { NodeRed, userFolder } from "../node-red";
import { megabytes, type Section, short, table } from "../report";

const MESSAGES = [20_000, 200_000, 400_000] as const;
/** A collection does not free the same bytes each time. A leak of one small object a message would be tens of MB. */
const TOLERANCE = 2 ** 20;

/** The heap after a tenth of the messages, after all of them, and after as many again. */
export async function memory(origin: string): Promise<Section> {
  const nodeRed = await NodeRed.start(userFolder());
  await nodeRed.deploy(tab([tenant(origin), ...loop(action("call-stop"))]));
  const send = (count: number, inFlight: number) =>
    nodeRed.run("send", { loop: "loop call-stop", payload: "call-stop", inFlight, count });
  // The first messages come one by one. After a burst V8 would keep all later ones out of its cheap collections.
  await send(2000, 1);
  const held = [];
  let done = 0;
  for (const messages of MESSAGES) {
    await send(messages - done, 32);
    done = messages;
    held.push(await nodeRed.memory());
  }
  await nodeRed.stop();
  const [first = 0, second = 0, third = 0] = held.map(({ heap }) => heap);
  const [grown, again] = [second - first, third - second];
  const [tenth, all, twice] = MESSAGES.map(short);
  return {
    title: "Memory",
    body: [
      table(
        ["call-stop, 32 in flight", "heap", "resident"],
        held.map(({ heap, resident }, index) => [
          `after ${short(MESSAGES[index] ?? 0)} messages`,
          megabytes(heap),
          megabytes(resident),
        ]),
      ),
    ],
    targets: [
      {
        what: `heap, from ${tenth} to ${all} messages, then to ${twice}`,
        target: "no lasting growth",
        found: `${megabytes(grown)}, then ${megabytes(again)}`,
        met: Math.min(grown, again, grown + again) <= TOLERANCE,
      },
    ],
  };
}
