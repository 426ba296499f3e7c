import { setTimeout as sleep } from "node:timers/promises";

/** What a process holds while nothing happens in it. */
export interface Holding {
  readonly heap: number;
  /** By kind: sockets, timers and whatever else keeps a process alive. */
  readonly resources: Readonly<Record<string, number>>;
  /** By event. */
  readonly listeners: Readonly<Record<string, number>>;
}

/** Idle connections are given up and timers run out within this time. */
const REST_MS = 8_000;

/** Waits for rest, collects the garbage, and looks. */
export async function atRest(emitters: readonly NodeJS.EventEmitter[]): Promise<Holding> {
  await sleep(REST_MS);
  const { gc } = globalThis;
  if (!gc) throw new Error("needs --expose-gc");
  // Finalizers run between collections, and free more for the next one.
  for (let turn = 0; turn < 5; turn += 1) {
    gc();
    await sleep(20);
  }
  const listeners = emitters.flatMap((emitter, index) =>
    emitter.eventNames().map((name) => [`${index} ${String(name)}`, emitter.listenerCount(name)] as const),
  );
  const resources: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1;
  return {
    heap: process.memoryUsage().heapUsed,
    resources,
    listeners: Object.fromEntries(listeners),
  };
}

/** What there is more of than before, said in words; empty when nothing. */
export function more(before: Readonly<Record<string, number>>, after: Readonly<Record<string, number>>): string {
  return Object.entries(after)
    .filter(([kind, count]) => count > (before[kind] ?? 0))
    .map(([kind, count]) => `${kind} ${before[kind] ?? 0} -> ${count}`)
    .join(", ");
}
