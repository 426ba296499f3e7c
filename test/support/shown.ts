import type { NodeStatus } from "node-red";
import type { Failure } from "./flow";

/** Without a connection: a ring. */
const UNCONNECTED = ["ERR_DNS", "ERR_CONNECT", "ERR_CONNECT_TIMEOUT", "ERR_TLS"];

/** What a node of a live tenant shows after a message (docs/contract.md#status-and-labels); texts are catalogue keys. */
export function shownFor(error: Failure | undefined): NodeStatus {
  if (!error) return { fill: "green", shape: "dot", text: "accepted" };
  if (error.cause["outcome"] === "unknown") return { fill: "yellow", shape: "dot", text: "mayHaveBeenPlaced" };
  return { fill: "red", shape: UNCONNECTED.includes(error.code) ? "ring" : "dot", text: error.code };
}
