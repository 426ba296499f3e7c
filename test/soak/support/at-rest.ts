import { setTimeout as sleep } from "node:timers/promises";

/** Memory, resources and listeners of an idle process. */
export interface Holding {
  readonly heap: number;
  /** Sockets, timers and other resources that keep a process alive, by kind. */
  readonly resources: Readonly<Record<string, number>>;
  /** By event. */
  readonly listeners: Readonly<Record<string, number>>;
}

/** Idle connections are closed and timers expire within this time. */
const REST_MS = 8_000;

/** Waits until the process is idle, collects garbage and measures. */
export async function atRest(emitters: readonly NodeJS.EventEmitter[]): Promise<Holding> {
  await sleep(REST_MS);
  const { gc } = globalThis;
  if (!gc) throw new Error("needs --expose-gc");
  // Finalizers run between collections and let the next one free more.
  for (let round = 0; round < 5; round += 1) {
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

/** Describes the counts that have grown; empty when none has. */
export function more(before: Readonly<Record<string, number>>, after: Readonly<Record<string, number>>): string {
  return Object.entries(after)
    .filter(([kind, count]) => count > (before[kind] ?? 0))
    .map(([kind, count]) => `${kind} ${before[kind] ?? 0} -> ${count}`)
    .join(", ");
}
