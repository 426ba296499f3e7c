import type { Node, NodeAPI, NodeDef } from "node-red";
import type { Config } from "../fields";
import type { Action } from "./actions/declaration";
import { actions } from "./actions/registry";
import { serveAdmin } from "./admin/routes";
import { flows } from "./delivery/flow-lifecycle";
import { remindOfUnfinished } from "./delivery/unfinished";
import type { TenantNode } from "./tenants/tenant-node";

/** A node that sends no request of its own: the config node, the gate and the control node. */
export interface Routing {
  readonly type: string;
  readonly kind: "tenant" | "gate" | "control";
}

export type NodeDeclaration = Action | Routing;

/**
 * Registers the nodes of the set. The code of a node is loaded with the first node of its kind, so that unused ones cost
 * little. For the same reason, what is loaded here imports single files of other rooms rather than their index.
 */
export function register(RED: NodeAPI, declarations: readonly NodeDeclaration[]): void {
  flows.follow(RED);
  remindOfUnfinished(RED);
  serveAdmin(RED);
  for (const declaration of declarations) {
    if (declaration.kind === "action") actions.set(declaration.type, declaration);
    const create = function (this: Node, config: NodeDef) {
      RED.nodes.createNode(this, config);
      start(RED, this, config as unknown as Config, declaration);
    };
    const credentials = declaration.kind === "tenant" && { credentials: { token: { type: "password" } } };
    RED.nodes.registerType(declaration.type, create, ...(credentials ? [credentials as never] : []));
  }
}

function start(RED: NodeAPI, node: Node, config: Config, declaration: NodeDeclaration): void {
  switch (declaration.kind) {
    case "action": {
      const { ActionNode } = require("./actions/action-node") as typeof import("./actions/action-node");
      new ActionNode(RED, node, config, declaration);
      return;
    }
    case "gate": {
      const { GateNode } = require("./gate/gate-node") as typeof import("./gate/gate-node");
      new GateNode(RED, node, config);
      return;
    }
    case "control": {
      const { controlNode } = require("./control/control-node") as typeof import("./control/control-node");
      controlNode(RED, node, config);
      return;
    }
    case "tenant": {
      const { tenantNode } = require("./tenants/tenant-node") as typeof import("./tenants/tenant-node");
      tenantNode(RED, node as TenantNode, config);
    }
  }
}
