// node scripts/pack.mjs <folder>    packs what users get, with dialogs and texts as built, and prints the tarball's path
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
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
  const options = ["pack", "--ignore-scripts", "--json"];
  const shell = process.platform === "win32";
  const { stdout, stderr, status, error } = spawnSync("npm", options, { cwd: shipped, encoding: "utf8", shell });
  if (error || status !== 0) throw new Error(`npm ${options.join(" ")} failed:\n${error ?? stderr}`);
  const [{ filename }] = JSON.parse(stdout);
  cpSync(join(shipped, filename), join(into, filename));
  console.log(join(into, filename));
} finally {
  rmSync(shipped, { recursive: true, force: true });
}
