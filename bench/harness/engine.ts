import { open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Backlog, type Entry, MemoryStore } from "../../src/backlog";
import { FileStore } from "../../src/backlog/file/file-store";
import { openRedis } from "../../src/backlog/redis/open";
import { loadRedis } from "../../test/support/backlog/ioredis";
import { bodyOf, PATHS, payloadOf } from "./subject";

/** Where the jobs of a process are kept. */
export type Engine =
  | { readonly kind: "memory" }
  /** `slowMs` is added to every flush to the disk. */
  | { readonly kind: "file"; readonly path: string; readonly slowMs?: number }
  | { readonly kind: "redis"; readonly url: string; readonly group: string };

export async function openEngine(engine: Engine): Promise<Backlog> {
  if (engine.kind === "memory") return new Backlog(new MemoryStore());
  if (engine.kind === "redis")
    return (await openRedis({ url: engine.url, prefix: [engine.group], load: loadRedis })) as unknown as Backlog;
  if (engine.slowMs) await slowDown(engine.path, engine.slowMs);
  const { store } = await FileStore.open(engine.path);
  return new Backlog(store);
}

/** A job as a call-out has it: its request, and the message. */
export function entryOf(id: string): Entry {
  const request = { method: "POST", path: PATHS["call-out"], body: bodyOf["call-out"]() };
  const content = JSON.stringify({ request, message: { _msgid: id, payload: payloadOf["call-out"]() } });
  // Messages that came from elsewhere share no texts.
  return { id, nodeId: "call-out", size: content.length, content: JSON.parse(content) };
}

/** Makes each flush to the disk slower, as on a memory card or a network disk. */
async function slowDown(path: string, ms: number): Promise<void> {
  const file = await open(`${path}.probe`, "w");
  const methods = Object.getPrototypeOf(file) as Record<"sync" | "datasync", () => Promise<void>>;
  await file.close();
  for (const name of ["sync", "datasync"] as const) {
    const flush = methods[name];
    methods[name] = async function (this: unknown) {
      await flush.call(this);
      await sleep(ms);
    };
  }
}
