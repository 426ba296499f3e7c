import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Memory, Orders, Taken } from "./driver/orders";
import type { FlowNode } from "./flows";
import { start, stop } from "./processes";
import { project } from "./user-folder";

/** The majors of undici that a user may have, as this project has them installed. */
export const MAJORS = ["undici", "undici-8"] as const;
export type Undici = (typeof MAJORS)[number];

interface Told {
  readonly id?: number;
  readonly result?: unknown;
  /** Processor time that the process had used when its flows ran, in milliseconds. */
  readonly started?: number;
}

/** Node-RED as a user runs it, its own command in a process of its own, with the benchmark's nodes in it. */
export class NodeRed {
  readonly #child: ChildProcess;
  readonly #url: string;
  #orders = 0;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.#url = url;
  }

  /** Resolves when its flows run: to what that took from the start of the process. */
  static async start(folder: string, undici: Undici = "undici"): Promise<{ nodeRed: NodeRed } & Taken> {
    const port = await freePort();
    const begun = performance.now();
    const preload = ["--expose-gc", "--require", join(project, "scripts/undici.cjs")];
    const command = [join(project, "node_modules/node-red/red.js"), "--userDir", folder, "--port", String(port)];
    const child = start([...preload, ...command], { UNDICI: undici });
    const nodeRed = new NodeRed(child, `http://127.0.0.1:${port}`);
    const processorMs = await nodeRed.#started();
    return { nodeRed, ms: performance.now() - begun, processorMs };
  }

  /** Replaces all flows, as the editor's Deploy does, and waits until they run: so many milliseconds. */
  async deploy(flows: readonly FlowNode[]): Promise<number> {
    const body = JSON.stringify(flows);
    const begun = performance.now();
    const started = this.#started();
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${this.#url}/flows`, { method: "POST", headers, body });
    if (!answer.ok) throw new Error(`Deploy answered ${answer.status}`);
    await started;
    return performance.now() - begun;
  }

  async ask<Name extends keyof Orders>(
    name: Name,
    order: Parameters<Orders[Name]>[0],
  ): Promise<Awaited<ReturnType<Orders[Name]>>> {
    this.#orders += 1;
    const id = this.#orders;
    this.#child.send({ id, name, order });
    const { result } = await this.#told((told) => told.id === id);
    return result as Awaited<ReturnType<Orders[Name]>>;
  }

  stop(): Promise<void> {
    return stop(this.#child);
  }

  memory(): Promise<Memory> {
    return this.ask("memory", {});
  }

  async #started(): Promise<number> {
    const { started } = await this.#told((told) => told.started !== undefined);
    return started as number;
  }

  async #told(isIt: (told: Told) => boolean): Promise<Told> {
    for (;;) {
      const [told] = (await once(this.#child, "message")) as [Told];
      if (isIt(told)) return told;
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}
