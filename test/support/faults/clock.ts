import { performance } from "node:perf_hooks";

/** Milliseconds since the epoch that never jump: comparable between processes, independent of a wall clock that a test has moved. */
export const instant = (): number => performance.timeOrigin + performance.now();
