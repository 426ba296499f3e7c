import { perNode } from "../../node-red/node-state";
import type { Wanted } from "./record";

/**
 * What an unfinished run knows that may have created a schedule. With it, the next run can tell which schedule to keep and which
 * to delete.
 */
export interface EnsureMemory {
  /** The ids of the name before the last schedule was created. */
  readonly before: ReadonlySet<string>;
  /** What was to be created, the newest last: what of it may still arrive. */
  readonly wanted: readonly Wanted[];
  /** The ids of schedules that were created and are not finished: named in the answer, or found later. */
  readonly created: Map<string, number | string>;
  /** The ids whose deletion was not answered. It may still be carried out, so none of them can be the one to keep. */
  readonly pendingDeletes: Set<string>;
  /** How many requests to create it lost their answers, and have not been found applied. They may still arrive. */
  unanswered: number;
}

/** Most memories that are kept. They are a few hundred bytes each, and only unfinished runs leave one. */
const MOST = 1000;

/** By node, tenant and name, the oldest first. */
const memories = perNode<EnsureMemory>("ensure memory");

/** An empty one if no run has left any. */
export function memoryOf(key: string): EnsureMemory {
  const empty = { before: new Set<string>(), created: new Map(), pendingDeletes: new Set<string>() };
  return memories.get(key) ?? { ...empty, wanted: [], unanswered: 0 };
}

/** Keeps a memory, in place of the one before, as long as a later run needs it. */
export function keepMemory(key: string, memory: EnsureMemory): void {
  memories.delete(key);
  if (memory.created.size + memory.pendingDeletes.size + memory.unanswered === 0) return;
  const [oldest] = memories.keys();
  if (oldest !== undefined && memories.size >= MOST) memories.delete(oldest);
  memories.set(key, memory);
}
