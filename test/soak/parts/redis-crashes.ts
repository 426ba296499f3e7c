import { setTimeout as sleep } from "node:timers/promises";
import { type Ledger, readLedger } from "../../support/backlog/ledger";
import { Performers } from "../../support/backlog/performers";
import { RedisServer } from "../../support/backlog/redis-server";
import { type Figure, part, share } from "../part";
import { Disk } from "../support/disk";
import { ledgerFigures } from "../support/ledger-figures";

/** More than a process accepts in its life. */
const MANY = 1_000_000;
const INSTANCES = 3;
/** Between two accepts of a process, so that there is time for many kills. */
const PAUSE_MS = 8;
/** Accepted entries between two power cuts. */
const BETWEEN_CUTS = 500;

part(async () => {
  const figures = [...(await killed(share(20_000)))];
  const cuts = Math.max(2, share(10));
  const disk = Disk.create();
  if (!disk) return [...figures, Disk.missing];
  try {
    for (const appendfsync of ["always", "everysec"])
      figures.push(...ledgerFigures(`redis, ${appendfsync}: ${cuts} power cuts`, await cut(disk, cuts, appendfsync)));
  } finally {
    disk.remove();
  }
  return figures;
});

/** Kills one of three processes every two to three seconds, and Redis once. */
async function killed(accepts: number): Promise<Figure[]> {
  const server = await RedisServer.start();
  const performers = await Performers.create(server.url);
  const processes = await Promise.all(Array.from({ length: INSTANCES }, () => performers.start(MANY, PAUSE_MS)));
  let kills = 0;
  let isRedisKilled = false;
  while (readLedger(performers.folder).accepted < accepts) {
    await sleep(2000 + (kills % 3) * 500);
    const next = processes.shift();
    if (next) await performers.kill(next);
    kills += 1;
    if (!isRedisKilled && readLedger(performers.folder).accepted > accepts / 2) {
      await server.kill();
      await server.restart();
      isRedisKilled = true;
    }
    processes.push(await performers.start(MANY, PAUSE_MS));
  }
  performers.enough();
  const figures = ledgerFigures(`redis: ${kills} SIGKILLs, and one of Redis`, await performers.ended());
  await performers.killAll();
  await server.kill();
  return figures;
}

/** Cuts the power of Redis; the instances keep running. */
async function cut(disk: Disk, cuts: number, appendfsync: string): Promise<Ledger> {
  const server = await RedisServer.start("--dir", disk.path, "--appendfsync", appendfsync);
  const performers = await Performers.create(server.url);
  for (let n = 0; n < INSTANCES; n += 1) await performers.start(MANY, PAUSE_MS);
  for (let count = 1; count <= cuts; count += 1) {
    while (readLedger(performers.folder).accepted < count * BETWEEN_CUTS) await sleep(100);
    server.pause();
    await disk.cutPower(() => server.kill());
    await server.restart();
  }
  performers.enough();
  const ledger = await performers.ended();
  await performers.killAll();
  await server.command("FLUSHALL");
  await server.kill();
  return ledger;
}
