import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "./free-port";
import type { FlowNode } from "./node-red";
import { project } from "./user-folder";

const folder = join(project, "examples");

export const exampleNames = readdirSync(folder)
  .filter((file) => file.endsWith(".json"))
  .map((file) => file.slice(0, -".json".length));

/** An example as it ships. */
export function example(name: string): FlowNode[] {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as FlowNode[];
}

/** An example on its way into Node-RED, with the address at which its sandbox will be. */
export interface Deployable {
  readonly flows: FlowNode[];
  readonly sandbox: string;
  /** The id of the node with this name. */
  id(name: string): string;
}

/** @param secret what CALL_SECRET is on the example's tab; not set at all when not given */
export async function deployable(name: string, secret?: string): Promise<Deployable> {
  const port = await freePort();
  const env = secret === undefined ? [] : [{ name: "CALL_SECRET", value: secret, type: "str" }];
  const flows = example(name).map((node) => {
    if (node.type === "telephony-tenant") return { ...node, sandboxPort: port };
    return node.type === "tab" ? { ...node, env } : node;
  });
  return {
    flows,
    sandbox: `http://127.0.0.1:${port}/sandbox`,
    id: (wanted) => {
      const found = flows.find((node) => node["name"] === wanted);
      if (!found) throw new Error(`The example "${name}" has no node named "${wanted}".`);
      return found.id;
    },
  };
}
