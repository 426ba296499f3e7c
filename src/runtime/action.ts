import type { Node, NodeAPI, NodeDef, NodeInitializer } from "node-red";
import type { Fields, Values } from "../fields";
import type { Body, Repeat, Request } from "../tenant";
import { ActionNode } from "./action-node";
import { watchFlows } from "./hand-over";

/** The hotline that a tenant offers to calls which name none. */
export interface Hotline {
  readonly fromNumber: string | undefined;
  readonly fromAlias: string | undefined;
}

/** The fields of one request and how they become it. */
export interface Shape<F extends Fields = Fields> {
  readonly fields: F;
  readonly request: (values: Values<F>, hotline: Hotline) => Request;
}

/** A node that asks the service for one thing, in data. */
export interface Action {
  /** Node type, file name and catalogue name. */
  readonly type: string;
  readonly repeat: Repeat;
  /** One shape for each value of the node's `mode`; a node without modes has one, named `""`. The first is the default. */
  readonly modes: Readonly<Record<string, Shape>>;
}

/** What a node's file exports: what Node-RED calls, and what the build and the tests read. */
export interface ActionModule extends NodeInitializer {
  readonly action: Action;
}

/** Keeps a shape's fields and its function in step: a field misspelt in the function does not compile. */
export function shape<F extends Fields>(fields: F, request: Shape<F>["request"]): Shape {
  return { fields, request } as unknown as Shape;
}

export function post(path: string, body: Body): Request {
  return { method: "POST", path, body: Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) };
}

/** Makes a palette entry of an action. */
export function action(declaration: Action): ActionModule {
  const initialize = (RED: NodeAPI) => {
    watchFlows(RED);
    RED.nodes.registerType(declaration.type, function (this: Node, config: NodeDef) {
      RED.nodes.createNode(this, config);
      new ActionNode(RED, this, config as unknown as Readonly<Record<string, unknown>>, declaration);
    });
  };
  return Object.assign(initialize, { action: declaration });
}
