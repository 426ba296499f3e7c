import { setTimeout as sleep } from "node:timers/promises";
import { RedisServer } from "../../test/support/backlog/redis-server";
import { action, loop, tab, tenant } from "../flows";
import { NodeRed, userFolder } from "../node-red";
import { atMost, type Section, short, table } from "../report";

const MANY = 20_000;
const SETTLED_MS = 4000;

/** Many call-outs that wait while call-outs are paused: their heap, and how long Node-RED stands still while it ends their messages. */
export async function waiting(origin: string): Promise<Section> {
  const server = await RedisServer.start();
  const rows = [];
  const targets = [];
  for (const engine of ["memory", "file", "redis"]) {
    const nodeRed = await NodeRed.start(userFolder());
    const limits = { engine, redisUrl: server.url, backlog: "100000" };
    const control = { id: "control", type: "telephony-control", tenant: "tenant" };
    // The messages that are dropped end in the Catch node.
    const nodes = [tenant(origin, limits), ...loop(control), ...loop(action("call-out"))];
    await nodeRed.deploy(tab(nodes, "bench-pass"));
    await nodeRed.run("control", { control: "control", command: "pause" });
    const before = await nodeRed.memory();
    const calls = { loop: "loop call-out", payload: "call-out", control: "control", count: MANY } as const;
    const startedAt = performance.now();
    await nodeRed.run("fill", calls);
    const filled = performance.now() - startedAt;
    // What is still being written down is in memory twice.
    await sleep(SETTLED_MS);
    const { heap } = await nodeRed.memory();
    const block = await nodeRed.run("control", { control: "control", command: "drop" });
    await nodeRed.stop();
    const kilobytes = (heap - before.heap) / MANY / 1024;
    rows.push([engine, short(filled), short(kilobytes), short(block)]);
    if (engine !== "memory") targets.push(atMost(`${engine}: heap of a waiting call-out`, 1.6, kilobytes, "KB"));
  }
  await server.kill();
  const head = [
    `${short(MANY)} call-outs`,
    "accepted in ms",
    "heap of each, KB",
    "longest block while they are dropped, ms",
  ];
  return { title: "Waiting", body: [table(head, rows)], targets };
}
