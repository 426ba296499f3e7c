import type { Node, NodeAPI, NodeDef } from "node-red";
import type { Config } from "../../fields";

/** The palette entry that holds a campaign, lets it go on, or drops what waits. */
export function control(RED: NodeAPI): void {
  RED.nodes.registerType("telephony-control", function (this: Node, config: NodeDef) {
    RED.nodes.createNode(this, config);
    const { controlNode } = require("./control-node") as typeof import("./control-node");
    controlNode(RED, this, config as unknown as Config);
  });
}
