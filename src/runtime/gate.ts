import type { Node, NodeAPI, NodeDef } from "node-red";
import type { Config } from "../fields";
import { GateNode } from "./gate-node";
import { watchFlows } from "./hand-over";

/** The palette entry that routes messages by a schedule. */
export function gate(RED: NodeAPI): void {
  watchFlows(RED);
  RED.nodes.registerType("business-hour-gate", function (this: Node, config: NodeDef) {
    RED.nodes.createNode(this, config);
    new GateNode(RED, this, config as unknown as Config);
  });
}
