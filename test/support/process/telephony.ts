import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { root } from "../root";

export const telephonyCommand = join(root, "dist/src/cli/telephony.js");

/** Runs the command `telephony` to its end. */
export const telephony = (...args: string[]) => runToEnd(telephonyCommand, ...args);

export async function runToEnd(
  command: string,
  ...args: string[]
): Promise<{ code: number; out: string; err: string }> {
  const child = spawn(process.execPath, [command, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: code as number, out, err };
}
