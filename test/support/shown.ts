import type { NodeStatus } from "node-red";
import type { Failure } from "./flow";

/** Without a connection: a ring. */
const UNCONNECTED = ["ERR_DNS", "ERR_CONNECT", "ERR_CONNECT_TIMEOUT", "ERR_TLS"];

const READS = ["business-hour-list", "business-hour-get"];

/** The word for an unknown outcome, by the action. */
const MAY_HAVE_BEEN: Readonly<Record<string, string>> = {
  "call-out": "placed",
  "call-stop": "stopped",
  "call-transfer": "transferred",
  "call-add-user": "added",
  "business-hour-create": "created",
  "business-hour-delete": "deleted",
  "business-hour-ensure": "ensured",
};

/** What a node of a live tenant shows after a message (docs/contract.md#status-and-labels); texts are catalogue keys. */
export function shownFor(type: string, error: Failure | undefined): NodeStatus {
  if (!error) return { fill: "green", shape: "dot", text: READS.includes(type) ? "done" : "accepted" };
  if (error.cause["outcome"] === "unknown")
    return { fill: "yellow", shape: "dot", text: `mayHaveBeen.${MAY_HAVE_BEEN[type]}` };
  if (error.code === "ERR_DUPLICATE") return { fill: "grey", shape: "dot", text: error.code };
  return { fill: "red", shape: UNCONNECTED.includes(error.code) ? "ring" : "dot", text: error.code };
}
