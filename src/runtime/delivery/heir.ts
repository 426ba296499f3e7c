import type { NodeAPI, NodeMessage } from "node-red";
import { type Heir, type Mode, outcomeOf, type TenantClient } from "../../tenant";
import type { Incident } from "../escalate/incident";
import { type KeptMessage, keptMessage, restoredMessage } from "./kept-message";
import { Mailbox } from "./mailbox";
import { warnOf } from "./message-log";

/** What a durable backlog keeps of a message, beside its request. */
interface KeptBeside {
  readonly message: KeptMessage;
  readonly mode: Mode;
}

/** What to keep beside the request of a message, and its length in bytes. */
export function keptBeside(message: NodeMessage, mode: Mode | null): { kept: unknown; size: number } {
  const kept = keptMessage(message);
  return { kept: { message: kept, mode }, size: kept.size };
}

/** The nodes that keep records. Loaded with the first record or call of one. */
const ladders = () => require("../escalate/ladders") as typeof import("../escalate/ladders");
/** Their calls are reported to them, not to the flow. */
const ESCALATE = "call-escalate";

/** Delivers what becomes of the call-outs that an earlier process, or another one, has accepted. */
export function heir(RED: NodeAPI, client: TenantClient): Heir {
  return {
    wants: (nodeId) => Mailbox.isThere(nodeId),
    adopted: (name, value) => ladders().adopt(RED, client, name, value as Incident),
    noted: (name, note) => ladders().noted(name, note),
    orphaned({ entryId, job: { nodeId, action }, at, kept }, result) {
      if (action === ESCALATE) {
        ladders().callEnded(entryId, outcomeOf(result), result.ok ? undefined : result.error);
        return;
      }
      const { message, mode } = kept as KeptBeside;
      const restored = { at: new Date(at).toISOString(), left: message.left };
      const whole = restoredMessage(message.message, message.left, restored.at);
      Mailbox.of(RED, nodeId).inherit(action, mode, whole, { ...result, mode, restored });
    },
    untold({ entryId, job: { action, id } }, outcome) {
      if (action === ESCALATE) ladders().callEnded(entryId, outcome);
      else warnOf(RED, "untold", action, { _msgid: id } as NodeMessage, outcome);
    },
  };
}
