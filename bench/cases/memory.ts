import { action, loop, tab, tenant } from "../harness/flows";
import { NodeRed, userFolder } from "../harness/node-red";
import { megabytes, type Section, table, whole } from "../harness/report";

const MESSAGES = [20_000, 200_000, 400_000] as const;
/** A collection does not free the same bytes each time. A leak of one small object a message would be tens of MB. */
const TOLERANCE = 2 ** 20;

/** The heap after a tenth of the messages, after all of them, and after as many again. */
export async function memory(origin: string): Promise<Section> {
  const nodeRed = await NodeRed.start(userFolder());
  await nodeRed.deploy(tab([tenant(origin), ...loop(action("call-stop"))]));
  const send = (count: number, inFlight: number) =>
    nodeRed.run("flow", { loop: "loop call-stop", payload: "call-stop", warmUpMs: 0, inFlight, count });
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
  const [tenth, all, twice] = MESSAGES.map(whole);
  return {
    title: "Memory",
    body: [
      table(
        ["call-stop, 32 in flight", "heap", "resident"],
        held.map(({ heap, resident }, index) => [
          `after ${whole(MESSAGES[index] ?? 0)} messages`,
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
