import { setTimeout as sleep } from "node:timers/promises";
import { Performers } from "../../support/backlog/performers";
import { announcedSeed, generator } from "../../support/faults/seed";
import { part, share } from "../part";
import { Disk } from "../support/disk";
import { ledgerFigures } from "../support/ledger-figures";

/** Milliseconds after which a process is killed, at most: it has accepted some of its entries, and performed some. */
const LONGEST_MS = 250;

part(async () => {
  const random = generator(announcedSeed());
  const moment = () => sleep(Math.floor(random() * LONGEST_MS));
  const [kills, cuts, each] = [share(50), share(25), 45];

  const killed = await Performers.create();
  for (let kill = 0; kill < kills; kill += 1) {
    const child = await killed.start(each);
    await moment();
    await killed.kill(child);
  }
  await killed.start(0);
  const figures = ledgerFigures(`file: ${kills} SIGKILLs`, await killed.ended());
  await killed.killAll();

  const disk = Disk.create();
  if (!disk) return [...figures, Disk.missing];
  try {
    const cut = await Performers.create(disk.path);
    for (let n = 0; n < cuts; n += 1) {
      const child = await cut.start(each);
      await moment();
      child.kill("SIGSTOP");
      await disk.cutPower(() => cut.kill(child));
    }
    await cut.start(0);
    figures.push(...ledgerFigures(`file: ${cuts} power cuts`, await cut.ended()));
    await cut.killAll();
  } finally {
    disk.remove();
  }
  return figures;
});
