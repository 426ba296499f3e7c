import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { NodeAPI } from "node-red";
import { countUnfinished } from "../../backlog/file/count-unfinished";
import { fileNameOf } from "../delivery/unfinished-file";
import { logText } from "../node-red/catalogue";
import { journalOf } from "./engine";
import { usableTenants } from "./tenants";

/**
 * Warns of the calls in journals that no tenant uses, because it was deleted or got another mode, address or engine: while
 * Node-RED was stopped, or while they were in flight. Changes nothing in them. Never rejects.
 */
export async function warnOfLeftJournals(RED: NodeAPI, folder: string): Promise<void> {
  const usable = new Map(usableTenants().map((tenant) => [fileNameOf(tenant.id), tenant]));
  const deployed = new Set<string>();
  RED.nodes.eachNode(({ id, type }) => type === "telephony-tenant" && deployed.add(fileNameOf(id)));
  const left: string[] = [];
  let count = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    const [, id] = /^(.+)-[0-9a-f]{12}\.journal$/.exec(name) ?? [];
    if (id === undefined) continue;
    const file = join(folder, name);
    const tenant = usable.get(id);
    // The address of a tenant that is disabled, or whose settings are wrong, is not known.
    const isUsed = tenant && ["", "file"].includes(tenant.settings.engine) && journalOf(folder, tenant) === file;
    if (isUsed ?? deployed.has(id)) continue;
    // Another Node-RED may use it.
    const unfinished = await countUnfinished(file).catch(() => 0);
    if (unfinished > 0) left.push(file);
    count += unfinished;
  }
  if (count > 0) logText(RED, "warn", "log.leftJournals", { count, files: left.join(", ") });
}
