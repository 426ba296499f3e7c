import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { NodeAPI } from "node-red";
import { shared } from "../node-red/catalogue";
import { quietly } from "../node-red/quietly";
import { fileNameOf } from "./engines";

/** Warns of calls that wait in the journals of tenants that were deleted while Node-RED was stopped. Never rejects. */
export async function tellLeftJournals(RED: NodeAPI, folder: string): Promise<void> {
  const { waitingIn } = require("../../backlog/file/waiting-in") as typeof import("../../backlog/file/waiting-in");
  const tenants = new Set<string>();
  RED.nodes.eachNode(({ id, type }) => type === "telephony-tenant" && tenants.add(fileNameOf(id)));
  const left: string[] = [];
  let count = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    const [, tenant] = /^(.+)-[0-9a-f]{12}\.journal$/.exec(name) ?? [];
    if (tenant === undefined || tenants.has(tenant)) continue;
    const file = join(folder, name);
    // Another Node-RED may use it: then its tenant is there.
    const waiting = await waitingIn(file).catch(() => 0);
    if (waiting > 0) left.push(file);
    count += waiting;
  }
  if (count > 0) quietly(() => RED.log.warn(shared(RED, "log.leftJournals", { count, files: left.join(", ") })));
}
