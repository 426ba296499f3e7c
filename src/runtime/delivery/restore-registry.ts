import type { NodeAPI } from "node-red";
import type { Outcome, TenantClient, TenantError } from "../../tenant";

/** How a node type whose calls are not results of messages gets back what an earlier process left of them. */
export interface RestoreByType {
  onRecordRestored(RED: NodeAPI, client: TenantClient, name: string, value: unknown): void;
  onRecordNote(name: string, note: unknown): void;
  onCallResult(entryId: string, outcome: Outcome, error?: TenantError): void;
}

/** By node type. Each is loaded with the first record or call of its type. */
export const byType = new Map<string, () => RestoreByType>();

export function restoreWith(type: string, load: () => RestoreByType): void {
  byType.set(type, load);
}
