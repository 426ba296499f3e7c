import type { NodeAPI, NodeMessage } from "node-red";
import type { Heir, Mode } from "../../tenant";
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

/** Delivers what becomes of the call-outs that an earlier process, or another one, has accepted. */
export function heir(RED: NodeAPI): Heir {
  return {
    wants: (nodeId) => Mailbox.isThere(nodeId),
    orphaned({ job: { nodeId, action }, at, kept }, result) {
      const { message, mode } = kept as KeptBeside;
      const restored = { at: new Date(at).toISOString(), left: message.left };
      const whole = restoredMessage(message.message, message.left, restored.at);
      Mailbox.of(RED, nodeId).inherit(action, mode, whole, { ...result, mode, restored });
    },
    untold({ job: { action, id } }, outcome) {
      warnOf(RED, "untold", action, { _msgid: id } as NodeMessage, outcome);
    },
  };
}
