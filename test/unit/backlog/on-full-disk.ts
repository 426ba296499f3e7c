import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/**
 * Runs a script of this folder with a journal where no file may exceed 256 KiB: as on a full disk, the part of a write that fits is written,
 * and the rest fails. Returns what the script printed as JSON.
 */
export async function onFullDisk(script: string, journal: string): Promise<unknown> {
  const limited = ["-c", `trap '' XFSZ; ulimit -f 256; exec "$@"`, "bash"];
  const args = [...limited, process.execPath, require.resolve(`./${script}`), journal];
  const shell = spawn("bash", args, { stdio: ["ignore", "pipe", "inherit"] });
  const [printed, [code]] = await Promise.all([text(shell.stdout), once(shell, "close")]);
  assert.equal(code, 0);
  return JSON.parse(printed);
}
