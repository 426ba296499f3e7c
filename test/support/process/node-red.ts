import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import { assertNoToken } from "../canary";
import { root } from "../root";
import { eventually, FinalError, LONG_MS } from "./eventually";
import { freePort } from "./free-port";

/** A node of a flow file. */
export interface FlowNode {
  readonly id: string;
  readonly type: string;
  readonly [property: string]: unknown;
}

/** A node in the tab `tab`. */
export const at = (id: string, type: string, more: object, ...wires: (readonly string[])[]): FlowNode => {
  // Without a place, Node-RED takes it for a config node.
  return { id, type, z: "tab", x: 100, y: 100, ...more, wires };
};

/** A node for POST requests to an address. */
export const hook = (url: string, ...wires: readonly string[]) =>
  at(`POST ${url}`, "http in", { method: "post", url }, wires);

/** A node for GET requests to an address. */
export const page = (url: string, ...wires: readonly string[]) =>
  at(`GET ${url}`, "http in", { method: "get", url }, wires);

/** A node that sets a property, by default the payload, to the value of a JSONata expression. */
export const change = (id: string, to: string, wires: readonly string[], p = "payload", pt = "msg") =>
  at(id, "change", { rules: [{ t: "set", p, pt, to, tot: "jsonata" }] }, wires);

/**
 * The environment of a process whose wall clock starts at an instant, ISO 8601, and goes on from there.
 * @param then what `setClock` sets it to
 * @param boot the machine was started since, and it is not known whether its clock is right: an id of that start
 */
export const clockAt = (instant: string, then?: string, boot?: string): NodeJS.ProcessEnv => ({
  NODE_OPTIONS: `--require ${join(root, "test/support/process/clock-at.cjs")}`,
  CLOCK_AT: instant,
  CLOCK_THEN: then,
  CLOCK_BOOT: boot,
});

/** Node-RED as a user runs it: its own command in a process of its own. */
export class NodeRed {
  readonly url: string;
  readonly #child: ChildProcess;
  /** Resolves when nothing of it runs any more. */
  readonly ended: Promise<unknown>;
  #log = "";

  /**
   * @param env what the process finds in its environment besides the tests' own; `undefined` takes a variable away
   * @param options more of the command's own options
   */
  static start(folder: string, env: NodeJS.ProcessEnv = {}, ...options: string[]): Promise<NodeRed> {
    return NodeRed.#start(folder, { ...process.env, LANG: "C", ...env }, options, []);
  }

  /**
   * Starts on a disk that is full sooner: no file may become longer than this.
   * @param bytes a multiple of 512
   */
  static startOnSmallDisk(folder: string, bytes: number, ...options: string[]): Promise<NodeRed> {
    const limited = ["sh", "-c", `ulimit -S -f ${bytes / 512} && exec "$@"`, "sh"];
    return NodeRed.#start(folder, { ...process.env, LANG: "C" }, options, limited);
  }

  /** Makes room on a small disk. */
  async enlargeDisk(): Promise<void> {
    await promisify(execFile)("prlimit", ["--pid", String(this.#child.pid), "--fsize=unlimited:"]);
  }

  /** Begins one whose editor answers, but whose flows may not run yet, or never. */
  static async begin(folder: string): Promise<NodeRed> {
    const begun = new NodeRed(folder, await freePort(), { ...process.env, LANG: "C" }, [], []);
    await eventually(() => begun.#answers(), LONG_MS);
    return begun;
  }

  static async #start(folder: string, env: NodeJS.ProcessEnv, options: string[], prefix: string[]): Promise<NodeRed> {
    for (;;) {
      const started = new NodeRed(folder, await freePort(), env, options, prefix);
      try {
        await eventually(() => started.#answers(), LONG_MS);
        await started.#runs(1);
        return started;
      } catch (error) {
        // Another process may take the port first.
        if (!started.log.includes("port in use")) throw error;
      }
    }
  }

  private constructor(folder: string, port: number, env: NodeJS.ProcessEnv, options: string[], prefix: string[]) {
    this.url = `http://127.0.0.1:${port}`;
    const command = join(process.env["NODE_RED"] ?? join(root, "node_modules/node-red"), "red.js");
    const node = [process.execPath, command, "--userDir", folder, "--port", String(port), ...options];
    const [first = "", ...args] = [...prefix, ...node];
    this.#child = spawn(first, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
    this.ended = once(this.#child, "exit");
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.#log += text;
      });
    }
  }

  /** Sets its wall clock, if it was started with one. */
  setClock(): void {
    this.#child.kill("SIGCONT");
  }

  /** Everything it has printed. */
  get log(): string {
    return this.#log;
  }

  /** Waits until it prints a text, after all that it has printed so far. */
  prints(text: string): Promise<true> {
    const before = this.#log.length;
    return eventually(() => this.#log.includes(text, before) || undefined);
  }

  /** The number of times that flows have been started, read from the log: a deploy is answered before its flows run. */
  get #starts(): number {
    return this.#log.split(/Started (?:modified )?(?:flows|nodes)/).length - 1;
  }

  async #runs(starts: number): Promise<void> {
    await eventually(() => {
      this.#mustRun();
      return this.#starts >= starts || undefined;
    });
  }

  async #answers(): Promise<true | undefined> {
    this.#mustRun();
    return fetch(`${this.url}/flows`).then(
      ({ ok, status }) => ok || status === 401 || undefined,
      () => undefined,
    );
  }

  #mustRun(): void {
    if (this.hasEnded) throw new FinalError(`Node-RED ended:\n${this.#log}`);
  }

  /** Replaces all flows, as the editor's Deploy does, and waits until they run. */
  async deploy(flows: readonly FlowNode[], type: "full" | "flows" | "nodes" = "full"): Promise<void> {
    const starts = this.#starts;
    const answer = await this.post("/flows", flows, { "node-red-deployment-type": type });
    if (answer.status !== 204) throw new Error(`Deploy answered ${answer.status}: ${await answer.text()}`);
    await this.#runs(starts + 1);
  }

  /** Makes it as good as new without a restart: removes the flows, the log, and what tests keep in the global context. */
  async renew(): Promise<void> {
    const forget = 'for (const name of ["delivered", "seen", "status"]) global.set(name, undefined);';
    const node = { id: "forget", type: "function", z: "tab", x: 100, y: 100, func: "", initialize: forget, wires: [] };
    await this.deploy([{ id: "tab", type: "tab", label: "Empty" }, node]);
    this.#log = "";
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Presses the button of an Inject node. */
  async inject(id: string): Promise<void> {
    const answer = await this.post(`/inject/${id}`, {});
    if (answer.status !== 200) throw new Error(`Inject answered ${answer.status}`);
  }

  async get(path: string): Promise<Response> {
    return looked(path, await fetch(this.url + path));
  }

  async post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    const init = { "content-type": "application/json", ...headers };
    return looked(path, await fetch(this.url + path, { method: "POST", headers: init, body: JSON.stringify(body) }));
  }

  /** Asks it to end. Resolves to its exit code, or the signal that it did not survive. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<number | NodeJS.Signals | null> {
    if (this.hasEnded) return this.#child.exitCode ?? this.#child.signalCode;
    const exit = this.exit();
    this.#child.kill(signal);
    return exit;
  }

  /** Resolves when it has ended and all that it printed was read: to its exit code, or the signal that it did not survive. */
  async exit(): Promise<number | NodeJS.Signals | null> {
    const [code, by] = (await once(this.#child, "close")) as [number | null, NodeJS.Signals | null];
    assertNoToken("Node-RED's log", this.#log);
    return code ?? by;
  }

  /** Kills it at the end of a test, passed or failed. */
  kill(): void {
    this.#child.kill("SIGKILL");
    assertNoToken("Node-RED's log", this.#log);
  }
}

/** An answer that was checked: no answer of a flow or an admin route shows a token. What was printed before it has been read. */
async function looked(path: string, answer: Response): Promise<Response> {
  await nextTurn();
  assertNoToken(`the answer of ${path}`, JSON.stringify([...answer.headers]), await answer.clone().text());
  return answer;
}
