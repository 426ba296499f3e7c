import { setTimeout as sleep } from "node:timers/promises";
import type { BacklogProcess } from "./backlog-process";

/** Jobs that processes start a second, measured from the first to the last of so many. */
export async function startsPerSecond(processes: readonly BacklogProcess[], count: number): Promise<number> {
  const starts: number[] = [];
  // Seldom, because asking is work for the processes.
  while (starts.length < count) {
    await sleep(100);
    for (const process of processes) starts.push(...(await process.run("starts", {})));
  }
  return ((count - 1) * 1000) / (Math.max(...starts) - Math.min(...starts));
}
