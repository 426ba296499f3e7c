import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { refuse, root } from "./preconditions.mjs";

/** The folder of the newest Node-RED of a version such as "4.1". It is installed on first use. */
export function otherNodeRed(version) {
  if (!/^\d+(\.\d+){0,2}$/.test(version ?? "")) refuse("--node-red takes a version, such as 4.1.");
  const folder = join(root, "node_modules", ".cache", `node-red-${version}`);
  const installed = join(folder, "node_modules", "node-red");
  if (existsSync(join(installed, "red.js"))) return installed;
  const options = ["install", "--prefix", folder, "--no-audit", "--no-fund", `node-red@~${version}`];
  const { status } = spawnSync("npm", options, { stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) refuse(`Node-RED ${version} could not be installed; npm's message is above.`);
  return installed;
}
