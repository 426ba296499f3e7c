import type { Burst } from "./burst";
import type { Load, Sample } from "./closed-loop";
import type { Subject } from "./subject";

/** What the benchmark may ask of the Node-RED process that it has started. */
export interface Orders {
  /** Rounds through a flow. */
  flow(order: { loop: string; payload: Subject | number } & Load): Promise<Sample>;
  /** The same requests without Node-RED. */
  undici(order: { origin: string; api: "request" | "dispatch"; subject: Subject } & Load): Promise<Sample>;
  memory(order: object): Promise<Memory>;
  /** Writes a processor profile of what is done meanwhile. */
  startProfile(order: object): Promise<void>;
  stopProfile(order: { file: string }): Promise<void>;
  each(order: { loop: string; count: number }): Promise<{ ms: number; heapPeak: number }>;
  burst(order: { loop: string; control: string; count: number; watchMs: number }): Promise<Burst>;
  loadPackage(order: { files: readonly string[] }): Promise<Taken & Memory>;
}

/** Bytes after a collection. */
export interface Memory {
  readonly heap: number;
  readonly resident: number;
}

/** Milliseconds by the clock and of processor time. */
export interface Taken {
  readonly ms: number;
  readonly processorMs: number;
}
