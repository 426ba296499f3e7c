import { randomBytes } from "node:crypto";
import type { Node } from "node-red";
import type { TenantError } from "../../../client";
import type { Tenant } from "../../tenants/chosen-tenant";
import type { Subject } from "./list-file";
import type { Look } from "./look";
import type { RowReader } from "./row-reader";
import type { RowDone } from "./rows-done";

/** An instance of the node, as far as its lists need it. */
export interface Caller {
  readonly node: Node;
  readonly tenant: Tenant;
  /** The reason why nobody can be called. */
  readonly problem: TenantError | undefined;
  /** `undefined` with a problem. */
  readonly rows: RowReader | undefined;
  /** Sends a message for each row that has ended to the first output. */
  sendRows(subject: Subject, rows: readonly RowDone[]): void;
  /** Reports what was found when a list was judged, before the first call. */
  judged(look: Look): void;
  /** The time, ISO 8601. */
  now(): string;
  /** Shows how far its list has come. */
  show(): void;
}

/** Ends the ids of entries: Redis refuses one that another process had for a while. */
const PROCESS = randomBytes(4).toString("hex");

export function entryIdOf(list: string, index: number): string {
  return `${list}-${index}-${PROCESS}`;
}

/** The list and the index of a row, from the id of its entry. */
export function rowOf(entryId: string): { readonly list: string; readonly index: number } {
  const [list = "", index = ""] = entryId.split("-");
  return { list, index: Number(index) };
}
