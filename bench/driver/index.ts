import { setTimeout as sleep } from "node:timers/promises";
import type { NodeAPI } from "node-red";
import { type Burst, burst } from "./burst";
import { type Begin, closedLoop, type Load, type Sample } from "./closed-loop";
import { each } from "./each";
import { failed } from "./failed";
import { type LoopNode, registerLoop, round } from "./loop-node";
import { loadPackage } from "./package";
import { startProfile, stopProfile } from "./profile";
import { payload, type Subject, wireBody } from "./subject";
import { undiciAlone } from "./undici-alone";

/** What the benchmark may ask of the Node-RED process that this file is loaded in. */
export interface Orders {
  /** Rounds through a flow. */
  flow(order: { loop: string; payload: Subject | number } & Load): Promise<Sample>;
  /** The same requests without Node-RED. */
  undici(order: { origin: string; api: "request" | "dispatch"; subject: Subject } & Load): Promise<Sample>;
  memory(order: object): Promise<Memory>;
  /** Writes a processor profile of what is done meanwhile. */
  startProfile(order: object): Promise<void>;
  stopProfile(order: { file: string }): Promise<void>;
  each(order: { loop: string; count: number }): Promise<{ ms: number; heapPeak: number }>;
  burst(order: { loop: string; control: string; count: number; watchMs: number }): Promise<Burst>;
  loadPackage(order: { files: readonly string[] }): Promise<{ ms: number } & Memory>;
}

/** Bytes after a collection, and processor time since the process began in milliseconds. */
export interface Memory {
  readonly heap: number;
  readonly resident: number;
  readonly processorMs: number;
}

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
    void memory().then((now) => process.send?.({ started: now }));
  });
};

function asking(ask: (body: unknown) => Promise<unknown>, subject: Subject): Begin {
  return (_, ended) => void ask(wireBody(subject)).then(ended, failed);
}

async function memory(): Promise<Memory> {
  const { user, system } = process.cpuUsage();
  // Twice, with a pause: what waited for a finalizer or a timer goes with the second.
  global.gc?.();
  await sleep(50);
  global.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, resident: rss, processorMs: (user + system) / 1000 };
}
