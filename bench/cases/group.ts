import { RedisServer } from "../../test/support/backlog/redis-server";
import { action, loop, tab, tenant } from "../flows";
import { NodeRed, userFolder } from "../node-red";
import { atMost, type Section, short, table } from "../report";

const INSTANCES = 3;
const FOR_MS = 10_000;

/** Several Node-REDs that share a backlog and a rate in one Redis, which writes each change to its disk at once. */
export async function group(origin: string): Promise<Section> {
  const server = await RedisServer.start();
  const rows = [];
  const errors = [];
  for (const rate of [50, 200]) {
    const nodeReds: NodeRed[] = [];
    for (let n = 0; n < INSTANCES; n += 1) {
      const nodeRed = await NodeRed.start(userFolder());
      const shared = { engine: "redis", redisUrl: server.url, group: `rate ${rate}`, rate: String(rate) };
      await nodeRed.deploy(tab([tenant(origin, shared), ...loop(action("call-out"))]));
      nodeReds.push(nodeRed);
    }
    const count = (rate * FOR_MS) / 1000 / INSTANCES;
    const startedAt = performance.now();
    const send = { loop: "loop call-out", payload: "call-out", inFlight: 32, count: Math.round(count) } as const;
    await Promise.all(nodeReds.map((nodeRed) => nodeRed.run("send", send)));
    const found = (send.count * INSTANCES * 1000) / (performance.now() - startedAt);
    for (const nodeRed of nodeReds) await nodeRed.stop();
    const error = (found / rate - 1) * 100;
    errors.push(Math.abs(error));
    rows.push([`${rate} a second`, short(found), `${short(error)} %`]);
  }
  await server.kill();
  return {
    title: "Groups",
    body: [
      `${INSTANCES} Node-REDs share one rate through Redis with \`appendfsync always\`, for ${FOR_MS / 1000} seconds:`,
      table(["rate of the group", "found", "error"], rows),
    ],
    targets: [atMost("redis: error of a rate of 50 a second, three instances", 1, errors[0] ?? Number.NaN, "%")],
  };
}
