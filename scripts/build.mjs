// npm run build               compiles the package and puts dialogs, icons and texts beside the nodes
// npm run build -- --tests    compiles the tests as well
// npm run build -- --clean    begins with nothing built
import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { needNode, refuse, root } from "./preconditions.mjs";

needNode("20.18.1", "The build");
const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
if (!existsSync(tsc)) refuse("Nothing is installed; run `npm ci` first.");
const options = new Set(process.argv.slice(2));
if (options.has("--clean"))
  for (const built of ["dist", "resources"]) rmSync(join(root, built), { recursive: true, force: true });

compile("-b", ...(options.has("--tests") ? ["test"] : []));
compile("-p", "src/editor");
compile("-p", "src/sandbox/page");
compile("-p", "src/workshop/report/page");

const { buildEditor } = createRequire(import.meta.url)("../dist/src/build/index.js");
try {
  process.stdout.write(`${buildEditor(root)}\n`);
} catch (error) {
  if (error.constructor.name !== "BuildError") throw error;
  refuse(error.message);
}

function compile(...options) {
  const { status } = spawnSync(process.execPath, [tsc, ...options], { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(1);
}
