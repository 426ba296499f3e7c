import type { NodeAPI, NodeMessage } from "node-red";
import type { Outcome } from "../../client";
import type { Params } from "../../fields";
import { oneLine } from "../../fields/quote";
import { logText } from "../node-red/catalogue";

/** Longest id that a log line shows; Node-RED's own have 16 characters. */
const LONGEST_ID = 100;

/** A message's id, safe for a log line: a flow may set it to anything. */
export function idOf({ _msgid }: NodeMessage): string {
  const id: unknown = _msgid;
  return typeof id === "string" || typeof id === "number" ? oneLine(String(id)).slice(0, LONGEST_ID) : "";
}

/**
 * Logs the outcome of a message that could not be delivered.
 * `undeliverable`: not every node received it. `undelivered`: its node is gone. `unfinished`: Node-RED stopped.
 * `inFlight`: Node-RED stops, and the outcome may follow. `unreported`: Node-RED ended while the outcome was being delivered.
 */
export function warnOf(
  RED: NodeAPI,
  what: "undeliverable" | "undelivered" | "unfinished" | "inFlight" | "unreported",
  action: string,
  message: NodeMessage,
  outcome: Outcome,
  reason: Params[string] = "",
): void {
  logText(RED, "warn", `log.${what}`, { action, id: idOf(message), outcome, reason });
}
