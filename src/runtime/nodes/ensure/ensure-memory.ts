import type { Wanted } from "./record";

/**
 * What a run knows that could not finish after it may have created a schedule. With it, the next run tells the schedule to
 * keep from the one to delete.
 */
export interface Trace {
  /** The ids of the name before the last schedule was created. */
  readonly before: ReadonlySet<string>;
  /** What was to be created, the newest last: what of it may still arrive. */
  readonly wanted: readonly Wanted[];
  /** The ids of schedules that were created and are not finished: named in the answer, or found later. */
  readonly created: Map<string, number | string>;
  /** The ids whose deletion was not answered. It may still be carried out, so none of them can be the one to keep. */
  readonly doomed: Set<string>;
  /** How many requests to create it lost their answers, and have not been found applied. They may still arrive. */
  unanswered: number;
}

/** Most traces that are kept. They are a few hundred bytes each, and only unfinished runs leave one. */
const MOST = 1000;

/** By node, tenant and name, the oldest first. At module level, because it must outlive a redeploy. */
const traces = new Map<string, Trace>();

export function traceOf(key: string): Trace | undefined {
  return traces.get(key);
}

/** Keeps a trace, in place of the one before, as long as it has anything to tell. */
export function keepTrace(key: string, trace: Trace): void {
  traces.delete(key);
  if (trace.created.size + trace.doomed.size + trace.unanswered === 0) return;
  const [oldest] = traces.keys();
  if (oldest !== undefined && traces.size >= MOST) traces.delete(oldest);
  traces.set(key, trace);
}
