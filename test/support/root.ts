import { globSync } from "node:fs";
import { join } from "node:path";

/** The package's folder, from the compiled tests. */
export const root = join(__dirname, "../../..");

/** The files of the package that match one of some patterns, by paths with `/`. */
export function filesOf(...patterns: string[]): string[] {
  return globSync(patterns, { cwd: root }).map((file) => file.replaceAll("\\", "/"));
}
