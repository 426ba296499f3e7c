import type { NodeAPI, NodeMessage } from "node-red";
import { type Mode, outcomeOf, type RestoreHandler, type TenantClient } from "../../tenant";
import { type KeptMessage, keptMessage, restoredMessage } from "./kept-message";
import { Mailbox } from "./mailbox";
import { warnOf } from "./message-log";
import { recordTypeOf, restoreHandlerOf } from "./restore-registry";

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
export function restoreHandler(RED: NodeAPI, client: TenantClient): RestoreHandler {
  return {
    hasNode: (nodeId) => Mailbox.isThere(nodeId),
    onRecordRestored(name, value) {
      const type = recordTypeOf(name);
      restoreHandlerOf(type)?.onRecordRestored(RED, client, type, name, value);
    },
    onRecordNote: (name, note) => restoreHandlerOf(recordTypeOf(name))?.onRecordNote(name, note),
    onOrphanedResult({ entryId, job: { nodeId, action }, at, kept }, result) {
      const own = restoreHandlerOf(action);
      if (own) {
        own.onCallResult(nodeId, entryId, { outcome: outcomeOf(result), error: result.ok ? undefined : result.error });
        return;
      }
      const { message, mode } = kept as KeptBeside;
      const restored = { at: new Date(at).toISOString(), left: message.left };
      const whole = restoredMessage(message.message, message.left, restored.at);
      Mailbox.of(RED, nodeId).inherit(action, mode, whole, { ...result, mode, restored });
    },
    onUnreportedOutcome({ entryId, job: { nodeId, action, id } }, outcome) {
      const own = restoreHandlerOf(action);
      if (own) own.onCallResult(nodeId, entryId, { outcome });
      else warnOf(RED, "untold", action, { _msgid: id } as NodeMessage, outcome);
    },
  };
}
