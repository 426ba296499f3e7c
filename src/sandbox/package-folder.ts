import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The package's own folder: that of the nearest manifest above, for this code is shipped elsewhere than it is built. */
export const packageFolder = nearest(__dirname);

function nearest(folder: string): string {
  return existsSync(join(folder, "package.json")) ? folder : nearest(dirname(folder));
}
