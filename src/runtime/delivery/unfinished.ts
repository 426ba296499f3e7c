import type { NodeAPI } from "node-red";
import type { Outcome, RequestSummary } from "../../client";
import { logText } from "../node-red/catalogue";
import { appendLines } from "./append-lines";
import { idOf, warnOf } from "./message-log";
import type { Pending } from "./pending";
import { unfinishedFile } from "./unfinished-file";

/** A message whose outcome does not reach the flow, because Node-RED stops. */
export interface UnfinishedMessage {
  readonly pending: Pending;
  /** The node's id. */
  readonly node: string;
  readonly summary: RequestSummary;
  readonly outcome: Outcome;
  /** Whether the request may still end, and its outcome become known. */
  readonly isOpen: boolean;
  /** Called once it is written. */
  readonly reported?: (() => void) | undefined;
}

/**
 * Writes messages whose outcomes reach no flow, because Node-RED stops, to `telephony/unfinished.jsonl` and to the log. The
 * file contains requests, so only its owner may read it; the log contains none.
 *
 * A request in flight is written as it stands when the stop begins, because the process may be killed at any moment, and
 * again when it has ended otherwise. Lines with the same `entry` are about the same request; the last one holds.
 * @param isLogged `false`: the log has one line for all of them
 */
export function recordUnfinished(RED: NodeAPI, messages: readonly UnfinishedMessage[], isLogged = true): void {
  if (messages.length === 0) return;
  const news = messages.filter(({ pending, outcome }) => pending.recorded?.outcome !== outcome);
  for (const { pending, outcome, isOpen } of messages) {
    const entry = pending.recorded?.entry ?? RED.util.generateId();
    pending.recorded = { entry, outcome, isOpen };
  }
  const file = unfinishedFile(RED);
  if (file !== undefined && news.length > 0) {
    const { count, problem } = appendLines(file, news.map(lineOf));
    if (problem !== undefined) {
      const reason = problem instanceof Error ? problem.message : String(problem);
      const params = { file, count: news.length - count, reason };
      logText(RED, "error", "log.unfinishedLost", params);
    }
  }
  for (const { pending, outcome, isOpen, reported } of messages) {
    if (isLogged) warnOf(RED, isOpen ? "inFlight" : "unfinished", pending.action, pending.message, outcome);
    reported?.();
  }
}

function lineOf({ pending, node, summary: request, outcome }: UnfinishedMessage): string {
  const { action, message, mode, recorded } = pending;
  const time = new Date().toISOString();
  return JSON.stringify({ time, entry: recorded?.entry, node, action, mode, message: idOf(message), request, outcome });
}
