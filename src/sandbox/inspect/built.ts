import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder of the package: that of the nearest package.json above. */
export const packageFolder = nearest(__dirname);

/** A script, a style sheet or texts of a page, as the build made them. */
export function builtFile(name: string): string {
  return readFileSync(join(packageFolder, "resources", name), "utf8");
}

/** A source that a content security policy allows. */
export function sha256(source: string): string {
  return `sha256-${createHash("sha256").update(source).digest("base64")}`;
}

function nearest(folder: string): string {
  return existsSync(join(folder, "package.json")) ? folder : nearest(dirname(folder));
}
