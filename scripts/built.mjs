import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { refuse, root } from "./preconditions.mjs";

const SOURCES = ["nodes", "src", "icons", "locales", "scripts/build.mjs", "package.json", "tsconfig.json"];

/** Builds the package, and the tests with `--tests`. */
export function build(...options) {
  const { status } = spawnSync(process.execPath, [join(root, "scripts", "build.mjs"), ...options], {
    stdio: "inherit",
  });
  if (status !== 0) refuse("The build failed; what is wrong stands above.");
}

/** Builds the package when there is no build, or sources are newer than it. */
export function buildWhenNeeded() {
  if (!isComplete() || newest(SOURCES) > newest(["dist/nodes", "dist/src"])) build();
}

function isComplete() {
  const nodes = ["index.js", "index.html"].map((name) => `dist/nodes/${name}`);
  const resources = ["sandbox.js", "sandbox.css"].map((name) => `resources/${name}`);
  return [...nodes, ...resources].every((piece) => existsSync(join(root, piece)));
}

/** Time of the latest change in files and folders, in milliseconds; 0 where there are none. */
function newest(paths) {
  const times = paths.flatMap((path) => {
    const stat = statSync(join(root, path), { throwIfNoEntry: false });
    if (!stat) return [];
    if (!stat.isDirectory()) return [stat.mtimeMs];
    return [newest(readdirSync(join(root, path)).map((name) => join(path, name)))];
  });
  return Math.max(0, ...times);
}
