import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../root";
import { freePort } from "./free-port";
import type { FlowNode } from "./node-red";

const folder = join(root, "examples");

export const exampleNames = readdirSync(folder)
  .filter((file) => file.endsWith(".json"))
  .map((file) => file.slice(0, -".json".length));

/** An example as it ships. */
export function example(name: string): FlowNode[] {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as FlowNode[];
}

/** An example on its way into Node-RED, with the addresses at which its sandboxes will be, one for each tenant. */
export interface Deployable {
  readonly flows: FlowNode[];
  readonly sandboxes: readonly string[];
  /** The id of the node with this name. */
  id(name: string): string;
}

/**
 * Makes an example deployable: its Debug nodes print to the log, too, and its sandboxes have ports that are free, in the addresses
 * of its own requests as well.
 *
 * @param secret that of its webhooks, or CALL_SECRET of its tab; as it ships when not given
 */
export async function deployable(name: string, secret?: string): Promise<Deployable> {
  const shipped = example(name);
  const tenants = shipped.filter(({ type }) => type === "telephony-tenant");
  const ports = new Map(await Promise.all(tenants.map(async ({ id }) => [id, await freePort()] as const)));
  const moved = (url: unknown) =>
    tenants.reduce(
      (moving, { id, sandboxPort }) => moving.replace(`127.0.0.1:${sandboxPort}/`, `127.0.0.1:${ports.get(id)}/`),
      String(url),
    );
  const flows = shipped.map((node) => {
    if (node.type === "telephony-tenant") return { ...node, sandboxPort: ports.get(node.id) };
    if (node.type === "http request") return { ...node, url: moved(node["url"]) };
    if (node.type === "debug") return { ...node, console: "true" };
    if (secret !== undefined && node["credentials"]) return { ...node, credentials: { secret } };
    return node.type === "tab" && secret !== undefined ? withSecret(node, secret) : node;
  });
  return {
    flows,
    sandboxes: [...ports.values()].map((port) => `http://127.0.0.1:${port}/sandbox`),
    id: (wanted) => {
      const found = flows.find((node) => node["name"] === wanted);
      if (!found) throw new Error(`The example "${name}" has no node named "${wanted}".`);
      return found.id;
    },
  };
}

/** A flow that checks the secret itself has it in its tab, here as plain text. */
function withSecret(tab: FlowNode, secret: string): FlowNode {
  const env = (tab["env"] ?? []) as { name: string }[];
  const entered = env.map((each) => (each.name === "CALL_SECRET" ? { ...each, value: secret, type: "str" } : each));
  return { ...tab, ...(env.length > 0 && { env: entered }) };
}
