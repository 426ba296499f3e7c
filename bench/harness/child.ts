import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

const children = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

/** Starts a process with an IPC channel. If it ends by itself, its last output is printed and the benchmark fails. */
export function start(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const stdio = ["ignore", "pipe", "inherit", "ipc"] as const;
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: [...stdio] });
  children.add(child);
  let output = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output = (output + text).slice(-4096);
  });
  child.once("exit", (code) => {
    if (!children.delete(child)) return;
    process.stderr.write(`A process of the benchmark ended with exit code ${code}:\n${output}\n`);
    process.exit(1);
  });
  return child;
}

export async function stop(child: ChildProcess): Promise<void> {
  children.delete(child);
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

/** The next message of a child that has this property. */
export async function received<T>(child: ChildProcess, property: string): Promise<T> {
  for (;;) {
    const [message] = (await once(child, "message")) as [Record<string, T>];
    if (property in message) return message[property] as T;
  }
}
