import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { root } from "../../test/support/root";

/** Starts a process, which has to end when this one does. If it ends by itself, the benchmark fails. */
export function start(file: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const execArgv = ["--expose-gc", "--require", join(root, "scripts/undici.cjs")];
  const child = fork(file, args, { env: { ...process.env, ...env }, execArgv, stdio: ["ignore", 2, 2, "ipc"] });
  child.once("exit", (code) => {
    process.stderr.write(`A process of the benchmark ended with exit code ${code}\n`);
    process.exit(1);
  });
  return child;
}

export async function stop(child: ChildProcess): Promise<void> {
  child.removeAllListeners("exit");
  child.kill("SIGKILL");
  await once(child, "exit");
}

/** The next message of a child that has this property. */
export async function received<T>(child: ChildProcess, property: string): Promise<T> {
  for (;;) {
    const [message] = (await once(child, "message")) as [Record<string, T>];
    if (property in message) return message[property] as T;
  }
}
