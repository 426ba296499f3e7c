import { randomUUID } from "node:crypto";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Replaces a file in one step: after a crash there is the old text or the new one; if it is durable, after a power failure, too.
 * @throws the error of the file system
 */
export function replaceFile(path: string, text: string, { mode = 0o600, isDurable = true } = {}): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const unfinished = `${path}.${randomUUID()}`;
  try {
    // A link that was put there is not written to.
    writeFileSync(unfinished, text, { mode, flag: "wx", flush: isDurable });
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}
