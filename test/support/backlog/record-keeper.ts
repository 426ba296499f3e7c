// A process that shares a record with others, to be killed or stopped: the owner counts, and each logs what it has sent.
// Arguments: address of a Redis, file of the ledger
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Backlog } from "../../../src/backlog";
import { openRedis } from "../../../src/backlog/redis/open";
import { loadRedis } from "./ioredis";

const [url = "", ledger = ""] = process.argv.slice(2);
const write = (...words: unknown[]) => appendFileSync(ledger, `${process.pid} ${words.join(" ")}\n`);

const RECORD = "work";
/** Short, because a test waits until it has run out. */
const LEASE_MS = 3000;

async function main(): Promise<void> {
  const backlog = new Backlog(await openRedis({ url, prefix: ["keepers"], load: loadRedis, leaseMs: LEASE_MS }));
  const { records } = backlog;
  let count: number | undefined;
  backlog.serve(
    {
      places: () => 0,
      others: () => ({ waiting: 0, bytes: 0 }),
      isOpen: () => true,
      begin: () => {},
      onSettled: () => {},
      onInherited: () => {},
      onChange: () => {},
      onFailure: () => {},
      restored: {
        hasNode: () => true,
        onRecordRestored: (_name, value) => {
          count = value as number;
          write("restored", count);
        },
        onRecordNote: (_name, note) => write("heard", note),
      },
    },
    { rate: 0, entries: 10, bytes: 1000, places: 1 },
  );
  if (await records.create(RECORD, 0)) {
    count = 0;
    write("created");
  }
  process.send?.("ready");
  for (let n = 0; ; n += 1) {
    // Redis may be away for a moment.
    await step(n).catch(() => {});
    await sleep(20);
  }

  async function step(n: number): Promise<void> {
    if (count !== undefined) {
      const isMine = await records.update(RECORD, count + 1);
      count = isMine ? count + 1 : undefined;
      write(...(isMine ? ["counted", count] : ["lost"]));
    }
    if (await records.note(RECORD, `${process.pid}-${n}`)) write("sent", `${process.pid}-${n}`);
  }
}

void main();
