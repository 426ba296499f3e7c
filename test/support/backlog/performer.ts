// A process with a backlog, to be killed: it accepts entries, performs them, and notes in a ledger what it does.
// Arguments: folder of the ledger, entries to accept, "file" or the address of a Redis
import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { Backlog } from "../../../src/backlog/backlog";
import { FileStore } from "../../../src/backlog/file/file-store";
import { LocalBacklog } from "../../../src/backlog/local/local-backlog";
import { openRedis } from "../../../src/backlog/redis/open";
import { loadRedis } from "./ioredis";

const [folder = "", accepts = "0", engine = "file"] = process.argv.slice(2);
const note = (line: string) => appendFileSync(join(folder, "ledger"), `${line}\n`);

/** Short, because a test waits until it has run out. */
const LEASE_MS = 3000;

async function open(): Promise<Backlog> {
  if (engine === "file") {
    const { store, remains } = await FileStore.open(join(folder, "a.journal"));
    return new LocalBacklog(store, remains);
  }
  return openRedis({ url: engine, prefix: ["performers"], load: loadRedis, leaseMs: LEASE_MS });
}

async function main(): Promise<void> {
  const backlog = await open();
  let running = 0;
  backlog.serve(
    {
      others: () => ({ waiting: 0, bytes: 0 }),
      places: () => 8 - running,
      begin: (run) => {
        running += 1;
        note(`placed ${run.entry.id}`);
        setTimeout(() => {
          running -= 1;
          run.settle("applied", null);
          backlog.look();
        }, 5);
      },
      ended: ({ id }, end) => note(`told ${id} ${JSON.stringify(end)}`),
      changed: () => {},
      trouble: () => {},
    },
    { rate: 0, entries: 100_000, bytes: 2 ** 28, places: 64 },
  );
  process.send?.("ready");
  for (let n = 0; n < Number(accepts); n += 1) {
    const id = randomUUID();
    const { kind } = await backlog.accept({ id, nodeId: "n", size: 10, content: { n } });
    note(`${kind} ${id}`);
    // An engine that is away refuses at once.
    if (kind === "trouble") await new Promise((resolve) => setTimeout(resolve, 20));
  }
  process.on("message", () => void backlog.close().then(() => process.exit(0)));
}

void main();
