import { setTimeout as sleep } from "node:timers/promises";
import type { NodeAPI } from "node-red";
import { burst } from "./burst";
import { type Begin, closedLoop } from "./closed-loop";
import { each } from "./each";
import { failed } from "./failed";
import { type LoopNode, registerLoop, round } from "./loop-node";
import type { Memory, Orders } from "./orders";
import { loadPackage } from "./package";
import { startProfile, stopProfile } from "./profile";
import { payload, type Subject, wireBody } from "./subject";
import { undiciAlone } from "./undici-alone";

type Answers = { [Name in keyof Orders]: (order: Parameters<Orders[Name]>[0]) => Promise<unknown> };

/** Loaded by Node-RED as a file with nodes; takes orders from the process that started it. */
export = (RED: NodeAPI): void => {
  registerLoop(RED);
  const loopOf = (id: string) => (RED.nodes.getNode(id) as unknown as LoopNode) ?? failed(`no node ${id}`);
  const pools = new Map<string, ReturnType<typeof undiciAlone>>();
  const answers: Answers = {
    flow: ({ loop, payload: content, ...load }) => {
      const make = typeof content === "number" ? () => content : () => payload(content);
      return closedLoop(round(loopOf(loop), make), load);
    },
    undici: ({ origin, api, subject, ...load }) => {
      const pool = pools.get(origin) ?? undiciAlone(origin);
      pools.set(origin, pool);
      return closedLoop(api === "dispatch" ? pool.dispatch(subject) : asking(pool.ask(subject), subject), load);
    },
    memory,
    startProfile,
    stopProfile: ({ file }) => stopProfile(file),
    each: ({ loop, count }) => each(loopOf(loop), count),
    burst: ({ loop, control, ...order }) => burst(loopOf(loop), loopOf(control), order),
    loadPackage: ({ files }) => loadPackage(RED, files, memory),
  };
  process.on("message", ({ id, name, order }: { id: number; name: keyof Orders; order: never }) => {
    answers[name](order).then((result) => process.send?.({ id, result }), failed);
  });
  RED.events.on("flows:started", () => {
    process.send?.({ started: processorMs() });
  });
};

function asking(ask: (body: unknown) => Promise<unknown>, subject: Subject): Begin {
  return (_, ended) => void ask(wireBody(subject)).then(ended, failed);
}

async function memory(): Promise<Memory> {
  // Twice, with a pause: what waited for a finalizer or a timer goes with the second.
  global.gc?.();
  await sleep(50);
  global.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, resident: rss };
}

/** What the process has used since it began. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
