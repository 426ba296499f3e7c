import { setTimeout as sleep } from "node:timers/promises";
import { type Ledger, readLedger } from "../../support/backlog/ledger";
import { Performers } from "../../support/backlog/performers";
import { RedisServer } from "../../support/backlog/redis-server";
import { type Figure, part, share } from "../part";
import { Disk } from "../support/disk";
import { LateFile } from "../support/late-file";
import { ledgerFigures } from "../support/ledger-figures";

/** More than a process accepts in its life. */
const MANY = 1_000_000;
const INSTANCES = 3;
/** Between two accepts of a process, so that there is time for many kills. */
const PAUSE_MS = 8;
/** What a power cut may take from a Redis with everysec. */
const LATE_MS = 1500;
/** Accepted entries between two power cuts. */
const BETWEEN_CUTS = 500;

part(async () => {
  const figures = [...(await killed(share(20_000)))];
  const cuts = Math.max(2, share(10));
  const disk = Disk.create();
  if (!disk) return [...figures, Disk.missing, ...lost(cuts, await withLateFile(cuts))];
  try {
    figures.push(...ledgerFigures(`redis, always: ${cuts} power cuts`, await withDisk(disk, cuts, "always")));
    figures.push(...lost(cuts, await withDisk(disk, cuts, "everysec")));
  } finally {
    disk.remove();
  }
  return figures;
});

function lost(cuts: number, ledger: Ledger): Figure[] {
  return ledgerFigures(`redis, everysec: ${cuts} power cuts`, ledger);
}

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

async function withDisk(disk: Disk, cuts: number, appendfsync: string): Promise<Ledger> {
  const server = await RedisServer.start("--dir", disk.path, "--appendfsync", appendfsync);
  return withPowerCuts(server, cuts, async () => {
    server.pause();
    await disk.cutPower(() => server.kill());
  });
}

async function withLateFile(cuts: number): Promise<Ledger> {
  const server = await RedisServer.start("--appendfsync", "everysec");
  const file = new LateFile(server.folder, LATE_MS);
  const ledger = await withPowerCuts(server, cuts, async () => {
    await server.kill();
    file.forget();
  });
  file.close();
  return ledger;
}

/** Cuts the power of Redis; the instances keep running. */
async function withPowerCuts(server: RedisServer, cuts: number, cutPower: () => Promise<void>): Promise<Ledger> {
  const performers = await Performers.create(server.url);
  for (let n = 0; n < INSTANCES; n += 1) await performers.start(MANY, PAUSE_MS);
  for (let cut = 1; cut <= cuts; cut += 1) {
    while (readLedger(performers.folder).accepted < cut * BETWEEN_CUTS) await sleep(100);
    await cutPower();
    await server.restart();
  }
  performers.enough();
  const ledger = await performers.ended();
  await performers.killAll();
  await server.command("FLUSHALL");
  await server.kill();
  return ledger;
}
