import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { NodeInitializer } from "node-red";
import type { Action, ActionModule } from "../../src/runtime/actions/action";
import { root } from "./root";

interface Manifest {
  readonly "node-red": { readonly nodes: Readonly<Record<string, string>> };
}

const { "node-red": listed } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;

/** Every node type, as package.json lists them: a test that is about all nodes has no list of its own to be forgotten. */
export const NODE_TYPES: readonly string[] = Object.keys(listed.nodes);

/** Those that stand in the palette: all but the config node. */
export const PALETTE: readonly string[] = NODE_TYPES.filter((type) => type !== "telephony-tenant");

/** What Node-RED loads for a node. */
export function nodeModule(type: string): NodeInitializer & Partial<ActionModule> {
  return require(join(root, "dist", "nodes", `${type}.js`)) as NodeInitializer & Partial<ActionModule>;
}

/** The nodes that ask something of the service. */
export const ACTIONS: readonly Action[] = NODE_TYPES.flatMap((type) => nodeModule(type).action ?? []);

/** Those of them that act upon calls; the others are about schedules. */
export const CALL_ACTIONS: readonly string[] = ACTIONS.map(({ type }) => type).filter(
  (type) => !type.startsWith("business-hour-"),
);
