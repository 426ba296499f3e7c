import type { NodeAPI } from "node-red";
import type { Memory } from "./index";

/** Loads the package as Node-RED does: every node's file is required and called. */
export async function loadPackage(
  RED: NodeAPI,
  files: readonly string[],
  memory: () => Promise<Memory>,
): Promise<{ ms: number } & Memory> {
  const before = await memory();
  const startedAt = performance.now();
  for (const file of files) (require(file) as (RED: NodeAPI) => void)(RED);
  const ms = performance.now() - startedAt;
  const after = await memory();
  return {
    ms,
    heap: after.heap - before.heap,
    resident: after.resident - before.resident,
    processorMs: after.processorMs - before.processorMs,
  };
}
