import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { NodeAPI } from "node-red";
import { shared } from "../node-red/catalogue";
import { swallowErrors } from "../node-red/swallow-errors";
import { fileNameOf } from "./engines";

/** Warns of calls that wait in the journals of tenants that were deleted while Node-RED was stopped. Never rejects. */
export async function warnOfJournalsLeftBehind(RED: NodeAPI, folder: string): Promise<void> {
  const { countWaiting } =
    require("../../backlog/file/count-waiting") as typeof import("../../backlog/file/count-waiting");
  const tenants = new Set<string>();
  RED.nodes.eachNode(({ id, type }) => type === "telephony-tenant" && tenants.add(fileNameOf(id)));
  const left: string[] = [];
  let count = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    const [, tenant] = /^(.+)-[0-9a-f]{12}\.journal$/.exec(name) ?? [];
    if (tenant === undefined || tenants.has(tenant)) continue;
    const file = join(folder, name);
    // Another Node-RED may use it: then its tenant is there.
    const waiting = await countWaiting(file).catch(() => 0);
    if (waiting > 0) left.push(file);
    count += waiting;
  }
  if (count > 0) swallowErrors(() => RED.log.warn(shared(RED, "log.leftJournals", { count, files: left.join(", ") })));
}
