import { join } from "node:path";
import type { NodeAPI } from "node-red";

/** The folder of what outlives Node-RED. Node-RED embedded without a user folder has no place for it. */
export function telephonyFolder({ settings }: NodeAPI): string | undefined {
  return typeof settings.userDir === "string" ? join(settings.userDir, "telephony") : undefined;
}

/** The file of unfinished messages. */
export function unfinishedFile(RED: NodeAPI): string | undefined {
  const folder = telephonyFolder(RED);
  return folder === undefined ? undefined : join(folder, "unfinished.jsonl");
}
