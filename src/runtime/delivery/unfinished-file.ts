import { join } from "node:path";
import type { NodeAPI } from "node-red";

/** The folder for files that outlive Node-RED; `undefined` if Node-RED is embedded without a user folder. */
export function telephonyFolder({ settings }: NodeAPI): string | undefined {
  return typeof settings.userDir === "string" ? join(settings.userDir, "telephony") : undefined;
}

export function unfinishedFile(RED: NodeAPI): string | undefined {
  const folder = telephonyFolder(RED);
  return folder === undefined ? undefined : join(folder, "unfinished.jsonl");
}

/** Returns how the files of a tenant begin. */
export function fileNameOf(tenant: string): string {
  return tenant.replace(/[^\w.-]/g, "_");
}
