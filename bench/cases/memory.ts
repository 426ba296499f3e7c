import { action, loop, tab, tenant } from "../harness/flows";
import { NodeRed, userFolder } from "../harness/node-red";
import { type Case, megabytes, table, whole } from "../harness/report";

/** A collection does not free the same bytes each time. A leak of one small object a message would be tens of MB. */
const TOLERANCE = 2 ** 20;

/** The heap after a tenth of the messages, after all of them, and after as many again. */
export const memory: Case = {
  name: "memory",
  async run({ origin }, { messages }) {
    const { nodeRed } = await NodeRed.start(userFolder());
    await nodeRed.deploy(tab([tenant(origin), ...loop(action("call-stop"))]));
    const send = (count: number, inFlight: number) =>
      nodeRed.run("flow", { loop: "loop call-stop", payload: "call-stop", warmUpMs: 0, inFlight, count });
    // The first messages come one by one. After a burst V8 would keep all later ones out of its cheap collections.
    await send(2000, 1);
    const held = [];
    let done = 0;
    for (const until of [messages / 10, messages, 2 * messages]) {
      await send(until - done, 32);
      done = until;
      held.push({ messages: done, ...(await nodeRed.memory()) });
    }
    await nodeRed.stop();

    const [first = 0, second = 0, third = 0] = held.map(({ heap }) => heap);
    const [grown, again] = [second - first, third - second];
    const [tenth, all, twice] = held.map(({ messages }) => whole(messages));
    return {
      title: "Memory",
      body: [
        table(
          ["call-stop, 32 in flight", "heap", "resident"],
          held.map(({ messages, heap, resident }) => [
            `after ${whole(messages)} messages`,
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
  },
};
