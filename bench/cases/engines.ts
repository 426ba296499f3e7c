import { statSync } from "node:fs";
import { join } from "node:path";
import { RedisServer } from "../../test/support/backlog/redis-server";
import { temporaryFolder } from "../../test/support/process/user-folder";
import { BacklogProcess } from "../harness/backlog-process";
import type { Engine } from "../harness/engine";
import { action, loop, tab, tenant } from "../harness/flows";
import { NodeRed, userFolder } from "../harness/node-red";
import { atMost, one, type Section, type Target, table, two, whole } from "../harness/report";
import { startsPerSecond } from "../harness/starts";

const MANY = 100_000;
/** Added to each flush to the disk, milliseconds. 20 is a slow memory card. */
const SLOW_MS = [0, 5, 20];
const RATE = 80;

interface Row {
  readonly name: string;
  readonly server?: RedisServer;
  readonly engine: () => Engine;
}

const journal = (): Engine & { kind: "file" } => ({ kind: "file", path: join(temporaryFolder(), "a.journal") });

/** The engines that keep waiting calls, alone: without Node-RED, and without requests. */
export async function engines(origin: string): Promise<Section> {
  const always = await RedisServer.start();
  const everysec = await RedisServer.start("--appendfsync", "everysec");
  const rows: Row[] = [
    { name: "memory", engine: () => ({ kind: "memory" }) },
    { name: "file", engine: journal },
    { name: "redis, always", server: always, engine: () => ({ kind: "redis", url: always.url, group: groupName() }) },
    {
      name: "redis, everysec",
      server: everysec,
      engine: () => ({ kind: "redis", url: everysec.url, group: groupName() }),
    },
  ];
  const sections = [
    await latencies(rows),
    await crowds(rows),
    await restart(),
    await slowDisks(),
    await inNodeRed(rows, origin),
  ];
  await always.kill();
  await everysec.kill();
  return {
    title: "Engines",
    body: [
      "Without Node-RED and without requests. *First byte*: from a message to the moment in which its request may leave, " +
        "one message after the other. *Block*: the longest time in which the process did nothing else.",
      ...sections.flatMap(({ body }) => body),
    ],
    targets: sections.flatMap(({ targets }) => targets),
  };
}

let groups = 0;

function groupName(): string {
  groups += 1;
  return `group ${groups}`;
}

type Part = Omit<Section, "title">;

async function latencies(engines: readonly Row[]): Promise<Part> {
  const rows = [];
  for (const { name, engine } of engines) {
    const process = await opened(engine());
    const { median, p99 } = await process.run("firstByte", { count: 1000 });
    const { perSecond, processor } = await process.run("loop", { inFlight: 32, warmUpMs: 300, forMs: 1000 });
    await process.kill();
    rows.push([name, two(median), two(p99), whole(perSecond), one(processor)]);
  }
  return { body: [table(["", "first byte, ms", "p99", "jobs a second, 32 in flight", "µs"], rows)], targets: [] };
}

async function crowds(engines: readonly Row[]): Promise<Part> {
  const rows: string[][] = [];
  const targets: Target[] = [];
  for (const { name, server, engine } of engines) {
    const kept = engine();
    const process = await opened(kept);
    await process.run("pause", {});
    const before = await memoryOf(server);
    const accepted = await process.run("fill", { count: MANY });
    const bytes = kept.kind === "file" ? statSync(kept.path).size : (await memoryOf(server)) - before;
    const stored = kept.kind === "memory" ? "" : whole(bytes / MANY);
    const dropped = await process.run("drop", {});
    await process.kill();
    rows.push([
      name,
      whole(accepted.ms),
      one(accepted.block),
      whole(accepted.bytes),
      stored,
      whole(dropped.ms),
      one(dropped.block),
    ]);
    targets.push(atMost(`${name}: longest block while ${whole(MANY)} are dropped`, 50, dropped.block, "ms"));
  }
  const head = ["", "accept, ms", "block", "bytes of heap a job", "bytes stored", "drop, ms", "block"];
  return { body: [`${whole(MANY)} jobs of a call-out with three texts:`, table(head, rows)], targets };
}

/** Bytes that a Redis uses. */
async function memoryOf(server: RedisServer | undefined): Promise<number> {
  const text = String(await server?.command("INFO", "memory"));
  return Number(/used_memory:(\d+)/.exec(text)?.[1] ?? 0);
}

async function restart(): Promise<Part> {
  const engine = journal();
  const before = await opened(engine);
  await before.run("pause", {});
  await before.run("fill", { count: MANY });
  await before.kill();
  const after = await BacklogProcess.start();
  const { ms, block } = await after.run("open", { engine });
  await after.kill();
  return {
    body: [
      `After a SIGKILL with ${whole(MANY)} waiting, the file is read in ${whole(ms)} ms (block ${whole(block)} ms).`,
    ],
    targets: [atMost(`file: ready after a SIGKILL with ${whole(MANY)} waiting`, 3, ms / 1000, "s")],
  };
}

async function slowDisks(): Promise<Part> {
  const rows = [];
  for (const slowMs of SLOW_MS) {
    const process = await opened({ ...journal(), slowMs });
    const { median } = await process.run("firstByte", { count: 200 });
    const { perSecond } = await process.run("loop", { inFlight: 32, warmUpMs: 300, forMs: 1000 });
    await process.kill();
    const paced = await opened({ ...journal(), slowMs }, RATE);
    await paced.run("pause", {});
    await paced.run("fill", { count: RATE * 5 });
    await paced.run("resume", {});
    const reached = await startsPerSecond([paced], RATE * 5);
    await paced.kill();
    rows.push([`${slowMs} ms more`, two(median), whole(perSecond), one(reached)]);
  }
  const head = ["file, each flush takes", "first byte, ms", "jobs a second, 32 in flight", `at a rate of ${RATE}`];
  return { body: [table(head, rows)], targets: [] };
}

/** The whole way, from a message to the first byte of its request. */
async function inNodeRed(engines: readonly Row[], origin: string): Promise<Part> {
  const rows = [];
  for (const { name, server } of engines) {
    const nodeRed = await NodeRed.start(userFolder());
    const own = server ? { engine: "redis", redisUrl: server.url } : { engine: name };
    await nodeRed.deploy(tab([tenant(origin, own), ...loop(action("call-out"))]));
    const sent = { loop: "loop call-out", payload: "call-out" } as const;
    const { median, p99 } = await nodeRed.run("firstByte", { ...sent, count: 500 });
    const { perSecond } = await nodeRed.run("flow", { ...sent, inFlight: 32, warmUpMs: 300, forMs: 1000 });
    await nodeRed.stop();
    rows.push([name, two(median), two(p99), whole(perSecond)]);
  }
  const head = ["call-out in Node-RED", "message to first byte, ms", "p99", "a second, 32 in flight"];
  return { body: [table(head, rows)], targets: [] };
}

async function opened(engine: Engine, rate = 0): Promise<BacklogProcess> {
  const process = await BacklogProcess.start();
  await process.run("open", { engine, rate });
  return process;
}
