import type { NodeAPI, NodeMessage } from "node-red";
import { oneLine, type Params, reasonOf } from "../../fields";
import type { Outcome } from "../../tenant";
import { shared } from "../node-red/catalogue";

/** Longest id that a log line shows; Node-RED's own have 16 characters. */
const LONGEST_ID = 100;

/** A message's id, fit for a line of the log: flows may set anything for one. */
export function idOf({ _msgid }: NodeMessage): string {
  const id: unknown = _msgid;
  return typeof id === "string" || typeof id === "number" ? oneLine(String(id)).slice(0, LONGEST_ID) : "";
}

/**
 * Tells the log how a message ended whose end no flow, or not all of it, hears of.
 * `undeliverable`: not every node got it. `undelivered`: its node is gone. `unfinished`: Node-RED stopped.
 */
export function warnOf(
  RED: NodeAPI,
  what: "undeliverable" | "undelivered" | "unfinished",
  action: string,
  message: NodeMessage,
  outcome: Outcome,
  reason: Params[string] = "",
): void {
  RED.log.warn(shared(RED, `log.${what}`, { action, id: idOf(message), outcome, reason }));
}

/**
 * Hands a message on. Never throws: Node-RED copies a message for a second wire or a Catch node, and not every message
 * can be copied; the log tells of those.
 */
export function deliver(RED: NodeAPI, action: string, message: NodeMessage, outcome: Outcome, pass: () => void): void {
  try {
    pass();
  } catch (error) {
    warnOf(RED, "undeliverable", action, message, outcome, reasonOf(error));
  }
}
