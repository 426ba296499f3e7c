import type { Node, NodeAPI, NodeDef } from "node-red";
import type { Config } from "../../fields";

/** The palette entry that routes messages by a schedule. */
export function gate(RED: NodeAPI): void {
  RED.nodes.registerType("business-hour-gate", function (this: Node, config: NodeDef) {
    RED.nodes.createNode(this, config);
    const { GateNode } = require("./gate-node") as typeof import("./gate-node");
    new GateNode(RED, this, config as unknown as Config);
  });
}
