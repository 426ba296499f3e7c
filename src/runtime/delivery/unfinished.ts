import { appendFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { NodeAPI } from "node-red";
import { outcomeOf } from "../../tenant/job";
import { shared } from "../node-red/catalogue";
import { onUnfinished } from "./mailbox";
import { idOf, warnOf } from "./message-log";

/**
 * Writes down every message whose outcome no flow hears of because Node-RED stops, and reminds at each start that there
 * are some. The file holds requests, so only its owner may read it; the log names none.
 */
export function keepUnfinished(RED: NodeAPI): void {
  const { userDir } = RED.settings;
  const folder = typeof userDir === "string" ? join(userDir, "telephony") : undefined;
  const file = join(folder ?? "", "unfinished.jsonl");
  if (folder !== undefined && existsSync(file)) RED.log.warn(shared(RED, "log.unfinishedFile", { file }));
  onUnfinished(({ id, pending, end }) => {
    const outcome = end ? outcomeOf(end) : "not-applied";
    warnOf(RED, "unfinished", pending.action, pending.message, outcome);
    // Node-RED embedded without a user folder has no place of ours to write to.
    if (folder === undefined) return;
    const line = {
      time: new Date().toISOString(),
      node: id,
      action: pending.action,
      message: idOf(pending.message),
      request: end?.asked ?? {},
      outcome,
    };
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    } catch (error) {
      RED.log.error(shared(RED, "log.unfinishedLost", { file, reason: String(error) }));
    }
  });
}
