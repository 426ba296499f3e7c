import { join } from "node:path";
import type { NodeAPI } from "node-red";

/** The file of unfinished messages. Node-RED embedded without a user folder has no place for it. */
export function unfinishedFile({ settings }: NodeAPI): string | undefined {
  return typeof settings.userDir === "string" ? join(settings.userDir, "telephony", "unfinished.jsonl") : undefined;
}
