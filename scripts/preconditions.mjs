import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(fileURLToPath(import.meta.url), "..", "..");

/** Prints one sentence and ends the command with exit code 1. */
export function refuse(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** The dev dependency `node` brings the Node of these commands. Without install scripts the machine's own runs instead. */
export function needNode(version, what) {
  const { node } = process.versions;
  if (node.localeCompare(version, "en", { numeric: true }) >= 0) return;
  refuse(
    `${what} needs Node ${version} or newer and this is ${node}: run \`npm ci\` (without --ignore-scripts), ` +
      "which brings a Node of its own, or install a newer one.",
  );
}
