// node scripts/pack.mjs <folder>    packs the package as it is built, and prints the tarball's path
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { root } from "./preconditions.mjs";

const folder = resolve(process.argv[2]);
// Without scripts: `prepack` would build everything again.
const options = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
const shell = process.platform === "win32";
const { stdout, stderr, status, error } = spawnSync("npm", options, { cwd: root, encoding: "utf8", shell });
if (error || status !== 0) throw new Error(`npm ${options.join(" ")} failed:\n${error ?? stderr}`);
const [{ filename }] = JSON.parse(stdout);
console.log(join(folder, filename));
