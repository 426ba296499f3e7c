// A process with a backlog, to be killed: it accepts entries, performs them, and notes in a ledger what it does.
// Arguments: folder of the ledger, entries to accept, folder of the journal or address of a Redis, milliseconds between two accepts
// Accepts no more when it gets a message.
import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Backlog } from "../../../src/backlog";
import { FileStore } from "../../../src/backlog/file/file-store";
import { openRedis } from "../../../src/backlog/redis/open";
import { loadRedis } from "./ioredis";

const [folder = "", accepts = "0", engine = "", pauseMs = "0"] = process.argv.slice(2);
const note = (line: string) => appendFileSync(join(folder, "ledger"), `${line}\n`);

/** The times for which starts are open and closed, in turn. */
const [OPEN_MS, CLOSED_MS] = [40, 10];
/** One of so many runs may not leave yet, one of so many entries begins at any time, and one of so many has a date. */
const [PUT_BACK, ANYTIME, DATED] = [20, 3, 2];
/** The latest date. Milliseconds. */
const AHEAD_MS = 1500;
const oneOf = (many: number) => Math.random() < 1 / many;

/** Short, because a test waits until it has run out. */
const LEASE_MS = 3000;

async function open(): Promise<Backlog> {
  if (!engine.startsWith("redis:")) {
    const { store, damaged } = await FileStore.open(join(engine, "a.journal"));
    if (damaged > 0) note(`damaged ${damaged}`);
    return new Backlog(store);
  }
  return new Backlog(await openRedis({ url: engine, prefix: ["performers"], load: loadRedis, leaseMs: LEASE_MS }));
}

async function main(): Promise<void> {
  const backlog = await open();
  let running = 0;
  let isOpen = true;
  const turn = () => {
    isOpen = !isOpen;
    backlog.loop.dispatch();
    setTimeout(turn, isOpen ? OPEN_MS : CLOSED_MS);
  };
  backlog.serve(
    {
      others: () => ({ waiting: 0, bytes: 0 }),
      slots: () => 8 - running,
      isOpen: () => isOpen,
      begin: (call) => {
        const { id, anytime, notBefore = 0 } = call.entry;
        if (oneOf(PUT_BACK) || !(isOpen || anytime)) {
          backlog.loop.requeue(call);
          return;
        }
        running += 1;
        if (notBefore > Date.now()) note(`early ${id}`);
        note(`placed ${id}`);
        const reported = () => {
          note(`reported ${id} {"result":null}`);
          backlog.ends.forget(call);
        };
        setTimeout(() => {
          running -= 1;
          void backlog.ends.settle(call, "applied").then((isOwn) => isOwn && reported());
          backlog.loop.dispatch();
        }, 5);
      },
      end: (call, settlement) => {
        if (!("inherited" in settlement)) note(`reported ${call.entry.id} ${JSON.stringify(settlement)}`);
        backlog.ends.forget(call);
      },
      moved: () => {},
      onChange: () => {},
      onFailure: () => {},
    },
    { rate: 0, entries: 100_000, bytes: 2 ** 28, slots: 64 },
  );
  turn();
  let isEnough = false;
  process.on("message", () => {
    isEnough = true;
  });
  process.send?.("ready");
  for (let n = 0; n < Number(accepts) && !isEnough; n += 1) {
    const id = randomUUID();
    const anytime = oneOf(ANYTIME) && ({ anytime: true } as const);
    const date = oneOf(DATED) && { notBefore: Math.round(backlog.loop.now() + Math.random() * AHEAD_MS) };
    const { kind } = await backlog.accept({ id, nodeId: "n", size: 10, content: `${n}`, ...anytime, ...date });
    note(`${kind} ${id}`);
    // An engine that is away refuses at once.
    await sleep(kind === "failed" ? 20 : Number(pauseMs));
  }
}

void main();
