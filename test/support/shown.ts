import type { NodeStatus } from "node-red";
import { completed, WRITES } from "./node-types";
import type { Failure } from "./stage";

/** Without a connection: a ring. */
const UNCONNECTED = ["ERR_DNS", "ERR_CONNECT", "ERR_CONNECT_TIMEOUT", "ERR_TLS"];

/** The word for an unknown outcome, by the action. */
const MAY_HAVE_BEEN = completed<Readonly<Record<string, string>>>("MAY_HAVE_BEEN in test/support/shown.ts", WRITES, {
  "call-out": "placed",
  "call-stop": "stopped",
  "call-transfer": "transferred",
  "call-add-user": "added",
  "business-hour-create": "created",
  "business-hour-delete": "deleted",
  "business-hour-ensure": "ensured",
});

/** What a node of a live tenant shows after a message (docs/contract/status.md); texts are catalogue keys. */
export function shownFor(type: string, error: Failure | undefined): NodeStatus {
  if (!error) return { fill: "green", shape: "dot", text: WRITES.includes(type) ? "accepted" : "done" };
  if (error.cause["outcome"] === "unknown")
    return { fill: "yellow", shape: "dot", text: `mayHaveBeen.${MAY_HAVE_BEEN[type]}` };
  if (error.code === "ERR_DUPLICATE") return { fill: "grey", shape: "dot", text: error.code };
  return { fill: "red", shape: UNCONNECTED.includes(error.code) ? "ring" : "dot", text: error.code };
}
