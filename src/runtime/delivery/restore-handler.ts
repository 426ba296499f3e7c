import type { NodeAPI, NodeMessage } from "node-red";
import { type Mode, outcomeOf, type ProgressHooks, type RestoreHandler, type TenantClient } from "../../client";
import { Mailbox } from "./mailbox";
import { warnOf } from "./message-log";
import { LET_GO, NOBODY } from "./pending";
import { recordTypeOf, restoreHandlerOf } from "./restore-registry";
import { restoredMessage, type StoredMessage, storedMessage } from "./stored-message";

/** The part of a message that a durable backlog keeps beside the request. */
interface KeptBeside {
  readonly message: Pick<StoredMessage, "message"> & Partial<Pick<StoredMessage, "left">>;
  readonly mode: Mode | null;
}

/** The part of a message to keep beside its request. */
export function keptBeside(original: NodeMessage, mode: Mode | null): ReturnType<NonNullable<ProgressHooks["keep"]>> {
  const { message, left, size, isExact } = storedMessage(original);
  const kept: KeptBeside = { message: { message, ...(left.length > 0 && { left }) }, mode };
  return { kept, size, isExact };
}

/** Delivers the results of call-outs that an earlier process, or another one, has accepted. */
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
        result.reported?.();
        return;
      }
      const { message: beside, mode } = kept as KeptBeside;
      const { message, left = [] } = beside;
      const restored = { at: new Date(at).toISOString(), left };
      const whole = restoredMessage(message, left, restored.at);
      Mailbox.of(RED, nodeId).inherit(NOBODY, action, mode, whole, { ...result, mode, restored });
    },
    onLetGoResult({ job: { nodeId, action }, kept }, result) {
      const { message, mode } = kept as KeptBeside;
      Mailbox.of(RED, nodeId).inherit(LET_GO, action, mode, message.message as NodeMessage, { ...result, mode });
    },
    onUnreportedOutcome({ entryId, job: { nodeId, action, id } }, outcome) {
      const own = restoreHandlerOf(action);
      if (own) own.onCallResult(nodeId, entryId, { outcome });
      else warnOf(RED, "unreported", action, { _msgid: id } as NodeMessage, outcome);
    },
  };
}
