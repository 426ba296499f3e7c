import type { FlowNode } from "../lint/flow-node";
import type { World } from "./world";

/** The Node-RED from which a rehearsal is started, as far as it is rehearsed. */
export interface RunningNodeRed {
  /** The folder of the package `node-red`. */
  readonly folder: string | undefined;
  readonly nodesExcludes: readonly string[];
  readonly functionExternalModules: boolean;
  /** Environment variables that the flows name. */
  readonly env: Readonly<Record<string, string>>;
  /** The names of its credentials, as the inputs of a test have them. */
  readonly credentials: readonly string[];
}

export interface RehearsalOptions {
  readonly flows: readonly FlowNode[];
  /** Tabs that are rehearsed, with what they reach, by id or name. Default: all. */
  readonly tabs?: readonly string[] | undefined;
  /** ISO 8601; without offset in the zone of the first tenant. Default: now, to the minute. */
  readonly from?: string | undefined;
  /** ISO 8601, or days after `from`. Default: 7 days. */
  readonly until?: string | number | undefined;
  /** Default: 1. */
  readonly seed?: number | undefined;
  readonly world?: World | undefined;
  /** The folder in which Node-RED, third-party nodes and copies of calendars are looked for first. */
  readonly userDir?: string | undefined;
  /** Seconds of real time. Default: 60. */
  readonly limit?: number | undefined;
  /** Nodes whose messages are counted, by id or name. */
  readonly watch?: readonly string[] | undefined;
  readonly running?: RunningNodeRed | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Its element is the id of the process that rehearses, or 0: another thread can end that, also while this one cannot act. */
  readonly pid?: Int32Array | undefined;
  /** Called with the virtual instant that was reached, ISO 8601, and the calls so far. */
  readonly onProgress?: ((at: string, calls: number) => void) | undefined;
}
