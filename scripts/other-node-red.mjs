import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { refuse, root } from "./preconditions.mjs";

/** The folder of another Node-RED than the development dependency, e.g. the newest "4.1"; installed on first use. */
export function otherNodeRed(version) {
  if (!/^\d+(\.\d+){0,2}$/.test(version ?? "")) refuse("--node-red wants a version, such as 4.1.");
  const folder = join(root, "node_modules", ".cache", `node-red-${version}`);
  const installed = join(folder, "node_modules", "node-red");
  if (existsSync(join(installed, "red.js"))) return installed;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "other-node-red", private: true }));
  const options = ["install", "--prefix", folder, "--no-audit", "--no-fund", `node-red@~${version}`];
  const { status } = spawnSync("npm", options, { cwd: folder, stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) refuse(`Node-RED ${version} could not be installed; what is wrong stands above.`);
  return installed;
}
