import { setTimeout as sleep } from "node:timers/promises";
import type { Node, NodeAPI, NodeDef, NodeMessage } from "node-red";
import { type Begin, closedLoop, type Load, type Sample } from "./closed-loop";
import { bodyOf, payloadOf, type Subject } from "./subject";
import { undiciAlone } from "./undici-alone";

/** Bytes after a garbage collection. */
export interface Memory {
  readonly heap: number;
  readonly resident: number;
}

/** Commands from the benchmark's process to the Node-RED process. */
export interface Commands {
  /** Messages through the flow behind a loop node. */
  flow(options: { loop: string; payload: Subject | number } & Load): Promise<Sample>;
  /** The same requests without Node-RED. */
  undici(options: { origin: string; subject: Subject } & Load): Promise<Sample>;
  memory(options: object): Promise<Memory>;
  /** Requires node files and registers their nodes, as Node-RED does. Resolves to milliseconds. */
  load(options: { files: readonly string[] }): Promise<number>;
  burst(options: { loop: string; control: string; count: number; watchMs: number }): Promise<Burst>;
}

export interface Burst {
  /** Milliseconds until all messages were accepted. */
  readonly acceptedMs: number;
  /** Heap per waiting message, and heap left over at the end, in bytes. */
  readonly heapEach: number;
  readonly heapLeft: number;
  readonly sent: number;
  /** Milliseconds until all waiting messages were dropped and caught. */
  readonly droppedMs: number;
}

type Message = NodeMessage & { lane?: number; payload?: unknown; error?: { message: string } };

/** Sends messages into a flow, whose end is wired back to it. */
interface LoopNode extends Node {
  returned: (message: Message) => void;
}

/** Loaded by Node-RED as a node file: registers the benchmark's nodes and executes the benchmark's commands. */
export function driver(RED: NodeAPI): void {
  registerNodes(RED);
  const loopNode = (id: string) => RED.nodes.getNode(id) as unknown as LoopNode;
  let ask: ReturnType<typeof undiciAlone> | undefined;
  const commands: Commands = {
    flow: ({ loop, payload, ...load }) =>
      closedLoop(throughFlow(loopNode(loop), typeof payload === "number" ? () => payload : payloadOf[payload]), load),
    undici: ({ origin, subject, ...load }) => {
      ask ??= undiciAlone(origin);
      const request = ask;
      return closedLoop((_, done) => void request(subject, bodyOf[subject]()).then(done, fail), load);
    },
    memory,
    async load({ files }) {
      const startedAt = performance.now();
      for (const file of files) (require(file) as (RED: NodeAPI) => void)(RED);
      return performance.now() - startedAt;
    },
    burst: ({ loop, control, ...options }) => burst(loopNode(loop), loopNode(control), options),
  };
  process.on("message", ({ name, options }: { name: keyof Commands; options: never }) => {
    (commands[name](options) as Promise<unknown>).then((result) => process.send?.({ result }), fail);
  });
  RED.events.on("flows:started", () => process.send?.({ started: true }));
}

function registerNodes(RED: NodeAPI): void {
  const register = (type: string, receive: (node: LoopNode, message: Message) => void) =>
    RED.nodes.registerType(type, function (this: LoopNode, config: NodeDef) {
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

/** Sends more messages at once than the tenant's rate allows, watches for a while, then drops those that wait. */
async function burst(
  loop: LoopNode,
  control: LoopNode,
  { count, watchMs }: { count: number; watchMs: number },
): Promise<Burst> {
  const before = (await memory()).heap;
  let returned = 0;
  const all = new Promise<void>((resolve) => {
    loop.returned = () => {
      returned += 1;
      if (returned === count) resolve();
    };
  });
  const startedAt = performance.now();
  const payload = { to: { number: "0000000001" }, answer_url: "https://example.com" };
  for (let index = 0; index < count; index += 1)
    loop.send({ _msgid: `burst ${index}`, payload: { ...payload } } as Message);
  await new Promise(setImmediate);
  const acceptedMs = performance.now() - startedAt;
  const heapEach = ((await memory()).heap - before) / count;
  await sleep(watchMs);
  const sent = returned;
  const droppedAt = performance.now();
  control.send({ _msgid: "drop", payload: "drop" } as Message);
  await all;
  const droppedMs = performance.now() - droppedAt;
  await sleep(500);
  return { acceptedMs, heapEach, sent, droppedMs, heapLeft: (await memory()).heap - before };
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
