import type { Node, NodeAPI, NodeDef } from "node-red";
import type { Action, ActionModule } from "./declaration";

export { type Action, type ActionModule, post, read, remove, shape } from "./declaration";

/** The actions that Node-RED has loaded, for dialogs that show their requests. */
export const actions = new Map<string, Action>();

/** Makes a palette entry of an action. */
export function action(declaration: Action): ActionModule {
  const initialize = (RED: NodeAPI) => {
    actions.set(declaration.type, declaration);
    RED.nodes.registerType(declaration.type, function (this: Node, config: NodeDef) {
      RED.nodes.createNode(this, config);
      // Whoever has the package but no node of it pays for reading this file, and for no more.
      const { ActionNode } = require("./action-node") as typeof import("./action-node");
      new ActionNode(RED, this, config as unknown as Readonly<Record<string, unknown>>, declaration);
    });
  };
  return Object.assign(initialize, { action: declaration });
}
