import type { ChildProcess } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../test/support/process/free-port";
import { temporaryFolder } from "../../test/support/process/user-folder";
import { root } from "../../test/support/root";
import { received, start, stop } from "./child";
import type { Commands, Memory } from "./driver";
import type { FlowNode } from "./flows";

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
