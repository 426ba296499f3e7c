import type { Effect } from "../../node-red/texts";
import type { Dialog, Shape } from "../action/declaration";

/** A node that calls each row of a list, as data. */
export interface ListCaller extends Dialog {
  readonly kind: "list";
  readonly type: string;
  readonly effect: Effect;
  /** The fields that are read for each row, with the row in `msg.payload` and `msg.row`, and the request that they become. */
  readonly shape: Shape;
}

export const LIST_SETTINGS = {
  /** A name of the Encoding Standard; empty: UTF-8, or UTF-16 with a mark. */
  encoding: { kind: "encoding", default: "" },
  /** `good`: call all rows that can be called. `look`: only judge them. */
  begin: { kind: "option", choices: ["good", "look"], default: "good" },
  /** Seconds for which a row that was called is not called again; 0: within its list only. */
  onceFor: { kind: "number", from: 0, to: 366 * 86_400, default: 72_000 },
} as const;

/** The codes of what is wrong for the moment: it ends no row, and the list waits. */
export const FOR_THE_MOMENT: ReadonlySet<string> = new Set(["ERR_ENGINE", "ERR_BACKLOG_FULL", "ERR_CONFIG"]);

/** The source of the list, unless the flow file says otherwise. */
export const LIST_SOURCE = { list: "payload", listType: "msg" } as const;

/** The usual column of the number. */
export const NUMBER_SOURCE = { toNumber: "payload.number", toNumberType: "msg" } as const;
