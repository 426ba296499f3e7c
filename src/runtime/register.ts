import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Node, NodeAPI, NodeDef } from "node-red";
import type { Config } from "../fields";
import { flows } from "./delivery/flow-lifecycle";
import { type RestoreHandler, restoreWith } from "./delivery/restore-registry";
import { telephonyFolder, unfinishedFile } from "./delivery/unfinished-file";
import type { Action, Dialog } from "./nodes/action/declaration";
import type { Escalation } from "./nodes/escalate/declaration";
import type { ListCaller } from "./nodes/list/settings";
import type { TenantNode } from "./nodes/tenant/tenant-node";
import { answerBeforeStart } from "./nodes/webhook/not-started";

/** A node that sends no request of its own: the config node, the webhook, the gate, the trigger and the control node. */
export interface Routing extends Dialog {
  readonly type: string;
  readonly kind: "tenant" | "gate" | "trigger" | "control" | "webhook";
}

export type NodeDeclaration = Action | ListCaller | Escalation | Routing;

type Start = (RED: NodeAPI, node: TenantNode, config: Config, declaration: never) => unknown;

/** The function that starts a node, by kind. Its code is loaded with the first node of the kind, so that unused ones cost little. */
const load: Readonly<Record<NodeDeclaration["kind"], () => Start>> = {
  action: () => (require("./nodes/action/action-node") as typeof import("./nodes/action/action-node")).actionNode,
  list: () => (require("./nodes/list/list-node") as typeof import("./nodes/list/list-node")).listNode,
  escalation: () =>
    (require("./nodes/escalate/escalate-node") as typeof import("./nodes/escalate/escalate-node")).escalateNode,
  gate: () => (require("./nodes/gate/gate-node") as typeof import("./nodes/gate/gate-node")).gateNode,
  trigger: () => (require("./nodes/trigger/trigger-node") as typeof import("./nodes/trigger/trigger-node")).triggerNode,
  control: () => (require("./nodes/control/control-node") as typeof import("./nodes/control/control-node")).controlNode,
  webhook: () => (require("./nodes/webhook/webhook-node") as typeof import("./nodes/webhook/webhook-node")).webhookNode,
  tenant: () => (require("./nodes/tenant/tenant-node") as typeof import("./nodes/tenant/tenant-node")).tenantNode,
};

/** The handlers of what an earlier process has left, by kind. */
const RESTORED: Readonly<Partial<Record<NodeDeclaration["kind"], () => RestoreHandler>>> = {
  list: () => (require("./nodes/list/lists") as typeof import("./nodes/list/lists")).restoreLists,
  escalation: () =>
    (require("./nodes/escalate/escalation-registry") as typeof import("./nodes/escalate/escalation-registry"))
      .restoreEscalations,
};

const PASSWORD = { type: "password" } as const;
const CREDENTIALS: Readonly<Partial<Record<NodeDeclaration["kind"], Record<string, typeof PASSWORD>>>> = {
  tenant: { token: PASSWORD, redisUrl: PASSWORD },
  webhook: { secret: PASSWORD },
};

/** Registers the nodes of the set. What is loaded here imports single files of other rooms, to keep the start short. */
export function register(RED: NodeAPI, declarations: readonly NodeDeclaration[]): void {
  flows.follow(RED);
  answerBeforeStart(RED);
  const unfinished = unfinishedFile(RED);
  if (unfinished !== undefined && existsSync(unfinished)) {
    const { logText } = require("./node-red/catalogue") as typeof import("./node-red/catalogue");
    logText(RED, "warn", "log.unfinishedFile", { file: unfinished });
  }
  const folder = telephonyFolder(RED);
  if (folder !== undefined && existsSync(folder)) {
    const warn = async () => {
      await flows.untilRunning();
      const { warnOfLeftJournals } = require("./tenants/left-journals") as typeof import("./tenants/left-journals");
      await warnOfLeftJournals(RED, folder);
      if (!existsSync(join(folder, "lists"))) return;
      await (require("./nodes/list/left-lists") as typeof import("./nodes/list/left-lists")).dropLeftLists(RED);
    };
    void warn();
  }
  for (const { kind, type } of declarations) {
    const handler = RESTORED[kind];
    if (handler) restoreWith(type, handler);
  }
  for (const declaration of declarations) {
    const create = function (this: Node, config: NodeDef) {
      RED.nodes.createNode(this, config);
      load[declaration.kind]()(RED, this as TenantNode, config as unknown as Config, declaration as never);
    };
    const credentials = CREDENTIALS[declaration.kind];
    RED.nodes.registerType(declaration.type, create, credentials ? { credentials } : {});
  }
}
