import type { NodeAPI, NodeMessage } from "node-red";
import { type Mode, outcomeOf, type RestoreHandler, type TenantClient } from "../../client";
import { flows } from "./flow-lifecycle";
import { Mailbox } from "./mailbox";
import { warnOf } from "./message-log";
import { Pending } from "./pending";
import { recordTypeOf, restoreHandlerOf } from "./restore-registry";
import { restoredMessage } from "./stored-message";

/** The part of a message that a durable backlog keeps beside its request. */
export interface KeptMessage {
  readonly message: { readonly message: Record<string, unknown>; readonly left?: readonly string[] };
  readonly mode: Mode | null;
}

/** Reads what the backlog has kept, which is still the JSON text in the process that has accepted the message. */
export function keptMessage(kept: unknown): KeptMessage {
  return (typeof kept === "string" ? JSON.parse(kept) : kept) as KeptMessage;
}

/** Delivers the results of call-outs that an earlier process, or another one, has accepted. */
export function restoreHandler(RED: NodeAPI, client: TenantClient): RestoreHandler {
  return {
    isDeleted: ({ nodeId: id, nodeType: type }) => flows.isDeleted({ id, type }),
    onRecordRestored(name, value) {
      const type = recordTypeOf(name);
      restoreHandlerOf(type)?.onRecordRestored(RED, client, type, name, value);
    },
    onRecordNote: (name, note) => restoreHandlerOf(recordTypeOf(name))?.onRecordNote(name, note),
    onOrphanedResult({ job: { nodeId, action, entryId = "" }, at, kept }, result) {
      const own = restoreHandlerOf(action);
      if (own) {
        own.onCallResult(nodeId, entryId, { outcome: outcomeOf(result), error: result.ok ? undefined : result.error });
        result.reported?.();
        return;
      }
      const { message: stored, mode } = keptMessage(kept);
      const { message, left = [] } = stored;
      const restored = { at: new Date(at).toISOString(), left };
      const pending = new Pending(restoredMessage(message, left, restored.at), action, mode, "orphan");
      Mailbox.of(RED, nodeId).settle(pending, { ...result, restored });
    },
    onUnreportedOutcome({ job: { nodeId, action, entryId = "", id } }, outcome) {
      const own = restoreHandlerOf(action);
      if (own) own.onCallResult(nodeId, entryId, { outcome });
      else warnOf(RED, "unreported", action, { _msgid: id } as NodeMessage, outcome);
    },
  };
}
