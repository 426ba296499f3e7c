import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TENANT } from "./example-flows.mjs";
import { tryPort } from "./port.mjs";

/**
 * The address printed must hold: while somebody else has the sandbox's usual port, a free one takes its place. A file
 * remembers that one, so that the usual port comes back, and a port that a user chose stays.
 * @returns whether the tenant was changed
 */
export async function settleSandboxPort(tenant, folder) {
  const before = String(tenant.sandboxPort);
  const file = join(folder, "sandbox-port.json");
  if (before !== String(TENANT.sandboxPort) && before !== remembered(file)) return false;
  const port = await firstFree(TENANT.sandboxPort, Number(before), 0);
  if (String(port) === before) return false;
  if (port !== TENANT.sandboxPort) writeFileSync(file, JSON.stringify(port));
  tenant.sandboxPort = port;
  return true;
}

async function firstFree(...ports) {
  for (const port of ports) {
    const tried = await tryPort(port);
    if (!tried.reason) return tried.port;
  }
  throw new Error("No port is free on 127.0.0.1.");
}

function remembered(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
