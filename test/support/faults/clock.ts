import { performance } from "node:perf_hooks";

/** The milliseconds since the epoch, which never jump: comparable between processes, independent of a wall clock that a test has moved. */
export const instant = (): number => performance.timeOrigin + performance.now();
