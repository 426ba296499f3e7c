import { subscribe } from "node:diagnostics_channel";
import { setTimeout as sleep } from "node:timers/promises";
import type { Node, NodeAPI, NodeMessage } from "node-red";
import { type Begin, closedLoop, type Load, type Sample } from "./closed-loop";
import { type Latency, latencyOf } from "./rounds";
import { bodyOf, PATHS, payloadOf, type Subject, TOKEN } from "./subject";

/** Bytes after a garbage collection. */
export interface Memory {
  readonly heap: number;
  readonly resident: number;
}

/** Commands from the benchmark's process to the Node-RED process. */
export interface Commands {
  /** Messages through the flow behind a loop node. */
  flow(options: { loop: string; payload: Subject | number } & Load): Promise<Sample>;
  /** From a message to the first byte of its request, one message after the other. */
  firstByte(options: { loop: string; payload: Subject; count: number }): Promise<Latency>;
  /** The same requests without Node-RED. */
  undici(options: { origin: string; subject: Subject } & Load): Promise<Sample>;
  memory(options: object): Promise<Memory>;
  /** Requires the package and registers its nodes, as Node-RED does. Resolves to milliseconds. */
  load(options: object): Promise<number>;
}

type Message = NodeMessage & { lane?: number; error?: { message: string } };

/** Sends messages into a flow, whose end is wired back to it. */
interface LoopNode extends Node {
  returned: (message: Message) => void;
}

/** Loaded by Node-RED as a node file: registers the benchmark's nodes and executes the benchmark's commands. */
export function driver(RED: NodeAPI): void {
  registerNodes(RED);
  const commands: Commands = {
    flow({ loop, payload, ...load }) {
      const node = RED.nodes.getNode(loop) as unknown as LoopNode;
      return closedLoop(throughFlow(node, typeof payload === "number" ? () => payload : payloadOf[payload]), load);
    },
    firstByte: ({ loop, payload, count }) =>
      firstBytes(RED.nodes.getNode(loop) as unknown as LoopNode, payloadOf[payload], count),
    undici: ({ origin, subject, ...load }) => closedLoop(undiciAlone(origin, subject), load),
    memory,
    async load() {
      const startedAt = performance.now();
      (require("../../nodes/index") as typeof import("../../nodes/index")).default(RED);
      return performance.now() - startedAt;
    },
  };
  process.on("message", ({ name, options }: { name: keyof Commands; options: never }) => {
    (commands[name](options) as Promise<unknown>).then((result) => process.send?.({ result }), fail);
  });
  process.on("disconnect", () => process.exit());
  RED.events.on("flows:started", () => process.send?.({ started: true }));
}

function registerNodes(RED: NodeAPI): void {
  const register = (type: string, receive: (node: LoopNode, message: Message) => void) =>
    RED.nodes.registerType(type, function (this: LoopNode, config) {
      RED.nodes.createNode(this, config);
      this.on("input", (message, _send, done) => {
        receive(this, message);
        done();
      });
    });
  register("bench-loop", (node, message) => node.returned(message));
  register("bench-pass", (node, message) => node.send(message));
  // Wired to a Catch node.
  register("bench-fail", (_, { error }) => fail(error?.message));
}

let messages = 0;

/** Each message is a new object, as in a flow, and has an id, so that no node under test has to generate one. */
function throughFlow(loop: LoopNode, payload: () => unknown): Begin {
  const waiting: (() => void)[] = [];
  loop.returned = ({ lane = 0 }) => waiting[lane]?.();
  return (lane, done) => {
    waiting[lane] = done;
    messages += 1;
    const message: Message = { _msgid: `message ${messages}`, lane, payload: payload() };
    loop.send(message);
  };
}

async function firstBytes(loop: LoopNode, payload: () => object, count: number): Promise<Latency> {
  let sent = () => {};
  subscribe("undici:client:sendHeaders", () => sent());
  const begin = throughFlow(loop, payload);
  const latencies = [];
  for (let n = 0; n < count; n += 1) {
    const isSent = new Promise<number>((resolve) => {
      sent = () => resolve(performance.now());
    });
    const startedAt = performance.now();
    await new Promise<void>((done) => begin(0, done));
    latencies.push((await isSent) - startedAt);
  }
  return latencyOf(latencies);
}

let pool: import("undici").Pool | undefined;

/** The requests of a node through undici's pool, without Node-RED and this package: JSON is written and read. */
function undiciAlone(origin: string, subject: Subject): Begin {
  const { Pool } = require("undici") as typeof import("undici");
  pool ??= new Pool(origin, { connections: 256, pipelining: 1 });
  const headers = {
    Authentication: `Bearer ${TOKEN}`,
    accept: "application/json",
    "accept-encoding": "identity",
    "content-type": "application/json",
  };
  const request = async (client: import("undici").Pool) => {
    const content = JSON.stringify(bodyOf[subject]());
    const { statusCode, body } = await client.request({ method: "POST", path: PATHS[subject], headers, body: content });
    const { success } = (await body.json()) as { success: boolean };
    if (!success || statusCode !== 200) throw new Error(`The tenant answered ${statusCode}`);
  };
  const client = pool;
  return (_, done) => void request(client).then(done, fail);
}

async function memory(): Promise<Memory> {
  // The second collection frees what finalizers and timers released after the first.
  global.gc?.();
  await sleep(50);
  global.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, resident: rss };
}

/** A benchmark with a failed request measures nothing, so the process ends. */
function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
}
