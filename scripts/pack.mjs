// node scripts/pack.mjs <folder>    packs what users get, from the build that is there, and prints the tarball's path
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { root } from "./preconditions.mjs";

const { ship } = createRequire(import.meta.url)("../dist/src/build/index.js");
const into = resolve(process.argv[2]);
const shipped = mkdtempSync(join(tmpdir(), "telephony-shipped-"));
try {
  ship(root, shipped);
  // Without scripts: these would build everything again.
  const options = ["pack", shipped, "--ignore-scripts", "--json", "--pack-destination", into];
  const shell = process.platform === "win32";
  const { stdout, stderr, status, error } = spawnSync("npm", options, { encoding: "utf8", shell });
  if (error || status !== 0) throw new Error(`npm ${options.join(" ")} failed:\n${error ?? stderr}`);
  const [{ filename }] = JSON.parse(stdout);
  console.log(join(into, filename));
} finally {
  rmSync(shipped, { recursive: true, force: true });
}
