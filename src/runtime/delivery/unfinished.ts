import { appendFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { NodeAPI, NodeMessage } from "node-red";
import type { Unfinished } from "../../tenant";
import { shared } from "../node-red/catalogue";
import { idOf, warnOf } from "./message-log";

/** Node-RED embedded without a user folder has no place for the file. */
function folderOf({ settings }: NodeAPI): string | undefined {
  return typeof settings.userDir === "string" ? join(settings.userDir, "telephony") : undefined;
}

function fileIn(folder: string): string {
  return join(folder, "unfinished.jsonl");
}

/** Warns at a start if the file of unfinished messages is there. */
export function remindOfUnfinished(RED: NodeAPI): void {
  const folder = folderOf(RED);
  if (folder !== undefined && existsSync(fileIn(folder)))
    RED.log.warn(shared(RED, "log.unfinishedFile", { file: fileIn(folder) }));
}

/**
 * Writes a message whose outcome reaches no flow, because Node-RED stops, to the log and to `telephony/unfinished.jsonl`.
 * The file contains requests, so only its owner may read it; the log contains none.
 */
export function recordUnfinished(
  RED: NodeAPI,
  node: string,
  action: string,
  message: NodeMessage,
  { summary, outcome }: Pick<Unfinished, "summary" | "outcome">,
): void {
  warnOf(RED, "unfinished", action, message, outcome);
  const folder = folderOf(RED);
  if (folder === undefined) return;
  const line = { time: new Date().toISOString(), node, action, message: idOf(message), request: summary, outcome };
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    appendFileSync(fileIn(folder), `${JSON.stringify(line)}\n`, { mode: 0o600 });
  } catch (error) {
    RED.log.error(shared(RED, "log.unfinishedLost", { file: fileIn(folder), reason: String(error) }));
  }
}
