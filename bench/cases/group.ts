import { RedisServer } from "../../test/support/backlog/redis-server";
import { BacklogProcess } from "../harness/backlog-process";
import type { Engine } from "../harness/engine";
import { type Section, type Target, table, two, whole } from "../harness/report";
import { startsPerSecond } from "../harness/starts";

const INSTANCES = [1, 2, 3];
const JOBS = 5000;
/** Starts a second of the group, and the error that is allowed, percent. */
const RATES = [
  { rate: 50, most: 1 },
  { rate: 200, most: undefined },
];
const SECONDS = 10;

/** Several instances that share a backlog in one Redis, which writes each change to its disk at once. */
export async function group(): Promise<Section> {
  const server = await RedisServer.start();
  const engine = (name: string): Engine => ({ kind: "redis", url: server.url, group: name });
  const targets: Target[] = [];
  const rates = [];
  for (const { rate, most } of RATES) {
    const found = await through(engine(`rate ${rate}`), 3, rate * SECONDS, rate);
    const error = (found / rate - 1) * 100;
    rates.push([`${rate} a second`, two(found), `${two(error)} %`]);
    if (most === undefined) continue;
    const what = `redis: error of a rate of ${rate} a second, three instances`;
    targets.push({ what, target: `≤ ${most} %`, found: `${two(error)} %`, met: Math.abs(error) <= most });
  }
  const counts = [];
  for (const instances of INSTANCES) {
    const found = await through(engine(`${instances} instances`), instances, JOBS, 0);
    counts.push([String(instances), whole(found)]);
  }
  await server.kill();
  return {
    title: "Groups",
    body: [
      `Redis with \`appendfsync always\`, without Node-RED and without requests. ${SECONDS} seconds at a rate, with three instances:`,
      table(["rate of the group", "found", "error"], rates),
      `${whole(JOBS)} waiting jobs, without a rate:`,
      table(["instances", "jobs a second"], counts),
    ],
    targets,
  };
}

/** Starts a second of a group that performs jobs. */
async function through(engine: Engine, instances: number, jobs: number, rate: number): Promise<number> {
  const processes = [];
  for (let n = 0; n < instances; n += 1) {
    const process = await BacklogProcess.start();
    await process.run("open", { engine, rate });
    processes.push(process);
  }
  const [first] = processes;
  await first?.run("pause", {});
  await first?.run("fill", { count: jobs });
  await first?.run("resume", {});
  const found = await startsPerSecond(processes, jobs);
  for (const process of processes) await process.kill();
  return found;
}
