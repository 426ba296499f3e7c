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
      restoreHandlerOf(type)?.onRecordRestored?.(RED, client, type, name, value);
    },
    onRecordNote: (name, note) => restoreHandlerOf(recordTypeOf(name))?.onRecordNote?.(name, note),
    onOrphanedResult({ job: { nodeId, action, entryId = "" }, at, kept }, result) {
      const acceptedAt = new Date(at).toISOString();
      // A row that is called again is no row of its list any more.
      const own = result.again ? undefined : restoreHandlerOf(action);
      if (own) {
        const { reported = () => {} } = result;
        const error = result.ok ? undefined : result.error;
        own.onCallResult(RED, nodeId, entryId, {
          outcome: outcomeOf(result),
          error,
          result: { ...result, restored: { at: acceptedAt, left: [] } },
          reported,
        });
        return;
      }
      const { message: stored, mode } = keptMessage(kept);
      const { message, left = [] } = stored;
      const pending = new Pending(restoredMessage(message, left, acceptedAt), action, mode, "orphan");
      Mailbox.of(RED, nodeId).settle(pending, { ...result, restored: { at: acceptedAt, left } });
    },
    onUnreportedOutcome({ job: { nodeId, action, entryId = "", id, again } }, outcome, reported) {
      const own = again === undefined ? restoreHandlerOf(action) : undefined;
      if (own) own.onCallResult(RED, nodeId, entryId, { outcome, reported });
      else {
        warnOf(RED, "unreported", action, { _msgid: id } as NodeMessage, outcome);
        reported();
      }
    },
  };
}
