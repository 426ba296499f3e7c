import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(fileURLToPath(import.meta.url), "..", "..");

/** Ends the command with one sentence for whoever typed it. */
export function refuse(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/**
 * npm runs these scripts on the Node that the dev dependency `node` brings. Where npm was told to ignore install scripts
 * that one is missing and the machine's own Node runs instead, silently.
 */
export function needNode(version, what) {
  const { node } = process.versions;
  if (node.localeCompare(version, "en", { numeric: true }) >= 0) return;
  refuse(
    `${what} needs Node ${version} or newer and this is ${node}: run \`npm ci\` (without --ignore-scripts), ` +
      "which brings a Node of its own, or install a newer one.",
  );
}

/** Says so where the dependencies, or the development ones among them, are not installed. */
export function needInstalled(...modules) {
  const missing = modules.filter((name) => !existsSync(join(root, "node_modules", name, "package.json")));
  if (missing.length > 0) refuse(`Not installed: ${missing.join(", ")}; run \`npm ci\` first.`);
}
