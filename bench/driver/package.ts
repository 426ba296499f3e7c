import type { NodeAPI } from "node-red";
import type { Memory, Taken } from "./orders";

/** Loads the package as Node-RED does: every node's file is required and called. */
export async function loadPackage(
  RED: NodeAPI,
  files: readonly string[],
  memory: () => Promise<Memory>,
): Promise<Taken & Memory> {
  const before = await memory();
  const startedAt = performance.now();
  const processor = process.cpuUsage();
  for (const file of files) (require(file) as (RED: NodeAPI) => void)(RED);
  const { user, system } = process.cpuUsage(processor);
  const ms = performance.now() - startedAt;
  const after = await memory();
  return {
    ms,
    processorMs: (user + system) / 1000,
    heap: after.heap - before.heap,
    resident: after.resident - before.resident,
  };
}
