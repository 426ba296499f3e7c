import { join } from "node:path";
import type { NodeInitializer } from "node-red";
import type { Action } from "../../src/runtime/nodes/action/declaration";
import type { NodeDeclaration } from "../../src/runtime/register";
import { root } from "./root";

interface NodeSet {
  readonly default: NodeInitializer;
  readonly nodes: readonly NodeDeclaration[];
}

const set = require(join(root, "dist", "nodes", "index.js")) as NodeSet;

/** The function that Node-RED calls to register the nodes. */
export const registerNodes = set.default;

/** The declarations of the nodes. */
export const NODES = set.nodes;

/** Every node type that the package declares, so that no test has a list of its own. */
export const NODE_TYPES: readonly string[] = NODES.map(({ type }) => type);

/** All types in the palette: all but the config node. */
export const PALETTE: readonly string[] = NODE_TYPES.filter((type) => type !== "telephony-tenant");

/** Those of them that take messages. */
export const WITH_INPUT: readonly string[] = NODES.flatMap(({ kind, type }) =>
  ["tenant", "trigger", "webhook"].includes(kind) ? [] : [type],
);

/** The nodes that send requests to the service. */
export const ACTIONS: readonly Action[] = NODES.flatMap((node) => (node.kind === "action" ? [node] : []));

export function actionOf(type: unknown): Action {
  const found = ACTIONS.find((action) => action.type === type);
  if (!found) throw new Error(`${String(type)} is no action`);
  return found;
}

/** Those of them that change something, or act upon a call. */
export const WRITES: readonly string[] = ACTIONS.flatMap(({ type, effect }) => (effect === "none" ? [] : [type]));

/** Those of them that act upon calls; the others are about schedules. */
export const CALL_ACTIONS: readonly string[] = ACTIONS.map(({ type }) => type).filter(
  (type) => !type.startsWith("business-hour-"),
);
