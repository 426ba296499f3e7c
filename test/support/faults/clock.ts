import { performance } from "node:perf_hooks";

/** Milliseconds since the epoch that never jump: comparable between processes, deaf to a wall clock a test has moved. */
export const instant = (): number => performance.timeOrigin + performance.now();
