import { subscribe } from "node:diagnostics_channel";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { Node, NodeAPI, NodeMessage } from "node-red";
import type { Pool } from "undici";
import { bodyOf, PATHS, payloadOf, type Subject, TOKEN } from "./flows";

export interface Sample {
  readonly perSecond: number;
  /** Processor time per operation in microseconds, all threads of this process. */
  readonly processor: number;
}

/** Messages through the flow behind a loop node, or the same requests without Node-RED. */
export type Contender =
  | { readonly loop: string; readonly payload: Subject | number }
  | { readonly undici: Subject; readonly origin: string };

export interface Load {
  readonly inFlight: number;
  /** Milliseconds that are measured, after a third as much to warm up. */
  readonly forMs: number;
}

/** Bytes after a garbage collection. */
export interface Memory {
  readonly heap: number;
  readonly resident: number;
}

/** Commands from the benchmark's process to the Node-RED process. */
export interface Commands {
  measure(options: Contender & Load): Promise<Sample>;
  /** Sends messages, and resolves when all have come back. */
  send(options: { loop: string; payload: Subject; inFlight: number; count: number }): Promise<void>;
  /** Median milliseconds from a message to the first byte of its request, one message after the other. */
  firstByte(options: { loop: string; payload: Subject; count: number }): Promise<number>;
  /** Sends messages that wait. Resolves when `telephony-control` counts them. */
  fill(options: { loop: string; payload: Subject; control: string; count: number }): Promise<void>;
  /** A command of `telephony-control`: resolves to how long the process did nothing else, milliseconds. */
  control(options: { control: string; command: string }): Promise<number>;
  memory(options: object): Promise<Memory>;
  /** Requires the package and registers its nodes, as Node-RED does. Resolves to milliseconds. */
  load(options: object): Promise<number>;
}

type Message = NodeMessage & { error?: { message: string } };

/** Sends messages into a flow, whose end is wired back to it. */
interface LoopNode extends Node {
  returned: (message: Message) => void;
}

/** Loaded by Node-RED as a node file: registers the benchmark's nodes and executes the benchmark's commands. */
export function driver(RED: NodeAPI): void {
  registerNodes(RED);
  const loopOf = (id: string) => RED.nodes.getNode(id) as unknown as LoopNode;
  const ask = (control: string, command: string) =>
    new Promise<Message>((resolve) => {
      const loop = loopOf(`loop ${control}`);
      loop.returned = resolve;
      loop.send({ payload: command });
    });
  const commands: Commands = {
    measure: ({ inFlight, forMs, ...contender }) =>
      sample("loop" in contender ? flowLaps(loopOf(contender.loop), contender.payload) : undiciLaps(contender), {
        inFlight,
        forMs,
      }),
    send: ({ loop, payload, inFlight, count }) => flowLaps(loopOf(loop), payload)(inFlight, count),
    async firstByte({ loop, payload, count }) {
      let sent = () => {};
      subscribe("undici:client:sendHeaders", () => sent());
      const latencies: number[] = [];
      for (let n = 0; n < count; n += 1) {
        const startedAt = performance.now();
        sent = () => latencies.push(performance.now() - startedAt);
        await flowLaps(loopOf(loop), payload)(1, 1);
      }
      // The first tenth is a warm-up.
      return latencies.slice(count / 10).sort((a, b) => a - b)[Math.floor(count * 0.45)] ?? Number.NaN;
    },
    async fill({ loop, payload, control, count }) {
      for (let n = 0; n < count; n += 1) {
        loopOf(loop).send({ _msgid: `message ${n}`, payload: payloadOf[payload]() } as NodeMessage);
        if (n % 100 === 0) await sleep(0);
      }
      while (Number(Object(Object((await ask(control, "count")).payload).waiting).callOut) < count) await sleep(50);
    },
    async control({ control, command }) {
      const delays = monitorEventLoopDelay({ resolution: 1 });
      delays.enable();
      await sleep(5);
      delays.reset();
      await ask(control, command);
      await sleep(5);
      return delays.max / 1e6;
    },
    memory,
    async load() {
      const startedAt = performance.now();
      (require("../nodes/index") as typeof import("../nodes/index")).default(RED);
      return performance.now() - startedAt;
    },
  };
  process.on("message", ({ name, options }: { name: keyof Commands; options: never }) => {
    (commands[name](options) as Promise<unknown>).then((result) => process.send?.({ result: result ?? null }), fail);
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
  register("bench-loop", (node, message) => node.returned?.(message));
  register("bench-pass", (node, message) => node.send(message));
  // Wired to a Catch node.
  register("bench-fail", (_, { error }) => fail(error?.message));
}

/** Performs `count` operations, `inFlight` of them at once: each one that ends starts the next. */
type Laps = (inFlight: number, count: number) => Promise<void>;

/** @param connect receives what to call when an operation has ended, and returns what starts one */
function laps(connect: (ended: () => void) => () => void): Laps {
  return (inFlight, count) =>
    new Promise((resolve) => {
      let [toStart, toEnd] = [count, count];
      const next = () => {
        if (toStart === 0) return;
        toStart -= 1;
        start();
      };
      const start = connect(() => {
        toEnd -= 1;
        if (toEnd === 0) resolve();
        else next();
      });
      for (let n = 0; n < inFlight; n += 1) next();
    });
}

let messages = 0;

/** Each message is a new object, as in a flow, and has an id, so that no node under test has to generate one. */
function flowLaps(loop: LoopNode, payload: Subject | number): Laps {
  const make = typeof payload === "number" ? () => payload : payloadOf[payload];
  return laps((ended) => {
    loop.returned = ended;
    return () => {
      messages += 1;
      loop.send({ _msgid: `message ${messages}`, payload: make() } as NodeMessage);
    };
  });
}

let pool: Pool | undefined;

/** The requests of a node through undici's pool, without Node-RED and this package: JSON is written and read. */
function undiciLaps({ undici: subject, origin }: { undici: Subject; origin: string }): Laps {
  const { Pool } = require("undici") as typeof import("undici");
  pool ??= new Pool(origin, { connections: 256, pipelining: 1 });
  const client = pool;
  const headers = {
    Authentication: `Bearer ${TOKEN}`,
    accept: "application/json",
    "accept-encoding": "identity",
    "content-type": "application/json",
  };
  const request = async () => {
    const content = JSON.stringify(bodyOf[subject]());
    const { statusCode, body } = await client.request({ method: "POST", path: PATHS[subject], headers, body: content });
    const { success } = (await body.json()) as { success: boolean };
    if (!success || statusCode !== 200) throw new Error(`The tenant answered ${statusCode}`);
  };
  return laps((ended) => () => void request().then(ended, fail));
}

/** Operations of one sample of tinybench: its own work is then nothing beside them. */
const AT_ONCE = 500;

async function sample(run: Laps, { inFlight, forMs }: Load): Promise<Sample> {
  const { Bench } = await import("tinybench");
  let processor = process.cpuUsage();
  let startedAt = 0;
  let took = 0;
  const bench = new Bench({
    time: forMs,
    iterations: 1,
    warmupTime: forMs / 3,
    warmupIterations: 1,
    throws: true,
    setup: () => {
      processor = process.cpuUsage();
      startedAt = performance.now();
    },
    teardown: () => {
      processor = process.cpuUsage(processor);
      took = performance.now() - startedAt;
    },
  });
  bench.add("laps", () => run(inFlight, AT_ONCE), { async: true });
  const [task] = await bench.run();
  const operations = (task?.runs ?? 0) * AT_ONCE;
  return { perSecond: (operations / took) * 1000, processor: (processor.user + processor.system) / operations };
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
