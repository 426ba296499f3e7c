import type { NodeAPI, NodeMessage } from "node-red";
import type { Answered, Mode } from "../../../client";
import type { Place } from "../../schedules/pages";

/** A message with any further properties. */
export type OpenMessage = NodeMessage & Record<string, unknown>;

/** The properties of an outgoing message beside the answer's data; the items of one page share them. */
export function factsOf(action: string, answered: Answered, mode: Mode | null) {
  const { status, envelope, summary, timings, restored } = answered;
  const telephony = { action, mode, request: summary, ...timings, ...(restored && { restored }) };
  return { envelope, statusCode: status, telephony };
}

/**
 * The message for one item of many: a clone, with the `parts` that a join node needs.
 * @param place the item's place, and the id that all items of one run share
 */
export function itemMessage(
  RED: NodeAPI,
  message: NodeMessage,
  place: Place & { readonly id: string },
  facts: object,
): OpenMessage {
  const out = RED.util.cloneMessage(message) as OpenMessage;
  Object.assign(out, facts);
  const outer = out["parts"];
  out["parts"] = { ...place, type: "array", len: 1, ...(outer !== undefined && { parts: outer }) };
  out._msgid = RED.util.generateId();
  return out;
}
