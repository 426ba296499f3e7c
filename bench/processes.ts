import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

const children = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

const MOST_SAID = 4096;

/** A process that talks with this one, and does not outlive it. */
export function start(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  children.add(child);
  // Node-RED says there why it ends.
  let said = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-MOST_SAID);
  });
  child.once("exit", (code) => {
    if (!children.delete(child)) return;
    process.stderr.write(`A process of the benchmark ended by itself (${code}):\n${said}\n`);
    process.exit(1);
  });
  return child;
}

export async function stop(child: ChildProcess): Promise<void> {
  children.delete(child);
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}
