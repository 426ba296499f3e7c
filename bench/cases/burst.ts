import { action, loop, tab, tenant } from "../harness/flows";
import { NodeRed, userFolder } from "../harness/node-red";
import { type Case, kilobytes, megabytes, whole } from "../harness/report";

/** Calls a second that the tenant is limited to. */
const RATE = 1000;
const WATCH_MS = 3000;

/** More call-outs at once than the tenant's rate allows; those that wait are dropped. */
export const burst: Case = {
  name: "burst",
  async run({ origin }, { burst: count }) {
    const { nodeRed } = await NodeRed.start(userFolder());
    const control = { id: "control", type: "telephony-control", tenant: "tenant" };
    const limited = tenant(origin, { rate: RATE, backlog: count });
    await nodeRed.deploy(tab([limited, ...loop(action("call-out")), ...loop(control)], "loop call-out"));
    const options = { loop: "loop call-out", control: "loop control", count, watchMs: WATCH_MS };
    const { acceptedMs, heapEach, sent, droppedMs, heapLeft } = await nodeRed.run("burst", options);
    await nodeRed.stop();
    return {
      title: "Burst",
      body: [
        `${whole(count)} messages at once into a tenant limited to ${whole(RATE)} calls a second: all accepted in ` +
          `${whole(acceptedMs)} ms, ${kilobytes(heapEach)} of heap each, ${whole(sent)} sent in ${WATCH_MS / 1000} s, the ` +
          `others dropped and caught in ${whole(droppedMs)} ms, ${megabytes(heapLeft)} of heap left afterwards.`,
      ],
      targets: [],
    };
  },
};
