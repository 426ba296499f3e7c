import type { Report } from "./report";
import type { World } from "./world";

export interface RehearsalOptions {
  /** The nodes of a flow file. */
  readonly flows: readonly Readonly<Record<string, unknown>>[];
  /** ISO 8601; without offset in the zone of the first tenant. Default: now, to the minute. */
  readonly from?: string | undefined;
  /** ISO 8601, or days after `from`. Default: 7 days. */
  readonly until?: string | number | undefined;
  /** Default: 1. */
  readonly seed?: number | undefined;
  readonly world?: World | undefined;
  /** Where Node-RED, third-party nodes and copies of calendars are looked for first. */
  readonly userDir?: string | undefined;
  /** Seconds of real time. Default: 60. */
  readonly limit?: number | undefined;
  /** Nodes whose messages are counted, by id or name. */
  readonly watch?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the virtual instant that was reached, ISO 8601, and the calls so far. */
  readonly onProgress?: ((at: string, calls: number) => void) | undefined;
}

export interface Rehearsal {
  readonly report: Report;
  /** Where the Node-RED that ran was found. */
  readonly nodeRedPath: string;
  /** What a person must know about the run: types that are not installed, calendars from a copy. */
  readonly notes: readonly string[];
  /** Why it ended before `until`, in a sentence; else `undefined`. */
  readonly cutShort?: string | undefined;
  /** Messages that reached the nodes of `watch`, by what was given there. */
  readonly reached: Readonly<Record<string, number>>;
}
