import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../test/support/process/free-port";
import { temporaryFolder } from "../test/support/process/user-folder";
import { root } from "../test/support/root";
import type { Commands, Contender, Load, Memory, Sample } from "./driver";
import type { FlowNode } from "./flows";
import { median } from "./report";

/** The supported majors of undici, by their names among the dev dependencies. */
export const UNDICIS = ["undici", "undici-8"] as const;
export type Undici = (typeof UNDICIS)[number];

const NAME = "@cloud-telephony/node-red-call-actions";

/** A user folder with the benchmark's own nodes, and with this package unless `bare`. */
export function userFolder({ bare = false } = {}): string {
  const folder = temporaryFolder();
  const nodes = join(folder, "nodes");
  const settings = {
    uiHost: "127.0.0.1",
    flowFile: "flows.json",
    credentialSecret: "of the benchmark",
    disableEditor: true,
    nodesDir: nodes,
    telemetry: { enabled: false, updateNotification: false },
    logging: { console: { level: "error" } },
  };
  writeFileSync(join(folder, "settings.js"), `module.exports = ${JSON.stringify(settings)};\n`);
  mkdirSync(nodes);
  writeFileSync(
    join(nodes, "bench.js"),
    `module.exports = require(${JSON.stringify(join(__dirname, "driver"))}).driver;`,
  );
  // Node-RED loads a file only if it has a dialog beside it.
  writeFileSync(join(nodes, "bench.html"), "");
  if (!bare) {
    mkdirSync(join(folder, "node_modules", "@cloud-telephony"), { recursive: true });
    symlinkSync(root, join(folder, "node_modules", NAME), "junction");
  }
  return folder;
}

/** Node-RED's own command in a process of its own. */
export class NodeRed {
  readonly #child: ChildProcess;
  readonly #url: string;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.#url = url;
  }

  /** Resolves when the flows run. */
  static async start(folder: string, undici: Undici = "undici"): Promise<NodeRed> {
    const port = await freePort();
    const command = join(root, "node_modules/node-red/red.js");
    const child = start(command, ["--userDir", folder, "--port", String(port)], { UNDICI: undici });
    await received(child, "started");
    return new NodeRed(child, `http://127.0.0.1:${port}`);
  }

  /** Replaces all flows and waits until the new ones run. */
  async deploy(flows: readonly FlowNode[]): Promise<void> {
    const running = received(this.#child, "started");
    const body = JSON.stringify(flows);
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${this.#url}/flows`, { method: "POST", headers, body });
    if (!answer.ok) throw new Error(`The deploy was answered with ${answer.status}`);
    await running;
  }

  run<Name extends keyof Commands>(name: Name, options: Parameters<Commands[Name]>[0]): ReturnType<Commands[Name]> {
    this.#child.send({ name, options });
    return received(this.#child, "result") as ReturnType<Commands[Name]>;
  }

  memory(): Promise<Memory> {
    return this.run("memory", {});
  }

  stop(): Promise<void> {
    return stop(this.#child);
  }
}

/** Samples of contenders that are measured in turn, so that a disturbance of the machine affects all of them. */
export class Rounds<Name extends string> {
  readonly #samples: Readonly<Record<Name, Sample>>[] = [];

  /** Measures each contender once a round. The first round is a warm-up and is not counted. */
  async measure(nodeRed: NodeRed, contenders: Readonly<Record<Name, Contender>>, load: Load, rounds = 3) {
    for (let round = 0; round <= rounds; round += 1) {
      const samples = {} as Record<Name, Sample>;
      for (const name of Object.keys(contenders) as Name[])
        samples[name] = await nodeRed.run("measure", { ...contenders[name], ...load });
      if (round > 0) this.#samples.push(samples);
    }
    return this;
  }

  median(name: Name, figure: keyof Sample): number {
    return median(this.#samples.map((round) => round[name][figure]));
  }

  /** The median of each round's ratio. */
  ratio(name: Name, to: Name, figure: keyof Sample): number {
    return median(this.#samples.map((round) => round[name][figure] / round[to][figure]));
  }
}

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
