import type { NodeAPI, NodeMessage } from "node-red";
import type { Mode } from "../../tenant";
import type { Answered, Place } from "./pages";

/** A message as the nodes write it: any property may be there. */
export type OpenMessage = NodeMessage & Record<string, unknown>;

/** What a message tells of the answer beside its data; the items of one page share it. */
export function factsOf(action: string, { status, envelope, asked, tally }: Answered, mode: Mode | null) {
  return { envelope, statusCode: status, telephony: { action, mode, request: asked, ...tally } };
}

/**
 * The message for one item of many: one of its own, with the parts that a join node puts together again.
 * @param place the item's, and the id that all items of one run have in common
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
