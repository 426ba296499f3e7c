import type { NodeAPI } from "node-red";
import type { JobResult, Outcome, TenantClient, TenantError } from "../../client";

export interface CallResult {
  readonly outcome: Outcome;
  readonly error?: TenantError | undefined;
  /** Absent if only its outcome is known. */
  readonly result?: JobResult;
  /** To be called once somebody knows: until then, a durable backlog keeps the end. */
  readonly reported: () => void;
}

/** The handler of the records and calls of a node type that another process has left, where they are not results of messages. */
export interface RestoreHandler {
  onRecordRestored?(RED: NodeAPI, client: TenantClient, type: string, name: string, value: unknown): void;
  onRecordNote?(name: string, note: unknown): void;
  onCallResult(RED: NodeAPI, nodeId: string, entryId: string, result: CallResult): void;
}

const handlers: Record<string, () => RestoreHandler> = {};

/** @param load called with the first record or call of the type, so that an unused type costs little */
export function restoreWith(type: string, load: () => RestoreHandler): void {
  handlers[type] = load;
}

export function restoreHandlerOf(type: string): RestoreHandler | undefined {
  return handlers[type]?.();
}

/** The name of a record. It begins with the node type, so that only its handler gets the record. */
export function recordNameOf(type: string, rest: string): string {
  return `${type} ${rest}`;
}

export function recordTypeOf(name: string): string {
  return name.slice(0, name.indexOf(" "));
}
